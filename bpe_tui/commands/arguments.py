"""Arguments that several commands share. Policy flags are made from `Policy` itself, so that no field is missing."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import fields

from engine.corpus.open import FORMATS, CorpusOptions
from engine.errors import PolicyRefusal
from engine.kernel import KERNELS
from engine.limits import FILE_LIMITS, Limits
from engine.policy import CHOICES, Policy, parse_policy
from engine.profiles import DEFAULT_PROFILE, PROFILES, profile
from engine.quoting import quoted

BUDGET_FIELDS = ("budget", "budget_unit")
"""Policy fields that `--merges` and `--vocab-size` set together."""
NAMES = {"special_tokens": "special_token"}
"""Fields whose flag has another name, because it is given once per value."""
EVERY_MERGE = "all"


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """How to read the corpus."""
    group = parser.add_argument_group("reading the corpus")
    group.add_argument("--format", choices=FORMATS, default="auto", help="the corpus's format (default: auto)")
    group.add_argument("--separator", metavar="TEXT", help="the exact text between the documents of a text file")
    group.add_argument("--split", metavar="FILE", help="a split manifest; `none` uses none that lies beside the corpus")
    group.add_argument(
        "--holdout", metavar="FRACTION", type=float, help="hold out this share of the documents, by a hash of their id"
    )


def corpus_options(args: argparse.Namespace) -> CorpusOptions:
    """The corpus options that were given.

    Raises:
        CorpusRefusal: for options that contradict each other.
    """
    return CorpusOptions(args.format, args.separator, args.split, args.holdout)


def add_policy_flags(parser: argparse.ArgumentParser) -> None:
    """A base (profile or policy line), one flag per policy field, limits and the kernel."""
    group = parser.add_argument_group("policy", "what can change the merges; flags change the profile or policy line")
    base = group.add_mutually_exclusive_group()
    base.add_argument("--profile", metavar="NAME", help=f"{', '.join(PROFILES)} (default: {DEFAULT_PROFILE})")
    base.add_argument("--policy", metavar="LINE", help="a policy line, as every run prints it")
    group.add_argument(
        "--merges-from",
        metavar="FILE",
        type=corpus_path,
        help="begin with the merges of a tokenizer file or a session, replayed with this corpus's true counts; where "
        "--merges is more than it has, the rest is learned",
    )
    budget = group.add_mutually_exclusive_group()
    budget.add_argument("--merges", metavar="N", type=_merges, help="learn N merges, or `all` there are")
    budget.add_argument("--vocab-size", metavar="N", type=whole, help="learn until the vocabulary has N entries")
    about = _about()
    for field in fields(Policy):
        if field.name in BUDGET_FIELDS:
            continue
        flag = "--" + NAMES.get(field.name, field.name).replace("_", "-")
        help = about.get(field.name, "").replace("%", "%%")
        if field.type is bool:
            group.add_argument(flag, dest=field.name, action=argparse.BooleanOptionalAction, help=help)
        elif field.name in NAMES:
            group.add_argument(flag, dest=field.name, metavar="TEXT", action="append", help=f"{help} (repeatable)")
        elif field.name in CHOICES:
            choices = ", ".join(CHOICES[field.name])
            group.add_argument(flag, dest=field.name, metavar="VALUE", help=f"{help} [{choices}]")
        else:
            group.add_argument(flag, dest=field.name, metavar="N", type=whole, help=help)
    work = parser.add_argument_group("work")
    work.add_argument("--kernel", choices=KERNELS, default="auto", help="all give equal results (default: auto)")
    add_limits(work)


def add_limits(parser: argparse._ActionsContainer) -> None:
    """Bounds of the work."""
    names = ", ".join(f.name for f in fields(Limits))
    parser.add_argument(
        "--limit", metavar="NAME=N", action="append", default=[], help=f"change a limit (repeatable) [{names}]"
    )
    parser.add_argument(
        "--memory-limit",
        metavar="SIZE",
        type=memory_size,
        help="refuse work that needs more, such as 8GB (default: three quarters of the free memory)",
    )


def memory_size(text: str) -> int:
    """Bytes, or a number with kB, MB or GB (thousands), or KiB, MiB or GiB (1,024 of the one before)."""
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,3})?) ?(?:([kmg])(i?))?b?", text, re.ASCII | re.IGNORECASE)
    if match is None:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a size: give bytes, or a number with kB, MB or GB")
    return int(float(match[1]) * (1024 if match[3] else 1000) ** " kmg".index((match[2] or " ").lower()))


def policy_of(args: argparse.Namespace, own: Policy | None = None) -> Policy:
    """The policy that the flags describe.

    Args:
        args: the flags.
        own: what they change where neither a profile nor a line is given; the default profile's if None.

    Raises:
        PolicyRefusal: for an unknown profile, line or value, or a contradiction.
    """
    if args.policy is not None:
        policy = parse_policy(args.policy)
    elif args.profile is None and own is not None:
        policy = own
    else:
        policy = profile(args.profile or DEFAULT_PROFILE).policy
    changes: dict[str, object] = {
        f.name: tuple(value) if isinstance(value, list) else value
        for f in fields(Policy)
        if f.name not in BUDGET_FIELDS and (value := getattr(args, f.name)) is not None
    }
    if args.merges is not None:
        changes |= {"budget": None if args.merges == EVERY_MERGE else args.merges, "budget_unit": "merges"}
    if args.vocab_size is not None:
        changes |= {"budget": args.vocab_size, "budget_unit": "vocabulary"}
    return policy.changed(**changes)


def limits_of(args: argparse.Namespace) -> Limits:
    """The profile's limits with those changed that were given.

    Raises:
        PolicyRefusal: for an unknown limit, or a value out of range.
    """
    base = Limits() if args.policy is not None else profile(args.profile or DEFAULT_PROFILE).limits
    return changed_limits(args, base)


def file_limits(args: argparse.Namespace) -> Limits:
    """Our limits for what a file says, with those changed that were given; refusals as in `changed_limits`."""
    return changed_limits(args, FILE_LIMITS)


def changed_limits(args: argparse.Namespace, base: Limits) -> Limits:
    """Limits with those changed that were given.

    Raises:
        PolicyRefusal: for an unknown limit, or a value out of range.
    """
    return base.replaced(dict(_limit(text) for text in args.limit))


def given_policy_flags(args: argparse.Namespace) -> Iterator[str]:
    """The flags given that say what to train, for refusing them where that is settled already."""
    names = [f.name for f in fields(Policy) if f.name not in BUDGET_FIELDS]
    for name in ("profile", "policy", "merges_from", "merges", "vocab_size", *names):
        if getattr(args, name) is not None:
            yield "--" + NAMES.get(name, name).replace("_", "-")


def whole(text: str) -> int:
    """A whole number, 0 or more, in plain digits."""
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number from 0 on, of at most 19 digits")
    return int(text)


def corpus_path(text: str) -> str:
    """A path; an empty one, as an unset variable leaves it, would mean the present folder."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty: give a file, a folder or -")
    return text


def _merges(text: str) -> int | str:
    return EVERY_MERGE if text == EVERY_MERGE else whole(text)


def _limit(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not (number.isascii() and number.isdecimal() and len(number) < 20):
        raise PolicyRefusal(f"--limit {quoted(text)} is not NAME=N: write for instance --limit nodes=65536")
    return name, int(number)


def _about() -> dict[str, str]:
    """What each policy field means, from the class's own description."""
    entries = re.findall(r"^        (\w+): (.*(?:\n {12}.*)*)", Policy.__doc__ or "", re.MULTILINE)
    return {name: " ".join(text.split()).removesuffix(".") for name, text in entries}
