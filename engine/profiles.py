"""Named policies: the four specifications behind the project."""

from dataclasses import dataclass

from engine.errors import PolicyRefusal
from engine.limits import COURSE_LIMITS, UNLIMITED, Limits
from engine.policy import Policy
from engine.quoting import quoted


@dataclass(frozen=True, slots=True)
class Profile:
    """A named policy with the limits that belong to it, and what it is for."""

    name: str
    policy: Policy
    about: str
    limits: Limits = UNLIMITED


PROFILES: dict[str, Profile] = {
    p.name: p
    for p in (
        Profile("course", Policy(), "documents of bytes; ties take the smallest ids; every pair may be learned"),
        Profile(
            "incremental",
            Policy(id_layout="framed"),
            "the same decisions with BOS 0 and EOS 1, the practical course's limits, and a bound artifact",
            COURSE_LIMITS,
        ),
        Profile(
            "sennrich",
            Policy(
                alphabet="characters",
                end_of_word="separate",
                base_order="code-point",
                boundary="whitespace",
                unmatched="dropped",
                tie_break="smallest-symbols",
            ),
            "characters of weighted words with the mark </w>; ties take the alphabetically first pair",
        ),
        Profile(
            "weighted-words",
            Policy(boundary="whitespace", unmatched="dropped", min_count=2),
            "bytes of weighted words; ties take the smallest pair; stops when no pair repeats",
        ),
    )
}
DEFAULT_PROFILE = "course"


def profile(name: str) -> Profile:
    """The profile of a name.

    Raises:
        PolicyRefusal: for an unknown name, with the known ones.
    """
    if name not in PROFILES:
        raise PolicyRefusal(f"profile {quoted(name)} is unknown: choose {', '.join(PROFILES)}")
    return PROFILES[name]
