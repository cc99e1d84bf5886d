"""`bpe-tui encode` and `decode`: published encodings, strict decoding, exact bytes."""

from pathlib import Path

import pytest

from .cli_run import Run


@pytest.fixture
def course(run: Run, learn_llm: Path, tmp_path: Path) -> Path:
    """The tokenizer of the course's eight ranks, as an artifact."""
    path = tmp_path / "course.json"
    corpus = learn_llm / "course1" / "tiny-bilingual-corpus.json"
    assert run("train", corpus, "--profile", "incremental", "--merges", 8, "-o", path).code == 0
    return path


@pytest.fixture
def framed(run: Run, abac: Path, tmp_path: Path) -> Path:
    """The tokenizer of `abab | abac` with two merges, as a session."""
    path = tmp_path / "framed.bpes"
    assert run("train", abac, "--profile", "incremental", "--merges", 2, "-o", path).code == 0
    return path


@pytest.mark.parametrize(
    ("text", "ids"),
    [("bee ", "100 103 265"), (" а", "258 178"), ("река", "264 261 210 188 259"), ("🦀", "242 161 168 130")],
)
def test_the_published_encodings(run: Run, course: Path, text: str, ids: str) -> None:
    assert run("encode", course, text).out == f"{ids}\n"
    assert run("decode", course, *ids.split()).data == text.encode()


def test_held_out_text(run: Run, framed: Path) -> None:
    assert run("encode", framed, "acac").out == "259 259\n"
    assert run("encode", framed, "acac", "--frame").out == "0 259 259 1\n"
    assert run("decode", framed, "--frame", "0", "259", "259", "1").data == b"acac"


def test_json_names_every_number(run: Run, framed: Path) -> None:
    (record,) = run("encode", framed, "abac", "--json", "--trace").json
    assert record == {
        "bytes": 4,
        "tokens": 2,
        "ids": [258, 259],
        "framed": [0, 258, 259, 1],
        "pieces": ["6162", "6163"],
        "initial": [99, 100, 99, 101],
        "steps": [
            {
                "rank": 0,
                "pair": [99, 100],
                "token_id": 258,
                "replacements": 1,
                "before": [99, 100, 99, 101],
                "after": [258, 99, 101],
            },
            {
                "rank": 1,
                "pair": [99, 101],
                "token_id": 259,
                "replacements": 1,
                "before": [258, 99, 101],
                "after": [258, 259],
            },
        ],
    }


def test_the_trace_tells_each_rank_that_fired(run: Run, framed: Path) -> None:
    assert run("encode", framed, "abac", "--trace").out.splitlines() == [
        "initial: 99 100 99 101",
        "rank 0: 99,100 -> 258, 1 replaced, 4 -> 3 tokens: 258 99 101",
        "rank 1: 99,101 -> 259, 1 replaced, 3 -> 2 tokens: 258 259",
        "258 259",
    ]


def test_a_rank_uses_the_first_merges_only(run: Run, framed: Path) -> None:
    assert run("encode", framed, "abac", "--rank", 1).out == "258 99 101\n"
    assert run("encode", framed, "abac", "--rank", 0).out == "99 100 99 101\n"
    done = run("encode", framed, "abac", "--rank", 3)
    assert (done.code, done.data) == (1, b"")
    assert "bpe-tui: rank 3 is not there: 2 merges are known, give 0 to 2" in done.err


def test_every_byte_comes_back(run: Run, framed: Path, tmp_path: Path) -> None:
    data = bytes(range(256)) * 2 + b"abac\r\n"
    (tmp_path / "f").write_bytes(data)
    from_file = run("encode", framed, "--file", tmp_path / "f").data
    assert run("encode", framed, "-", stdin=data).data == from_file
    assert run("encode", framed, stdin=data).data == from_file
    assert run("decode", framed, stdin=from_file).data == data
    assert run("decode", framed, "--hex", stdin=from_file).out == data.hex(" ") + "\n"


def test_arguments_that_are_no_utf8_are_their_bytes(run: Run, framed: Path) -> None:
    assert run("encode", framed, "\udcff").out == "257\n"


