"""What is free: the least of what the machine, the control groups and the address space leave, over made-up trees."""

import resource
import subprocess
import sys
import types
from pathlib import Path

import pytest

from engine.free_memory import address_space_free, container_free, free_memory, machine_free

MACHINE = "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    8000 kB\n"


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


def test_the_machine_alone(tmp_path: Path) -> None:
    assert machine_free(tree(tmp_path, {"proc/meminfo": MACHINE})) == 8000 * 1024


def test_systems_without_proc_are_asked_through_psutil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = types.SimpleNamespace(virtual_memory=lambda: types.SimpleNamespace(available=123_456))
    monkeypatch.setitem(sys.modules, "psutil", told)
    assert machine_free(tmp_path) == 123_456


def test_a_group_of_version_2_and_those_above_it(tmp_path: Path) -> None:
    group = "sys/fs/cgroup/user.slice/job/"
    root = tree(
        tmp_path,
        {
            "proc/meminfo": MACHINE,
            "proc/self/cgroup": "0::/user.slice/job\n",
            group + "memory.max": "5000000\n",
            group + "memory.current": "1200000\n",
            group + "memory.stat": "anon 900000\ninactive_file 200000\nactive_file 1\n",
            "sys/fs/cgroup/user.slice/memory.max": "max\n",
            "sys/fs/cgroup/user.slice/memory.current": "7\n",
        },
    )
    assert list(container_free(root)) == [4_000_000]
    assert free_memory(root) == 4_000_000
    tree(root, {"sys/fs/cgroup/user.slice/memory.max": "3000000\n"})
    assert free_memory(root) == 2_999_993


def test_a_group_of_version_1_beside_an_empty_version_2(tmp_path: Path) -> None:
    group = "sys/fs/cgroup/memory/docker/a1/"
    root = tree(
        tmp_path,
        {
            "proc/meminfo": MACHINE,
            "proc/self/cgroup": "12:cpu,cpuacct:/x\n5:memory:/docker/a1\n1:name=systemd:/a:b\n0::/init.scope\n",
            group + "memory.limit_in_bytes": "2000000\n",
            group + "memory.usage_in_bytes": "1500000\n",
            group + "memory.stat": "inactive_file 1\ntotal_inactive_file 300000\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": "5\n",
        },
    )
    assert free_memory(root) == 800_000


def test_inside_a_container_its_own_group_lies_at_the_top(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "proc/meminfo": MACHINE,
            "proc/self/cgroup": "5:memory:/docker/not-there\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "200000000\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": "199999000\n",
        },
    )
    assert free_memory(root) == 1_000


def test_a_group_over_its_limit_leaves_nothing(tmp_path: Path) -> None:
    root = tree(tmp_path, {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "10", "proc/meminfo": MACHINE})
    tree(root, {"sys/fs/cgroup/memory.current": "11"})
    assert free_memory(root) == 0


def test_the_address_space_less_what_is_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, {"proc/self/statm": "100 7 7 7 7 7 7\n", "proc/meminfo": MACHINE})
    monkeypatch.setattr(resource, "getrlimit", lambda which: (101 * resource.getpagesize(), resource.RLIM_INFINITY))
    assert address_space_free(root) == free_memory(root) == resource.getpagesize()
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert address_space_free(root) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the files of Linux")
def test_a_real_limit_is_seen_and_no_library_is_loaded() -> None:
    limit = 600_000_000
    code = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))\n"
        "from engine.free_memory import free_memory\n"
        "print(free_memory(), 'psutil' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert 0 < int(printed[0]) < limit
    assert printed[1] == "False"
