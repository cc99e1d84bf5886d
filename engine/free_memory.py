"""How much memory a program can still take: the least of what the machine, its container and the process leave."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path("/")


def free_memory(root: Path = ROOT) -> int | None:
    """Bytes that this process can still take, or None where the system does not tell.

    Args:
        root: where `proc` and `sys` lie.
    """
    found = [machine_free(root), *container_free(root), address_space_free(root)]
    return min((room for room in found if room is not None), default=None)


def machine_free(root: Path = ROOT) -> int | None:
    """Bytes that programs can take without swapping."""
    for line in _lines(root / "proc/meminfo"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    import psutil  # not on Linux: what needs no library starts faster

    available: int = psutil.virtual_memory().available
    return available


def container_free(root: Path = ROOT) -> Iterator[int]:
    """What the process's control group and each above it leave; of both versions, which may be there side by side.

    Pages of files that were not used lately are given back before a limit is met.
    """
    for line in _lines(root / "proc/self/cgroup"):
        number, controllers, path = line.split(":", 2)
        if number == "0":
            mount, names = "sys/fs/cgroup", ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            mount = "sys/fs/cgroup/memory"
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        for folder in _upwards(root / mount, path):
            yield from _left(folder, *names)


def address_space_free(root: Path = ROOT) -> int | None:
    """What RLIMIT_AS leaves beyond what the process maps now; None without such a limit."""
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    mapped = next((int(line.split()[0]) for line in _lines(root / "proc/self/statm")), 0)
    return None if limit == resource.RLIM_INFINITY else max(limit - mapped * os.sysconf("SC_PAGE_SIZE"), 0)


def _upwards(mount: Path, path: str) -> Iterator[Path]:
    """A group's folder and those above it; inside a container the upper part of its path may not be there."""
    folder = mount / path.lstrip("/")
    while folder != mount and mount in folder.parents:
        yield folder
        folder = folder.parent
    yield mount


def _left(folder: Path, limit: str, usage: str, inactive: str) -> Iterator[int]:
    most, used = ("".join(_lines(folder / name)) for name in (limit, usage))
    if most.isdecimal() and used.isdecimal():
        stat = dict(line.split(maxsplit=1) for line in _lines(folder / "memory.stat"))
        yield max(int(most) - max(int(used) - int(stat.get(inactive, "0")), 0), 0)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return []
