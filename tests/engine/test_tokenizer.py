"""The tokenizer: the published cases of encoding, framing, strict decoding and the text view."""

import io

import pytest
from runs import corpus, framed, trained

from engine.errors import LimitRefusal, NotUtf8, TokenizerRefusal
from engine.limits import Limits
from engine.policy import Policy
from engine.tokenizer import MergeTable, Tokenizer, text_view
from engine.trainer import Trainer

EIGHT = ((32, 208), (208, 176), (209, 130), (208, 181), (208, 190), (208, 184), (209, 128), (101, 32))
"""The eight ranks that the course publishes for its corpus."""


def limited(limits: Limits, *pairs: tuple[int, int]) -> Tokenizer:
    plain = framed()
    return Tokenizer.from_pairs(plain.policy, Trainer(corpus(b"-"), plain.policy).units.alphabet, pairs, limits)


# Layout and pair tables


def test_framed_layout() -> None:
    tokenizer = framed(*EIGHT)
    assert tokenizer.encode(b"\x00\xff") == [2, 257]
    assert [tokenizer.layout.of_rank(r) for r in (0, 7)] == [258, 265]
    assert tokenizer.pair_of(0) == (34, 210)
    assert tokenizer.size == 266
    assert [tokenizer.token(i) for i in (0, 1, 266, -1, 2**32)] == [None] * 5


def test_no_merges() -> None:
    tokenizer = framed()
    assert tokenizer.size == 258
    assert tokenizer.encode(b"\x00\xff") == [2, 257]
    assert tokenizer.decode([2, 257]) == b"\x00\xff"


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (((256, 97),), "merge rank 0 uses unknown token 258"),
        (((97, 98), (97, 257)), "merge rank 1 uses unknown token 259"),
        (((-1, 97),), "merge rank 0 uses unknown token 1"),
        (((97, 98), (97, 98)), r"merge rank 1 repeats the pair \(99, 100\) of rank 0"),
    ],
)
def test_pair_tables_are_checked(pairs: tuple[tuple[int, int], ...], message: str) -> None:
    with pytest.raises(TokenizerRefusal, match=message):
        framed(*pairs)


def test_frozen_merges_outlive_and_ignore_the_run() -> None:
    trainer = trained(b"aaaa", merges=2, policy=Policy(id_layout="framed"))
    tokenizer, shorter = trainer.tokenizer(), trainer.tokenizer(1)
    trainer.seek(0)
    assert tokenizer.encode(b"aaaa") == [259]
    assert tokenizer.token(259) == trainer.vocabulary[257]
    assert shorter.encode(b"aaaa") == [258, 258]
    assert shorter.token(259) is None


def test_expansions_are_limited() -> None:
    """aa and 29 doublings under 4096 bytes a token and 8192 in all: rank 11 would make 8446 bytes."""
    doublings = [(97, 97)] + [(256 + r, 256 + r) for r in range(29)]
    with pytest.raises(LimitRefusal, match=r"rank 11 needs 8446, over the limit vocabulary_bytes=8192"):
        limited(Limits(token_bytes=4096, vocabulary_bytes=8192), *doublings)
    with pytest.raises(LimitRefusal, match=r"rank 12 needs 8192, over the limit token_bytes=4096"):
        limited(Limits(token_bytes=4096), *doublings)


# Encoding


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("bee ", [100, 103, 265]),
        (" а", [258, 178]),
        ("река", [264, 261, 210, 188, 259]),
        ("🦀", [242, 161, 168, 130]),
        ("", []),
        ("?", [65]),
        ("т", [260]),
        ("т  ", [260, 34, 34]),
        ("A", [67]),
        ("At", [67, 118]),
    ],
)
def test_published_encodings(text: str, ids: list[int]) -> None:
    tokenizer = framed(*EIGHT)
    assert tokenizer.encode(text.encode()) == ids
    assert text_view(tokenizer.decode(ids)) == text


def test_a_chain_of_merges_and_its_trace() -> None:
    tokenizer = framed((97, 98), (256, 99))
    initial, steps = tokenizer.trace(b"abc")
    assert initial == [99, 100, 101]
    assert [(s.rank, s.before, s.after, s.replacements) for s in steps] == [
        (0, (99, 100, 101), (258, 101), 1),
        (1, (258, 101), (259,), 1),
    ]
    assert tokenizer.encode(b"abc") == [259]
    assert tokenizer.decode([259]) == b"abc"


