"""The corpora: text that Debian packages ship, fetched by package name and unpacked beside the system.

Nothing is installed. For given package versions the result is the same to the byte; `corpora.sha256` has the sums of
the corpora that the published results were measured on.
"""

import hashlib
import re
import subprocess
import tempfile
from pathlib import Path

from extract import NAMES, extract

SUMS = Path(__file__).with_name("corpora.sha256")
PACKAGES = Path(__file__).with_name("packages.txt")
HEADERS = re.compile(r"linux-headers-6\.1\.0-(\d+)-common")
UPDATE = ["apt-get", "update", "-qq"]


def corpora_in(folder: Path) -> Path:
    """A folder with all corpora, built there unless they are there already.

    Returns:
        The same folder.
    """
    if not all((folder / name).is_file() for name in NAMES):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            unpacked = _unpack(_download(Path(scratch) / "deb"), Path(scratch) / "unpacked")
            extract(unpacked, folder)
    return folder


def unlike_published(folder: Path) -> list[str]:
    """The corpora whose sums differ from those that the published results were measured on."""
    published = SUMS.read_text()
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in NAMES}
    return [name for name, found in sums.items() if f"{found}  {name}\n" not in published]


def _download(folder: Path) -> Path:
    """Fetch all packages into a folder; the package lists are brought up to date where a name is not found."""
    folder.mkdir()
    folder.chmod(0o755)  # apt fetches as a user of its own
    headers = _newest_headers()
    if headers is None:
        subprocess.run(UPDATE, check=True)
        headers = _newest_headers()
    if headers is None:
        raise SystemExit("no package linux-headers-6.1.0-*-common: the corpora are built on Debian 12")
    names = [line for line in PACKAGES.read_text().splitlines() if not line.startswith("#")]
    command = ["apt-get", "download", "-qq", *names, headers]
    if subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL).returncode:
        subprocess.run(UPDATE, check=True)
        subprocess.run(command, cwd=folder, check=True)
    return folder


def _newest_headers() -> str | None:
    """The kernel headers' package: its name has a number that moves with updates."""
    command = ["apt-cache", "pkgnames", "linux-headers-6.1.0-"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    matches = [match for name in found if (match := HEADERS.fullmatch(name))]
    return max(matches, key=lambda match: int(match[1]))[0] if matches else None


def _unpack(packages: Path, folder: Path) -> Path:
    """Unpack each package into a folder of its name."""
    for package in sorted(packages.glob("*.deb")):
        name = package.name.partition("_")[0]
        target = folder / ("linux-headers" if name.startswith("linux-headers-") else name)
        target.mkdir(parents=True)
        subprocess.run(["dpkg-deb", "-x", package, target], check=True)
    return folder


if __name__ == "__main__":
    import sys

    folder = corpora_in(Path(sys.argv[1]))
    changed = unlike_published(folder)
    print("differ from the published ones:" if changed else "all as published", *changed)
