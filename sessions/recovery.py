"""Recovery snapshots: sessions that nobody asked for, kept until a proper save, so that no way to end loses work.

They lie in the user's state folder, one file per running program, found again by the corpus's hash.
"""

import contextlib
import os
import secrets
from pathlib import Path

import platformdirs

from engine.errors import ArtifactRefusal
from engine.policy import Policy
from engine.quoting import quoted
from sessions.locks import Hold, lock_at_once
from sessions.snapshot import Session
from sessions.store import load, save

ENDING = ".bpes"


def default_folder() -> Path:
    """Where recovery snapshots of this user lie."""
    return platformdirs.user_state_path("bpe-tui") / "recovery"


class Recovery:
    """The recovery snapshot of one run.

    Args:
        corpus_sha256: the hash of the corpus that the run reads.
        folder: where to keep it; the user's state folder if None.
    """

    def __init__(self, corpus_sha256: str, folder: Path | None = None) -> None:
        self.folder = folder or default_folder()
        self._sha256 = corpus_sha256
        # In a container every run may have the same process id.
        self.path = self.folder / f"{corpus_sha256}-{os.getpid()}-{secrets.token_hex(4)}{ENDING}"
        self._hold: Hold | None = None

    def write(self, session: Session) -> None:
        """Keep a snapshot in place of this run's older one.

        Raises:
            ArtifactRefusal: when it cannot be written.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ArtifactRefusal(
                f"cannot keep a recovery snapshot in {quoted(str(self.folder))}: {(error.strerror or 'error').lower()}"
            ) from None
        save(self.path, session)
        self.let_go()
        with contextlib.suppress(BlockingIOError):  # somebody is just looking whether it is held
            self._hold = Hold(self.path)

    def newest(self, policy: Policy) -> tuple[Path, Session] | None:
        """The newest undamaged snapshot of this corpus and policy that an ended program left; None without one."""
        for path in sorted(self._all(), key=_age):
            if _is_running(path):
                continue
            try:
                session = load(path)
            except ArtifactRefusal:
                continue  # damaged, or gone meanwhile: the next older one serves
            if session.policy == policy:
                return path, session
        return None

    def let_go(self) -> None:
        """Leave the snapshot to whoever opens this corpus next."""
        if self._hold is not None:
            self._hold.let_go()

    def drop(self, taken_over: Path | None = None) -> None:
        """Remove this run's snapshot, and the one that it went on from, after a proper save.

        One that cannot be removed stays, and is offered again: that is no reason to take the save for failed.
        """
        self.let_go()
        for path in {self.path, taken_over or self.path}:
            with contextlib.suppress(OSError):
                path.unlink()

    def _all(self) -> list[Path]:
        return list(self.folder.glob(f"{self._sha256}-*{ENDING}"))


def _age(path: Path) -> tuple[int, str]:
    """Sorts the newest first; what has gone meanwhile counts as oldest."""
    try:
        return -path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name


def _is_running(path: Path) -> bool:
    """Whether the program that wrote a snapshot still runs: it holds the file; without locks, its process is there."""
    try:
        with lock_at_once(path):
            return False
    except BlockingIOError:
        return True
    except OSError:
        return _has_process(path)


def _has_process(path: Path) -> bool:
    process = path.stem.split("-")[1]
    if not process.isdecimal() or int(process) == os.getpid():
        return False
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # somebody else's process: it runs
    return True
