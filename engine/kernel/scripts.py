r"""The script of a character as of Unicode 9.0, the version whose table sentencepiece 0.2.3 has built in.

The `regex` package knows a newer Unicode, so scripts and characters that came after 9.0 are taken out here: they have
the script Common, as in a table that does not know them (`unicode_script::GetScript`).
"""

from functools import cache

import regex

COMMON, INHERITED = "Zyyy", "Zinh"

_SCRIPTS = """
Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans Cari Cham
Cher Copt Cprt Cyrl Deva Dsrt Dupl Egyp Elba Ethi Geor Glag Goth Gran Grek Gujr Guru Hang Hani Hano Hatr Hebr
Hira Hluw Hmng Hung Ital Java Kali Kana Khar Khmr Khoj Knda Kthi Lana Laoo Latn Lepc Limb Lina Linb Lisu Lyci
Lydi Mahj Mand Mani Marc Mend Merc Mero Miao Mlym Modi Mong Mroo Mtei Mult Mymr Narb Nbat Newa Nkoo Ogam Olck
Orkh Orya Osge Osma Palm Pauc Perm Phag Phli Phlp Phnx Prti Rjng Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sind
Sinh Sora Sund Sylo Syrc Tagb Takr Tale Talu Taml Tang Tavt Telu Tfng Tglg Thaa Thai Tibt Tirh Ugar Vaii Wara
Xpeo Xsux Yiii Zinh
"""
"""ISO 15924 codes of the scripts of Unicode 9.0, Common aside."""
_LATER = """
558 560 588 58B-58C 5C8-5C9 5EF 61D 7FD-7FF 860-89F 8B5 8BE-8D3 9FC-9FE A76 AFA-AFF B53-B55 C04 C3C C5C-C5D C77
C84 CDC-CDD CF3-D00 D04 D3B-D3C D81 E86 E89 E8C E8E-E93 E98 EA0 EA8-EA9 EAC EBA ECE 170D 1715-171F 180F 1878
1ABF-1AF0 1B4C-1B4F 1B7D-1B7F 1C89-1CBF 1DF6-1DFA 209D-209F 2C2F 2C5F 312E-312F 31BB-31BF 4DB6-4DBF 9FD6-9FFF
A7AF A7B8-A7F6 A82C A8FE-A8FF AB66-AB6D FBC2-FBD2 FD40-FD4F FD90-FD91 FDC8-FDCF FDFE-FDFF 1032D-1032F
10780-107BF 10A34-10A35 10A48 10EC2-10EFF 11070-11075 110C2-110CD 11144-11147 111CE-111CF 1123F-11241 1133B
1145A 1145E-11461 116B8-116B9 116D0-116E3 1171A 11740-11746 11AB0-11ABF 11B00-11B67 11DF0-11FFF 1246F
12475-1247F 12550-12686 1342F-143FA 16F45-16F4F 16F7F-16F87 16FE2-16FF6 187ED-187FF 18AF3-1AFFE 1B002-1B168
1CF00-1CF46 1D127-1D128 1D25B-1D25C 1DF00-1DFFF 1E030-1E7FE 1E94B 2A6D7-2A6DF 2B735-2B73F 2B81E 2CEA2-2EE5D
30000-33479
"""
"""Code points that were given to one of these scripts after 9.0, with the unassigned ones between them."""
_CHANGED = {"\u0589": COMMON, "\u061c": COMMON, "\u0953": "Deva", "\u0954": "Deva"}
"""Characters that had another script in 9.0."""


@cache
def _patterns() -> tuple["regex.Pattern[str]", "regex.Pattern[str]"]:
    """What matches later characters, and a pattern whose only group that matches is the one of the script."""
    ranges = ("-".join(rf"\U{int(end, 16):08x}" for end in entry.split("-")) for entry in _LATER.split())
    groups = (rf"(\p{{Script={name}}})" for name in _SCRIPTS.split())
    return regex.compile(f"[{''.join(ranges)}]"), regex.compile("|".join(groups))


@cache
def script_of(character: str) -> str:
    """The ISO 15924 code of a character's script; `Zyyy` (Common) for one that belongs to none."""
    if character in _CHANGED:
        return _CHANGED[character]
    later, scripts = _patterns()
    found = None if later.match(character) else scripts.match(character)
    return _SCRIPTS.split()[found.lastindex - 1] if found and found.lastindex else COMMON
