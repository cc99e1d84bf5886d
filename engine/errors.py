"""Refusals: every way in which input can be turned down, each with one clear line.

The families follow the practical course behind the project: input, identity, policy, construction, artifact,
resource and overflow. A refusal's text is complete: it names the place, the value and the way out.
"""


class Refusal(Exception):
    """Bad input, said in one line. The command line prints it and exits with 1."""


class CorpusRefusal(Refusal):
    """A corpus, split manifest or word-count table breaks a rule of its format."""


class IdentityRefusal(Refusal):
    """Data is not what a hash, a manifest or a split mark says it is."""


class PolicyRefusal(Refusal):
    """A policy field has an unknown value, or its fields contradict each other."""


class TokenizerRefusal(Refusal):
    """A merge list, a token sequence or a frame cannot be what it claims to be."""


class FormatRefusal(Refusal):
    """A file of another library, or a run that such a file cannot hold."""


class ArtifactRefusal(Refusal):
    """A tokenizer artifact or another file of ours is malformed, truncated, altered or from the future."""


class LimitRefusal(Refusal):
    """A named limit would be exceeded; the text gives the limit, its value and the need."""


class RunRefusal(Refusal):
    """A run that another thread is using, or one that stopped inside a merge."""


class NotUtf8(TokenizerRefusal):
    """Bytes have no text view.

    Attributes:
        valid_up_to: length in bytes of the valid prefix.
        error_length: bytes of the first invalid sequence, or None when the input merely ends too early.
    """

    def __init__(self, valid_up_to: int, error_length: int | None) -> None:
        self.valid_up_to = valid_up_to
        self.error_length = error_length
        how = "the sequence is cut off" if error_length is None else f"{error_length} invalid byte(s)"
        super().__init__(f"decoded bytes are not valid UTF-8 at byte {valid_up_to}: {how}; show them as hex instead")
