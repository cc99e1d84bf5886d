"""Named policies: the project's own specifications, and one for each trainer whose merge list can be reproduced."""

from engine.errors import PolicyRefusal
from engine.profiles.base import Profile as Profile
from engine.profiles.byte_level import BYTE_LEVEL
from engine.profiles.huggingface import HUGGING_FACE
from engine.profiles.own import OWN
from engine.profiles.sentencepiece import SENTENCEPIECE
from engine.profiles.words import WORD_LEVEL
from engine.quoting import quoted

PROFILES: dict[str, Profile] = {p.name: p for p in (*OWN, *HUGGING_FACE, *BYTE_LEVEL, *WORD_LEVEL, *SENTENCEPIECE)}
DEFAULT_PROFILE = "course"


def profile(name: str) -> Profile:
    """The profile of a name.

    Raises:
        PolicyRefusal: for an unknown name, with the known ones.
    """
    if name not in PROFILES:
        raise PolicyRefusal(f"profile {quoted(name)} is unknown: choose {', '.join(PROFILES)}")
    return PROFILES[name]
