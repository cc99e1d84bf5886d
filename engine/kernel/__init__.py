"""Merge kernels: one algorithm, several implementations with one interface and equal results."""

from importlib.util import find_spec

from engine.errors import PolicyRefusal
from engine.kernel.arena import ArenaKernel
from engine.kernel.base import Evidence, Kernel, Pair
from engine.kernel.reference import ReferenceKernel
from engine.quoting import quoted

__all__ = ["KERNELS", "Evidence", "Kernel", "Pair", "has_compiled", "kernel_class", "kernel_words"]

KERNELS = ("auto", "compiled", "python", "reference")


def has_compiled() -> bool:
    """Whether the compiled kernel was built when the package was installed."""
    return find_spec("engine.kernel._arena") is not None


def kernel_words(name: str) -> str:
    """A kernel's name for the screen, with a word where the fast one is missing."""
    return f"{name}, since the compiled one is not built here" if name == "python" and not has_compiled() else name


def kernel_class(name: str) -> type[Kernel]:
    """The kernel of a name; `auto` takes the compiled one where it is built, else the Python one.

    Raises:
        PolicyRefusal: for an unknown name, or for `compiled` where it is not built.
    """
    if name not in KERNELS:
        raise PolicyRefusal(f"kernel {quoted(name)} is unknown: choose {', '.join(KERNELS)}")
    if name == "reference":
        return ReferenceKernel
    if name == "python" or (name == "auto" and not has_compiled()):
        return ArenaKernel
    if not has_compiled():
        raise PolicyRefusal(
            "the compiled kernel was not built when bpe-tui was installed: install a C++ compiler and bpe-tui again, "
            "or choose --kernel python"
        )
    from engine.kernel._arena import CompiledKernel

    return CompiledKernel
