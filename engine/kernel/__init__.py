"""Merge kernels: one algorithm, several implementations with one interface and equal results."""

from engine.errors import PolicyRefusal
from engine.kernel.arena import ArenaKernel
from engine.kernel.base import Evidence, Kernel, Pair
from engine.kernel.reference import ReferenceKernel
from engine.quoting import quoted

__all__ = ["KERNELS", "Evidence", "Kernel", "Pair", "kernel_class"]

KERNELS = ("auto", "compiled", "python", "reference")


def kernel_class(name: str) -> type[Kernel]:
    """The kernel of a name; `auto` takes the fastest that is installed.

    Raises:
        PolicyRefusal: for an unknown name, or for `compiled` where it is not built.
    """
    match name:
        case "auto" | "python":
            return ArenaKernel
        case "reference":
            return ReferenceKernel
        case "compiled":
            raise PolicyRefusal("the compiled kernel is not built here: choose --kernel python")
    raise PolicyRefusal(f"kernel {quoted(name)} is unknown: choose {', '.join(KERNELS)}")
