"""Where a merge list comes from: a session, or a tokenizer file of any format."""

from pathlib import Path

from engine.alphabet import Alphabet, build_alphabet
from engine.corpus.document import Corpus
from engine.corpus.open import open_corpus
from engine.errors import Refusal
from engine.formats.files import bounded, refuse
from engine.formats.registry import read_any
from engine.limits import UNLIMITED, Limits
from engine.merge_list import MergeList, learned_list
from engine.normalize import prepared_documents
from engine.units import build_units
from sessions.restore import corpus_of
from sessions.snapshot import Session
from sessions.store import holds_session, load


def merge_list_from(path: str, limits: Limits = UNLIMITED, moved: str | None = None) -> MergeList:
    """The merge list in a file, known by its content; a session's up to its rank.

    Args:
        path: a session, an artifact, or a file of another library.
        limits: bounds for what is read.
        moved: where a session's corpus lies now; only sessions of characters need it.

    Raises:
        Refusal: in one line, when the file cannot be read or is none of these.
    """
    if not holds_session(path):
        return read_any(Path(path), limits)
    session = load(path)
    tokens = session_alphabet(session, path, moved).tokens
    pairs = [merge.pair for merge in session.merges[: session.rank]]
    merges = learned_list(Path(path).name, session.policy, tokens, pairs)
    try:
        merges.tokenizer(bounded(session.limits))  # nothing else has proven that its pairs are merges of a bounded size
    except Refusal as error:
        refuse(Path(path), str(error))
    return merges


def session_alphabet(session: Session, path: str, moved: str | None) -> Alphabet:
    """The base tokens of a session's run; those that it has seen are found in its corpus.

    Raises:
        Refusal: when the corpus is needed and is not where the session says, or is another one.
    """
    if not session.policy.alphabet_is_seen:
        return session.given.extended(session.policy, build_alphabet(session.policy, ()))
    documents = prepared_documents(session.policy, session_corpus(session, path, moved).training)
    return build_units(documents, session.policy, session.limits, given=session.given).alphabet


def session_corpus(session: Session, path: str, moved: str | None) -> Corpus:
    """A session's corpus: at `moved` if given, else from the session or where it says."""
    given = None if moved is None else open_corpus(Path(moved), session.source.options)
    return corpus_of(session, given, Path(path).parent)
