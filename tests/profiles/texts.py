"""Three texts for comparing trainers: English, many languages, and one full of runs, ties and odd white space.

They are made from a seed and the project's own examples, so that every machine compares the same bytes. Words are drawn
by Zipf's law from a small lexicon, which gives the falling counts and the long tail of ties of real text.
"""

import json
import random
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
COMMON = (
    "the of and to a in that is was he for it with as his on be at by I this had not are but from or have an they "
    "which one you were her all she there would their we him been has when who will more no if out so said what up its "
    "about into than them can only other new some could time these two may then do first any my now such like our over "
    "man me even most made after also did many before must through back years where much your way well down should "
    "because each just those people Mr how too little state good very make world still own see men work long get here "
    "between both life being under never day same another know while last might us great old year off come since "
    "against go came right used take three don't it's I'm we'll they're you've he'd can't o'clock"
)
STARTS = "b br c ch d f g gr h j l m n p pl qu r s sh st str t th tr v w"
VOWELS = "a e i o u ai ea ee oo ou io"
ENDS = "b ck d ff g l ll m n nd ng nt p r rt s ss st t x th"
ENDINGS = ["", "s", "ed", "ing", "er", "ly", "ness", "tion"]
HAN = (
    "日本語中文字漢山川田人大小上下左右前後東西南北春夏秋冬花鳥風月水火木金土空海空雨雪星光影時間年国学校生先話読書見聞"
)
SPACES = [
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    " \n",
    "\t \n  ",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\v",
    "\f",
    "\r",
    "\x85",
    "\x1c",
]


@cache
def english() -> str:
    """About 200 kB: prose in lines with CRLF, indented code-like lines, numbers, quotes, contractions."""
    source = random.Random(2016)
    lexicon = [*COMMON.split(), *(_word(source) for _ in range(2600))]
    draw = _zipf(source, lexicon)
    lines = []
    size = 0
    while size < 200_000:
        words = [draw() for _ in range(source.randrange(3, 18))]
        if source.random() < 0.2:
            words.insert(source.randrange(len(words)), str(source.randrange(10 ** source.randrange(1, 6))))
        line = " ".join(word + source.choices(["", ",", ";", "...", "--"], [60, 6, 1, 1, 1])[0] for word in words)
        line = line[0].upper() + line[1:] + source.choice([".", ".", ".", "?", "!", '."'])
        line = source.choices(["", '"', "    ", "\t"], [20, 2, 2, 1])[0] + line
        line += source.choices(["\r\n", "\n", "\r\n\r\n", " \n"], [12, 4, 3, 1])[0]
        lines.append(line)
        size += len(line)
    return "\ufeff" + "".join(lines)


@cache
def multilingual() -> str:
    """About 200 kB: the example texts in their languages, word by word and by the seed, and lines of Han characters."""
    source = random.Random(2024)
    texts = [document["text"] for document in json.loads((EXAMPLES / "corpus.json").read_text())]
    draws = [_zipf(source, text.split(" ")) for text in texts]
    han = _zipf(source, list(HAN))
    marks = ["é", "e\u0301", "🙂", "👩\u200d🚀", "ß", "Ünï", "हिन्दी", "ไทย", "عربى", "עברית", "한국어", "ελλά"]
    lines = []
    size = 0
    while size < 200_000:
        draw = source.choice(draws)
        words = [draw() for _ in range(source.randrange(4, 12))]
        words.append("".join(han() for _ in range(source.randrange(1, 9))) + source.choice("。、！ "))
        words.append(source.choice(marks))
        source.shuffle(words)
        line = " ".join(words) + "\n"
        lines.append(line)
        size += len(line.encode())
    return "".join(lines)


@cache
def odd() -> str:
    """About 60 kB: runs of equal characters, words that all occur equally often, every kind of white space."""
    source = random.Random(7)
    parts = []
    for _ in range(6000):
        match source.randrange(5):
            case 0:
                parts.append(source.choice("aab.-=é猫") * source.randrange(1, 40))
            case 1:
                parts.append("".join(source.choice("ab") for _ in range(source.randrange(1, 16))))
            case 2:
                parts.append(source.choice(["aaab", "abab", "banana", "aé", "éa", "'s", "1234567", "\\n", "x</w>"]))
            case 3:
                parts.append(source.choice(SPACES) * source.randrange(1, 6))
            case _:
                parts.append(" " + "".join(source.sample("pqrstuvw", 3)))
    return "".join(parts)


TEXTS = {"english": english, "multilingual": multilingual, "odd": odd}


def _word(source: random.Random) -> str:
    syllables = source.choices([1, 2, 3], [3, 5, 2])[0]
    stem = "".join(source.choice(STARTS.split()) + source.choice(VOWELS.split()) for _ in range(syllables))
    return stem + source.choice(ENDS.split()) + source.choice(ENDINGS)


def _zipf(source: random.Random, words: list[str]) -> Callable[[], str]:
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    return lambda: source.choices(words, cum_weights=weights)[0]
