"""Trainer: a training run that can be moved to any rank, with complete evidence of every merge."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import sub
from typing import overload

from engine.alphabet import Token
from engine.corpus.document import Corpus, Document
from engine.counting import Tell
from engine.errors import PolicyRefusal
from engine.given import NOTHING_GIVEN, Given
from engine.kernel import Evidence, Kernel, Pair, kernel_class
from engine.kernel.reference import count_pairs
from engine.layout import Layout
from engine.limits import Limits
from engine.memory import check_memory, kernel_need, memory_bound, within_memory
from engine.normalize import prepared_documents
from engine.placement import PlacedToken, Placement
from engine.policy import Policy
from engine.tokenizer import MergeTable, Tokenizer
from engine.turn import Turn, alone
from engine.units import build_units


@dataclass(frozen=True, slots=True)
class Merge:
    """One learned merge with its evidence; ids are kernel ids (see `Trainer.layout` for the shown ones).

    Attributes:
        rank: its position in the merge list, from 0.
        evidence: the pair, its counts, the tie and the runner-up, all just before the merge.
        token: the id that the pair became.
        content: the new token's bytes.
    """

    rank: int
    evidence: Evidence
    token: int
    content: Token


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of a full recount: what differs from the kept counts; empty when all is exact."""

    rank: int
    pairs: int
    differences: tuple[tuple[Pair, int, int], ...]
    tokens_kept: int
    tokens_counted: int

    @property
    def exact(self) -> bool:
        """Whether every kept count equals the recount."""
        return not self.differences and self.tokens_kept == self.tokens_counted


