"""One reader under atheris, started by `coverage`: `python -m benchmarks.soak.guided READER SEED SECONDS`.

What is imported before atheris looks is not followed, so the program is imported late.
"""

import sys

import atheris

from . import KEPT

MOST_BYTES = 6000
"""Bytes of the longest input: short ones are many."""
MOST_MB = 1200


def main(name: str, seed: str, seconds: str) -> None:
    """Run the reader until the time is over; does not return."""
    with atheris.instrument_imports(include=["engine", "sessions", "bpe_tui"]):
        from .mutate import payload, signed
        from .readers import readers
        from .trial import MOST_S, refusals_allowed, scratch
    with scratch() as folder, scratch() as corpus:
        reader = readers(folder)[name]
        framed = name in ("session", "session as list")  # what is in their frame is explored

        def one(data: bytes) -> None:
            with refusals_allowed():
                reader.use(signed(data) if framed else data)

        for number, content in enumerate(reader.seeds):
            (corpus / str(number)).write_bytes(payload(content) if framed else content)
        options = {
            "max_total_time": seconds, "seed": seed, "timeout": int(MOST_S), "rss_limit_mb": MOST_MB,
            "max_len": MOST_BYTES, "print_final_stats": 1, "artifact_prefix": f"{KEPT}/{name.replace(' ', '-')}-",
        }  # fmt: skip
        atheris.Setup([name, str(corpus), *(f"-{option}={value}" for option, value in options.items())], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
