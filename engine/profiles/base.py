"""What a profile is: a policy with a name, and what is known of the trainer whose merge list it reproduces."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from engine.limits import UNLIMITED, Limits
from engine.policy import Policy

DEFAULTS = Policy()


@dataclass(frozen=True, slots=True)
class Profile:
    """A named policy.

    Attributes:
        name: as `--profile` takes it.
        policy: the choices; without a budget.
        about: what it is for, in a few words.
        why: for each field that differs from the default policy, the reason.
        limits: bounds that belong to it.
        peer: the library and version that it was held against; empty for the project's own specifications.
        verified: what was compared, and how.
        departures: where the peer leaves this exact rule, each with the smallest input known.
    """

    name: str
    policy: Policy
    about: str
    why: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = UNLIMITED
    peer: str = ""
    verified: str = ""
    departures: tuple[str, ...] = ()

    @property
    def changes(self) -> dict[str, object]:
        """The fields that differ from the default policy, with their values, in the order of a policy line."""
        values = self.policy.to_dict()
        return {f.name: values[f.name] for f in fields(Policy) if values[f.name] != getattr(DEFAULTS, f.name)}
