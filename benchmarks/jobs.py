"""The jobs: who is measured at what, and the bars that our figures must reach."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rounds import Contender, Round

ENGLISH_1, ENGLISH_10, ENGLISH_100 = "english_1mb.txt", "english_10mb.txt", "english_100mb.txt"
MULTI_10 = "multi_10mb.txt"
LARGE = (ENGLISH_100, "gpt2", 32_768)
WHOLE = (ENGLISH_10, "document", 8_192)
SMALL = (ENGLISH_1, "document", 300)


@dataclass(frozen=True, slots=True)
class Bar:
    """What a figure must reach, as the median over the rounds.

    Attributes:
        words: what is wanted.
        value: the figure of one round.
        bound: the least it must be, or the most.
        least: which of the two.
        stretch: whether it is wished for rather than wanted.
    """

    words: str
    value: Callable[[Round], float]
    bound: float
    least: bool = True
    stretch: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """Contenders side by side; the first is ours, and the others' times are given in its.

    Attributes:
        name: for `--only`.
        title: what is done.
        clock: the figure that times are compared by: `cpu_s` for one thread, since other programs' work is not in it;
            `wall_s` for several.
    """

    name: str
    title: str
    contenders: tuple[Contender, ...]
    bars: tuple[Bar, ...] = ()
    clock: str = "cpu_s"


def _times(peer: str, bound: float, ours: str = "ours", clock: str = "cpu_s", stretch: bool = False) -> Bar:
    words = f"at least {bound:g} times as fast as {peer}" if bound > 1 else f"no slower than {peer}"
    return Bar(words, lambda r: r[peer][clock] / r[ours][clock], bound, stretch=stretch)


def _of_floor(bound: float) -> Bar:
    words = f"at most {bound:g} times the C floor"
    return Bar(words, lambda r: r["ours"]["cpu_s"] / r["C floor"]["cpu_s"], bound, least=False, stretch=True)


def _most(words: str, bound: float, value: Callable[[Round], float], stretch: bool = False) -> Bar:
    return Bar(words, value, bound, least=False, stretch=stretch)


def _train(
    name: str,
    corpus: str,
    boundary: str,
    size: int,
    equals: str = "",
    by: str = "",
    options: Mapping[str, str] | None = None,
    threads: int = 1,
    once: bool = False,
    pure: bool = False,
) -> Contender:
    """A trainer; only ours has options."""
    details = {"corpus": corpus, "boundary": boundary, "size": size, "options": options or {}}
    return Contender(name, "train", by or name, details, equals, threads, once, pure)


BY_LETTERS, BY_LINE = "ours, bytemap order", "ours, by line, bytemap order"


def _gpt2(corpus: str, slow_once: bool = False) -> tuple[Contender, ...]:
    """All trainers with GPT-2's boundary. Where a peer's rule is another, so is ours that it is held against.

    Args:
        corpus: what they train on.
        slow_once: whether the slow ones that no bar names run in the first round only.
    """
    job = corpus, "gpt2", 32_768
    by_line = corpus, "gpt2-by-line", 32_768
    letters = {"order": "bytemap"}
    return (
        _train("ours", *job),
        _train("gigabpe", *job, BY_LINE),
        _train("gigatoken", *job, BY_LETTERS),
        _train("ffbpe", *job, "ours"),
        _train("rustbpe", *job, "ours"),
        _train("tokenizers", *job, BY_LINE),
        _train("bpeasy", *job, "ours", once=slow_once),
        _train("sentencepiece", *job, once=slow_once),
        _train("C floor", *job, "ours", "floor"),
        _train(BY_LETTERS, *job, by="ours", options=letters, once=True),
        _train(BY_LINE, *by_line, by="ours", options=letters, once=True),
    )


def _encoders(**details: object) -> tuple[Contender, ...]:
    names = ("ours", "tiktoken", "gigatoken", "tokenizers", "ffbpe")
    return tuple(
        Contender(name, "encode", name, {"corpus": ENGLISH_10, **details}, "" if name == "ours" else "ours")
        for name in names
    )


def _alone(task: str, corpus: str, boundary: str, size: int, **options: int) -> Contender:
    details = {"corpus": corpus, "boundary": boundary, "size": size, "options": options}
    return Contender("ours", task, "ours", details)


def _travel(name: str, boundary: str, words: str) -> tuple[Job, Job]:
    """Seeking over a whole run, and walking it in single steps."""
    title = f"{words}, english_10mb, 32,768 entries"
    back = _most("back at most 1.2 times the learning", 1.2, lambda r: r["ours"]["back_s"] / r["ours"]["learn_s"])
    forward = _most(
        "forth at most 1.2 times the learning", 1.2, lambda r: r["ours"]["forward_s"] / r["ours"]["learn_s"]
    )
    faster = _most(
        "both faster than learning", 1.0,
        lambda r: max(r["ours"]["back_s"], r["ours"]["forward_s"]) / r["ours"]["learn_s"], stretch=True,
    )  # fmt: skip
    ways = ("learn", "back", "forward")
    median = _most("a single step, ms: median", 1, lambda r: max(r["ours"][f"{way}_median_ms"] for way in ways))
    longest = _most("a single step, ms: longest", 60, lambda r: max(r["ours"][f"{way}_longest_ms"] for way in ways))
    return (
        Job(f"seek-{name}", f"seek to 0 and back: {title}", (_alone("seek", ENGLISH_10, boundary, 32_768),),
            (back, forward, faster)),
        Job(f"steps-{name}", f"single steps: {title}", (_alone("steps", ENGLISH_10, boundary, 32_768),),
            (median, longest)),
    )  # fmt: skip


def _bytes_per_byte(r: Round) -> float:
    return r["ours"]["peak_mb"] / 10


JOBS: tuple[Job, ...] = (
    Job(
        "gpt2-10", "GPT-2 boundary, english_10mb, 32,768 entries", _gpt2(ENGLISH_10),
        (_times("gigabpe", 1.3), _times("tokenizers", 8), _of_floor(1.3)),
    ),
    Job(
        "gpt2-100", "GPT-2 boundary, english_100mb, 32,768 entries", _gpt2(ENGLISH_100, slow_once=True),
        (
            _times("gigabpe", 1.3), _times("tokenizers", 8), _of_floor(1.3),
            _most("peak memory at most 300 MB", 300, lambda r: r["ours"]["peak_mb"]),
            _most("peak memory at most 160 MB", 160, lambda r: r["ours"]["peak_mb"], stretch=True),
        ),
    ),
    Job(
        "threads", "GPT-2 boundary, english_100mb, 32,768 entries, two threads",
        (
            _train("ours", *LARGE, threads=2),
            _train("ours, one thread", *LARGE, by="ours"),
            _train("gigabpe", *LARGE, threads=2),
        ),
        (_times("ours, one thread", 1.6, clock="wall_s"), _times("gigabpe", 1.3, clock="wall_s")), "wall_s",
    ),
    Job(
        "multi", "GPT-2 boundary, multi_10mb, 32,768 entries", _gpt2(MULTI_10),
        (_times("gigabpe", 1.3), _of_floor(1.3)),
    ),
    Job(
        "document", "document boundary, english_10mb as one sequence, 8,192 entries",
        (
            _train("ours", *WHOLE),
            _train("rustbpe", *WHOLE, "ours"),
            _train("ffbpe", *WHOLE, "ours", once=True),
            _train("C floor", *WHOLE, "ours", "floor"),
            _train("ours, english_1mb", ENGLISH_1, *WHOLE[1:], by="ours"),
        ),
        (
            _times("rustbpe", 10), _of_floor(1.5),
            _most("growth from 1 MB to 10 MB at most 12 times", 12,
                  lambda r: r["ours"]["cpu_s"] / r["ours, english_1mb"]["cpu_s"]),
            _most("peak bytes per input byte at most 33", 33, _bytes_per_byte),
            _most("peak bytes per input byte at most 24", 24, _bytes_per_byte, stretch=True),
        ),
    ),
    *_travel("document", "document", "document boundary"),
    *_travel("gpt2", "gpt2", "GPT-2 boundary"),
    Job(
        "top", "first 100 pairs, two to three million alive (english_100mb as one sequence)",
        (_alone("top", ENGLISH_100, "document", 8_192, least=2_000_000),),
        (
            _most("under 30 ms, the longest", 30, lambda r: r["ours"]["longest_ms"]),
            _most("under 5 ms, the longest", 5, lambda r: r["ours"]["longest_ms"], stretch=True),
        ),
    ),
    Job(
        "encode", "encode english_10mb, GPT-2 boundary, 32,768 entries, first time through", _encoders(),
        (_times("tiktoken", 2), _times("gigatoken", 1, stretch=True)),
    ),
    Job(
        "encode-x", "encode one million x", _encoders(letters=1_000_000),
        (_most("in under 1 s", 1, lambda r: r["ours"]["cpu_s"]),),
    ),
    Job(
        "python", "the Python kernel (no compiler): GPT-2 boundary, english_10mb, 32,768 entries",
        (
            _train("ours", ENGLISH_10, *LARGE[1:], options={"kernel": "python"}, pure=True),
            _train("tokenizers", ENGLISH_10, *LARGE[1:]),
        ),
        (_times("tokenizers", 1),),
    ),
    Job(
        "recount", "the plain recount: document boundary, english_1mb, 300 entries",
        (
            _train("ours", *SMALL),
            _train("plain recount", *SMALL, "ours", "ours", options={"kernel": "reference"}, once=True),
        ),
    ),
)  # fmt: skip