class Trainer:
    """Step-wise training over a corpus's training documents.

    One thread at a time: a second one is refused. After a `MemoryError` a run of the compiled kernel goes on as if the
    call had not been made. Another may have stopped inside a merge, and says so whenever it is to move or count.

    Attributes:
        documents: the training documents as the policy sees them (`engine.normalize`); positions count their bytes.
        notes: what else is worth knowing of how it was done, one line each.

    Args:
        corpus: only its training documents are read.
        policy: every choice that can change the merge list.
        limits: bounds of the work.
        kernel: `auto`, `compiled`, `python` or `reference`; all give equal results.
        memory_limit: bytes that the run may take; three quarters of what is free if None.
        tell: hears the bytes of text counted so far and in all; what it raises ends the counting.
        given: merges that come first, whatever the policy would choose: somebody's list replayed with the true counts
            of this corpus. Learning goes on by the policy where the list ends.

    Raises:
        PolicyRefusal: for an unknown kernel or a pattern that does not compile.
        LimitRefusal: when the corpus exceeds a limit, or would need too much memory.
        TokenizerRefusal: for a given merge of an unknown token, or one that repeats an earlier one.
        RunRefusal: from the methods, when another thread is in the run, or when it stopped inside a merge.
    """

    def __init__(
        self,
        corpus: Corpus,
        policy: Policy,
        limits: Limits | None = None,
        kernel: str = "auto",
        memory_limit: int | None = None,
        tell: Tell | None = None,
        given: Given = NOTHING_GIVEN,
    ) -> None:
        self._turn = Turn()
        self.corpus = corpus
        self.policy = policy
        self.limits = limits or Limits()
        memory, notes = memory_bound(memory_limit), list[str]()
        self.documents: Sequence[Document] = prepared_documents(policy, corpus.training, memory)
        self.units = build_units(self.documents, policy, self.limits, tell, given, notes.append, memory)
        self.notes = tuple(notes)
        self.given = given.over(self.units.alphabet.tokens)
        self.layout = Layout(policy, len(self.units.alphabet.tokens))
        self.budget = self.layout.merges_of(policy)
        chosen = kernel_class(kernel)
        need = kernel_need(chosen.name, self.units.symbols, any(w != 1 for w in self.units.weights))
        check_memory(need, memory, f"training on {self.units.symbols:,} base symbols")
        bounds = within_memory(self.limits, memory - need)
        self.kernel: Kernel = chosen(self.units, policy, bounds)
        self.exhausted = False
        self._placement = Placement(self.documents, policy, self.units, self.kernel)
        self._table = MergeTable(self.units.alphabet, self.layout, bounds)
        for pair in self.given.pairs:
            self._table.add(pair)
        self.kernel.give(self.given.pairs)
        self._tokens_at = [self.kernel.tokens]
        # The winner after so many merges: every view asks for it several times, and it is found among all pairs.
        self._next: tuple[int, Pair | None] = (-1, None)
        self._unit_weight = sum(self.units.weights)
        self.unit_bytes = self.units.weighted_bytes

    # Where the run stands

    @property
    def rank(self) -> int:
        """Merges applied now."""
        return self.kernel.rank

    @property
    def learned(self) -> int:
        """Merges known so far."""
        return len(self.kernel.evidence)

    @property
    def finished(self) -> bool:
        """Whether learning has ended: the budget is used, or no pair is left."""
        return self.exhausted or (self.budget is not None and self.learned >= self.budget)

    @property
    def stop_reason(self) -> str:
        """Why learning ended, in words; empty while it can go on."""
        if self.exhausted:
            least = self.policy.min_count
            return "no pair left" if least == 1 else f"no pair left that occurs {least} times"
        return f"budget of {self.budget:,} merge{'' if self.budget == 1 else 's'} used" if self.finished else ""

    # Moving

    @alone
    def step(self) -> Merge | None:
        """Apply the next merge, learning it if it is not known yet; None when learning has ended.

        Raises:
            LimitRefusal: when the next merge would exceed a limit; nothing has changed then.
            PolicyRefusal: when an exact budget cannot be reached.
        """
        before = self.rank
        self._travel(before + 1)
        return self.merges[before] if self.rank > before else None

    def _travel(self, rank: int, budget_s: float | None = None) -> None:
        """Towards a rank, no further than the budget and the last pair allow."""
        if self.budget is not None:
            rank = min(rank, max(self.budget, self.learned))
        if self.exhausted:
            rank = min(rank, self.learned)
        if self.kernel.travel(max(rank, 0), budget_s):
            return
        self.exhausted = True
        if self.policy.exact:
            raise PolicyRefusal(
                f"training exhausted pairs before the exact merge count: learned {self.learned} of {self.budget}; "
                "ask for fewer or drop exact"
            )

    @alone
    def back(self) -> Merge | None:
        """Undo the last applied merge and return it; None at rank 0."""
        if self.rank == 0:
            return None
        self.kernel.back()
        return self.merges[self.rank]

    @alone
    def seek(self, rank: int, budget_s: float | None = None) -> int:
        """Move to a rank, learning past the last known one where needed, and return the rank reached.

        Args:
            rank: the wanted rank; below 0 it is 0.
            budget_s: stop after about this many seconds, short of the rank; None goes all the way.
        """
        self._travel(rank, budget_s)
        return self.rank

    def learn(self, to: int, budget_s: float | None = None) -> int:
        """Learn up to `to` merges in all, from the last known one on; a slice of about `budget_s` seconds.

        Returns:
            How many merges are known; fewer than `to` when the time is used or learning has ended.
        """
        self.seek(max(to, self.learned), budget_s)
        return self.learned

    def learning(self, budget_s: float) -> Generator[tuple[int, int | None], None, None]:
        """Learn until the budget is used or no pair is left, in slices: (merges known, merges asked for) after each."""
        while not self.finished:
            yield self.learn(2**32 if self.budget is None else self.budget, budget_s), self.budget

    # What is known

    @property
    def merges(self) -> "Merges":
        """The learned merges, as a sequence that grows with the run."""
        return Merges(self.kernel, len(self.units.alphabet.tokens))

    def merge_list(self) -> list[Pair]:
        """The learned pairs by rank, as kernel ids: what other trainers return."""
        return self.kernel.pairs()

    @property
    def vocabulary(self) -> Sequence[Token]:
        """Base tokens, then one per learned rank, by kernel id; do not change it."""
        return self.kernel.vocabulary

    @property
    def tokens(self) -> int:
        """Weighted number of tokens over all training documents now."""
        return self.kernel.tokens

    @property
    def windows(self) -> int:
        """Weighted number of adjacent windows now: each unit of n tokens has n - 1."""
        return self.tokens - self._unit_weight

    @alone
    def tokens_at(self, rank: int) -> int:
        """Weighted number of tokens after the first `rank` known merges."""
        later = self.kernel.replacements(len(self._tokens_at) - 1)
        self._tokens_at += [*accumulate(later, sub, initial=self._tokens_at[-1])][1:]
        return self._tokens_at[rank]

    @alone
    def next_pair(self) -> Pair | None:
        """The pair that the next step merges: the known one, or what would be learned; None when learning has ended."""
        if self.rank < self.learned:
            return self.kernel.evidence[self.rank].pair
        if self.finished:
            return None
        if self.learned < len(self.given.pairs):
            return self.given.pairs[self.learned]
        if self._next[0] != self.learned:
            self._next = self.learned, self._winner()
        return self._next[1]

    @property
    def next_is_given(self) -> bool:
        """Whether the next step applies a given merge, whatever its count."""
        return self.rank < len(self.given.pairs)

    def _winner(self) -> Pair | None:
        pair, count = next(iter(self.kernel.top(1)), (None, 0))
        return pair if pair is not None and self.kernel.mergeable(pair, count) else None

    @alone
    def document_tokens(self, document: int, start: int = 0, stop: int | None = None) -> list[PlacedToken]:
        """The tokens of a training document that cover its bytes from `start` to `stop`, at the present rank."""
        return self._placement.tokens(document, start, stop)

    @alone
    def tokenizer(self, rank: int | None = None) -> Tokenizer:
        """The tokenizer of the first `rank` merges, by default of those applied now."""
        for pair in self.kernel.pairs(len(self._table.pairs)):
            self._table.add(pair)
        return Tokenizer(self.policy, self._table, self.rank if rank is None else rank)

    @alone
    def ties(self) -> list[tuple[Pair, int]]:
        """All pairs that may be merged and share the highest count now, the winner first."""
        best = self.kernel.top(1)
        return self.kernel.top(self.kernel.tied(best[0][1])) if best else []

    @alone
    def audit(self) -> Audit:
        """Recount every pair from the live token sequences and compare with the kept counts."""
        sequences = [[t for _, t in self.kernel.unit_tokens(u)] for u in range(len(self.units.sequences))]
        weights = list(self.units.weights)
        counted = count_pairs(sequences, weights, self.policy.counting)
        kept = dict(self.kernel.top(self.kernel.live_pairs()))
        differences = tuple(
            (pair, kept.get(pair, 0), counted.get(pair, 0))
            for pair in sorted(kept.keys() | counted.keys())
            if kept.get(pair, 0) != counted.get(pair, 0)
        )
        tokens = sum(len(s) * w for s, w in zip(sequences, weights, strict=True))
        return Audit(self.rank, len(counted), differences, self.tokens, tokens)


class Merges(Sequence[Merge]):
    """The learned merges by rank; a view on the kernel's evidence."""

    def __init__(self, kernel: Kernel, base: int) -> None:
        self._kernel = kernel
        self._base = base

    def __len__(self) -> int:
        return len(self._kernel.evidence)

    @overload
    def __getitem__(self, index: int) -> Merge: ...

    @overload
    def __getitem__(self, index: slice) -> list[Merge]: ...

    def __getitem__(self, index: int | slice) -> Merge | list[Merge]:
        if isinstance(index, slice):
            return [self[rank] for rank in range(*index.indices(len(self)))]
        rank = index if index >= 0 else len(self) + index
        evidence = self._kernel.evidence[index]
        token = self._base + rank
        return Merge(rank, evidence, token, self._kernel.vocabulary[token])
