"""Where a merge list comes from: a session, or a tokenizer file of any format."""

from pathlib import Path

from engine.alphabet import Alphabet, build_alphabet
from engine.corpus.document import Corpus
from engine.corpus.open import open_corpus
from engine.corpus.reading import Reading
from engine.errors import CorpusRefusal, Refusal
from engine.formats.files import refuse
from engine.formats.registry import read_any
from engine.limits import FILE_LIMITS, Limits
from engine.merge_list import MergeList, learned_list
from engine.normalize import prepared_documents
from engine.units import build_units
from sessions.restore import STANDARD_INPUT, Tell, corpus_of, no_one
from sessions.snapshot import Session
from sessions.store import holds_session, load


def merge_list_from(
    path: str, limits: Limits = FILE_LIMITS, moved: str | None = None, tell: Tell = no_one
) -> MergeList:
    """The merge list in a file, known by its content; a session's up to its rank.

    Args:
        path: a session, an artifact, or a file of another library.
        limits: bounds for what is read.
        moved: where a session's corpus lies now; only sessions of characters need it.
        tell: hears where that corpus is read from.

    Raises:
        Refusal: in one line, when the file cannot be read or is none of these.
    """
    if not holds_session(path):
        return read_any(Path(path), limits)
    session = load(path)
    tokens = session_alphabet(session, path, moved, tell).tokens
    pairs = [merge.pair for merge in session.merges[: session.rank]]
    merges = learned_list(Path(path).name, session.policy, tokens, pairs)
    try:
        merges.tokenizer(session.limits.lowered(limits))  # nothing else has proven that its pairs are merges
    except Refusal as error:
        refuse(Path(path), str(error))
    return merges


def session_alphabet(session: Session, path: str, moved: str | None, tell: Tell) -> Alphabet:
    """The base tokens of a session's run; those that it has seen are found in its corpus, whose path is told.

    Raises:
        Refusal: when the corpus is needed and is not where the session says, or is another one.
    """
    if not session.policy.alphabet_is_seen:
        return session.given.extended(session.policy, build_alphabet(session.policy, ()))
    documents = prepared_documents(session.policy, session_corpus(session, path, moved, tell).training)
    return build_units(documents, session.policy, session.limits, given=session.given).alphabet


def session_corpus(
    session: Session, path: str, moved: str | None, tell: Tell, reading: Reading | None = None
) -> Corpus:
    """A session's corpus: at `moved` if given, else from the session or where it says, which is told."""
    if moved == STANDARD_INPUT:
        raise CorpusRefusal("a session's corpus is read from a file or folder: write it to a file, and name that")
    given = None if moved is None else open_corpus(Path(moved), session.source.options, reading)
    return corpus_of(session, given, Path(path).parent, tell, reading)