@pytest.mark.parametrize(
    ("pairs", "texts"),
    [
        (EIGHT, [b"", b"z", " а bee ".encode(), b"aaaaa", bytes.fromhex("fffe00e282")]),
        (((97, 98), (256, 99)), [b"abc", b"zabcabc"]),
        (((97, 97),), [b"aaaaa", b"baaaab"]),
        ((), [b"", b"ASCII", b"\x00\xff"]),
    ],
)
def test_traced_equals_untraced(pairs: tuple[tuple[int, int], ...], texts: list[bytes]) -> None:
    tokenizer = framed(*pairs)
    for text in texts:
        initial, steps = tokenizer.trace(text)
        assert initial == [byte + 2 for byte in text]
        assert (list(steps[-1].after) if steps else initial) == tokenizer.encode(text)
        assert tokenizer.trace(text) == (initial, steps)


def test_leftmost_matches_win_in_a_run() -> None:
    assert framed((97, 97)).encode(b"aaaaa") == [258, 258, 99]
    assert framed((97, 97)).encode(b"baaab") == [100, 258, 99, 100]


@pytest.mark.parametrize(
    "data", [bytes(range(256)), "line\n\x00 тест\r\n".encode(), b"", b"ASCII", b"\xff\xfe", bytes(range(256)) * 2]
)
def test_content_and_frame_round_trip(data: bytes) -> None:
    tokenizer = framed(*EIGHT)
    content = tokenizer.encode(data)
    assert tokenizer.decode(content) == data
    assert tokenizer.decode_document(tokenizer.frame(content)) == data


@pytest.mark.parametrize("text", ["<|endoftext|>", "BOS EOS", "привет café", "[0,1]", "\x00\x01"])
def test_text_that_looks_like_a_control_is_content(text: str) -> None:
    tokenizer = framed(*EIGHT)
    content = tokenizer.encode(text.encode())
    assert min(content) >= 2
    assert text_view(tokenizer.decode_document(tokenizer.frame(content))) == text


def test_a_second_spelling_decodes_and_encodes_back_to_the_first() -> None:
    tokenizer = framed(*EIGHT)
    assert tokenizer.decode([34, 259]) == tokenizer.decode([258, 178]) == " а".encode()
    assert tokenizer.encode(tokenizer.decode([34, 259])) == [258, 178]


def test_special_tokens_become_ids_only_where_asked_for() -> None:
    policy = Policy(id_layout="framed", special_tokens=("<|end|>", "<|end|>x"))
    tokenizer = trained(b"ab<|end|>ab", merges=1, policy=policy).tokenizer()
    assert tokenizer.encode(b"ab<|end|>xab", specials=True) == [260, 3, 260]
    assert tokenizer.encode(b"<|end|>ab", specials=True) == [2, 260]
    plain = tokenizer.encode(b"<|end|>ab")
    assert plain[-1] == 260
    assert plain[:-1] == [byte + 4 for byte in b"<|end|>"]


def test_a_million_equal_characters() -> None:
    """2 ** 20 letters under 20 doublings are one token; one letter less leaves one token of each length."""
    doublings = [(97, 97)] + [(256 + r, 256 + r) for r in range(19)]
    tokenizer = framed(*doublings)
    assert tokenizer.encode(b"a" * 2**20) == [258 + 19]
    assert tokenizer.encode(b"a" * (2**20 - 1)) == [258 + r for r in reversed(range(19))] + [99]


@pytest.mark.parametrize("width", range(1, 17))
def test_reading_in_chunks_changes_nothing(width: int) -> None:
    text = "café\nпривет".encode()
    tokenizer = trained(text, merges=3, policy=Policy(id_layout="framed")).tokenizer()
    stream = io.BytesIO(text)
    ids = tokenizer.encode_chunks(iter(lambda: stream.read(width), b""))
    assert ids == tokenizer.encode(text)
    assert tokenizer.decode(ids) == text


def test_a_failing_reader_fails_the_encoding() -> None:
    def chunks() -> object:
        yield b"ab"
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        framed().encode_chunks(chunks())  # type: ignore[arg-type]


def test_a_character_alphabet_refuses_what_it_lacks() -> None:
    policy = Policy(alphabet="characters", base_order="code-point")
    tokenizer = trained("аб".encode(), merges=1, policy=policy).tokenizer()
    assert tokenizer.encode("абб".encode()) == [2, 1]
    with pytest.raises(TokenizerRefusal, match=r"'\\u0432' in the text at byte 4 is not in this tokenizer's alphabet"):
        tokenizer.encode("абв".encode())