def test_text_like_a_control_token_is_content(run: Run, framed: Path) -> None:
    (record,) = run("encode", framed, "<|endoftext|>", "--json").json
    assert min(record["ids"]) >= 2
    assert run("encode", framed, "--", "--frame").out == "47 47 104 116 99 111 103\n"


def test_empty_text(run: Run, framed: Path) -> None:
    assert run("encode", framed, "").out == "\n"
    assert run("encode", framed, "", "--frame").out == "0 1\n"
    assert run("decode", framed, "--frame", "0", "1").data == b""


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["100", "0"], "control token 0 is not allowed at position 1"),
        (["266"], "266 at position 0"),
        (["x"], "'x' at position 0 is no token id"),
        (["1", "²"], "'\\xb2' at position 1 is no token id"),
        (["--frame", "0"], "too short"),
        (["--frame", "1", "100", "1"], "expected BOS"),
        (["--frame", "0", "100", "0"], "expected EOS"),
        (["--frame", "0", "259", "0", "1"], "document control token 0 is not allowed at position 2"),
    ],
)
def test_decoding_is_strict(run: Run, framed: Path, arguments: list[str], why: str) -> None:
    done = run("decode", framed, *arguments)
    assert (done.code, done.data) == (1, b"")
    assert why in done.err.splitlines()[-1]


def test_a_session_of_the_bytes_seen_finds_them_in_its_corpus(run: Run, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_bytes(b"ab ab b")
    line = "bpe base_bytes=seen boundary=spaces end_of_word=fused unmatched=dropped"
    assert run("train", tmp_path / "c.txt", "--policy", line, "--merges", 1, "-o", tmp_path / "s.bpes").code == 0
    ids = run("encode", tmp_path / "s.bpes", "ab b").out
    assert ids == "2 1\n", "a 0, b</w> 1, ab</w> 2"
    assert run("decode", tmp_path / "s.bpes", *ids.split()).out == "ab b"
    assert run("audit", tmp_path / "s.bpes", "--corpus", tmp_path / "c.txt", "--fail-on", "unreachable").code == 0
    assert "'b' in the text at byte 0 is not in this" in run("encode", tmp_path / "s.bpes", "bb").err


def test_words_with_marks(run: Run, words: Path, tmp_path: Path) -> None:
    """`lowest` is low, est</w>; only the corpus has the alphabet, so it is opened again where it is not inside."""
    path = tmp_path / "words.bpes"
    run("train", words, "--profile", "sennrich", "--merges", 7, "-o", path, "--no-embed")
    (record,) = run("encode", path, "lowest", "--json").json
    assert record["pieces"] == ["6c6f77", "657374"]
    assert record["framed"] is None
    assert run("decode", path, *record["ids"]).data == b"lowest"
    done = run("encode", path, "xylophone")
    assert done.code == 1
    assert "is not in this tokenizer's alphabet" in done.err
    done = run("encode", path, "lowest", "--frame")
    assert "has no BOS and EOS" in done.err
    moved = words.rename(tmp_path / "moved.txt")
    assert "give its new place with --corpus" in run("encode", path, "lowest").err
    assert run("encode", path, "lowest", "--corpus", moved).code == 1, "its ending made it a word table"
    assert run("encode", path, "lowest", "--corpus", moved.rename(tmp_path / "moved.tsv")).code == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is neither a session nor a tokenizer artifact"),
        (b"\x80\x04.", "is neither a session nor a tokenizer artifact"),
        (b"{}", "has no member"),
        (b"{", "invalid tokenizer artifact"),
        (b"\x94\xafbpe-tui-session", "no version that this program knows"),
    ],
)
def test_what_is_no_tokenizer_is_refused(run: Run, tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "x.json").write_bytes(content)
    done = run("encode", tmp_path / "x.json", "a")
    assert (done.code, done.data) == (1, b"")
    assert done.err.startswith("bpe-tui: ")
    assert "x.json" in done.err
    assert why in done.err


def test_one_text_at_a_time(run: Run, framed: Path) -> None:
    assert run("encode", framed, "a", "--file", framed).code == 2
    assert run("encode", framed, "a", "b").code == 2