# Decoding


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([100, 0], "control token 0 is not allowed at position 1"),
        ([1], "control token 1 is not allowed at position 0"),
        ([100, 1], "control token 1 is not allowed at position 1"),
        ([266], "unknown token 266 at position 0"),
        ([266, 0], "control token 0 is not allowed at position 1"),
        ([-1], "unknown token -1 at position 0"),
    ],
)
def test_content_is_decoded_strictly(ids: list[int], message: str) -> None:
    with pytest.raises(TokenizerRefusal, match=message):
        framed(*EIGHT).decode(ids)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([], r"document of 0 token\(s\) is too short"),
        ([0], r"document of 1 token\(s\) is too short"),
        ([1, 100, 1], "starts with 1: expected BOS 0"),
        ([0, 100, 0], "ends with 0: expected EOS 1"),
        ([0, 100, 0, 1], "^document control token 0 is not allowed at position 2$"),
        ([0, 1, 1], "control token 1 is not allowed at position 1"),
        ([0, 266, 1], "unknown token 266 at position 1"),
        ([259, 1], "starts with 259: expected BOS 0"),
        ([0, 259], "ends with 259: expected EOS 1"),
        ([0, 0, 1], "control token 0 is not allowed at position 1"),
        ([0, 2**32 - 1, 1], "unknown token 4294967295 at position 1"),
        ([0, 259, 0, 1], "control token 0 is not allowed at position 2"),
        ([0, 266, 0, 1], "control token 0 is not allowed at position 2"),
    ],
)
def test_frames_are_decoded_strictly(ids: list[int], message: str) -> None:
    with pytest.raises(TokenizerRefusal, match=message):
        framed(*EIGHT).decode_document(ids)


def test_the_empty_frame_is_an_empty_document() -> None:
    assert framed().frame([]) == [0, 1]
    assert framed().decode_document([0, 1]) == b""


def test_raw_ids_have_no_frames_and_no_controls() -> None:
    tokenizer = trained(b"abab", merges=1).tokenizer()
    assert tokenizer.decode([0, 1, 256]) == b"\x00\x01ab"
    for refused in (tokenizer.frame, tokenizer.decode_document):
        with pytest.raises(TokenizerRefusal, match="raw has no BOS and EOS"):
            refused([97])


@pytest.mark.parametrize(
    ("data", "valid", "length"),
    [
        (b"\xff\xfe", 0, 1),
        (b"\xe2\x82", 0, None),
        (b"ok\xe2\x82", 2, None),
        (b"ok\xe2\x28", 2, 1),
        (b"\xed\xa0\x80", 0, 1),
        (b"\xf0\x9f\xa6 ", 0, 3),
    ],
)
def test_the_text_view_gives_the_valid_prefix(data: bytes, valid: int, length: int | None) -> None:
    with pytest.raises(NotUtf8, match=f"not valid UTF-8 at byte {valid}") as caught:
        text_view(data)
    assert (caught.value.valid_up_to, caught.value.error_length) == (valid, length)


# Limits


def test_nodes_limit_texts_tokens_and_decoded_bytes() -> None:
    tokenizer = limited(Limits(nodes=1024), (97, 98))
    assert tokenizer.decode([258] * 512) == b"ab" * 512
    with pytest.raises(LimitRefusal, match="length in bytes needs 1026, over the limit nodes=1024"):
        tokenizer.decode([258] * 1024)
    with pytest.raises(LimitRefusal, match="number of tokens needs 1025"):
        tokenizer.decode([99] * 1025)
    small = limited(Limits(nodes=2))
    for encode in (small.encode, small.trace, lambda data: small.encode_chunks([data[:2], data[2:]])):
        with pytest.raises(LimitRefusal, match="text's length in bytes needs 4, over the limit nodes=2"):
            encode(b"abac")


def test_merges_in_force_are_limited_when_encoding() -> None:
    tokenizer = limited(Limits(pair_types=1), (97, 98), (256, 99))
    with pytest.raises(LimitRefusal, match="number of merges needs 2, over the limit pair_types=1"):
        tokenizer.encode(b"")
    assert tokenizer.decode([259]) == b"abc"


def test_the_number_of_merges_must_leave_ids_below_2_to_the_32() -> None:
    table: MergeTable = framed((97, 98))._table
    with pytest.raises(TokenizerRefusal, match="exceed the u32 token-ID space"):
        table.layout.check_merges(4_294_967_039)
