"""What secrets look like in a text, whatever they are called; numbers that check themselves."""

import re
from collections.abc import Callable
from typing import NamedTuple

MASK = "[redacted]"

_BEGINNINGS = (
    *("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *("github_pat_", "xox", "akia", "asia", "aiza", "hf_", "glpat-", "npm_", "sg."),
    *("shpat_", "shpss_", "whsec_", "gsk_", "ya29.", "hvs.", "pypi-", "dop_v1_", "nvapi-", "xapp-"),
    *("accountkey=", "accesskey=", "age-secret-key-", "lin_api_", "dp.pt.", "dp.st.", ":aa"),
    *(
        "gocspx-",
        "sq0atp-",
        "sq0csp-",
        "key-",
        "eaa",
        "dckr_",
        "figd_",
        "gls",
        "glr",
        "rubygems_",
        "akcp",
        "glagent-",
        "glcbt-",
        "gldt-",
        "glft-",
        "glimt-",
        "gloas-",
        "glptt-",
    ),
    *("sntrys_", "pscale_", "sbp_", "ntn_", "r8_", "pmak-", "tskey-", "xkeysib-", "pplx-", "xai-"),
    *(
        "tvly-",
        "dapi",
        "atatt3",
        "nrak-",
        "prv",
        "1//0",
        "webhooks/",
        "-us",
        "services",
        "bot",
        "webhook/send",
    ),
    *("hook.", "hooks.", "hmac=", "md5=", "sig=", "signature=", "token=", "/s--"),
)


class Pattern(NamedTuple):
    """What a secret looks like."""

    hints: tuple[str, ...]
    """In small letters; where none of them stands, the pattern is not tried: it is dear."""
    found: re.Pattern[str]
    instead: str | Callable[[re.Match[str]], str]


def _card_masked(found: re.Match[str]) -> str:
    """A mask for the number of a card, which its last digit checks (ISO/IEC 7812-1, annex B)."""
    digits = [int(char) for char in reversed(found[0]) if char.isdigit()]
    if digits[-1] == _VISA and len(digits) not in (13, 16, 19):  # as of a telephone: IMEI
        return found[0]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return found[0] if (sum(digits[::2]) + sum(doubled)) % 10 else MASK


def _iban_masked(found: re.Match[str]) -> str:
    """A mask for the number of an account, which two of its digits check (ISO 13616)."""
    number = "".join(filter(str.isalnum, found[0]))
    digits = "".join(str(int(char, 36)) for char in number[4:] + number[:4])
    return found[0] if len(number) < _IBAN or int(digits) % 97 != 1 else MASK


_PARTED = r"[ \u00a0\u2007-\u200a\u202f\u2010-\u2013-]?"
"""What may stand between groups of a number: any blank, any short dash."""
_VISA = 4
_IBAN = 15
"""Characters of the shortest number of an account, Norway's."""
_PRIVATE_KEY = r"-{{4,5}} ?{} [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)? ?-{{4,5}}"
_B64 = "[A-Za-z0-9_-]"
KEY_LIKE = (
    Pattern(  # of three parts, or of five, of which the second may be empty: what is encrypted
        ("eyj",),
        re.compile(
            rf"\beyJ{_B64}{{5,}}\.(?:{_B64}{{5,}}(?:\.{_B64}*(?:\.{_B64}{{5,}}){{0,2}})?|(?:\.{_B64}{{5,}}){{3}})"
        ),
        MASK,
    ),
    Pattern(
        _BEGINNINGS,
        re.compile(
            r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}"
            r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}"
            r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}|\bhf_[A-Za-z0-9]{20,}"
            r"|\b(?:gl(?:agent|cbt|dt|ft|imt|oas|pat|ptt)-|AKCp|npm_|shp(?:at|ss)_|whsec_|gsk_|dop_v1_|lin_api_|AGE-SECRET-KEY-)\w{20,}"
            r"|\b(?:ya29\.|hvs\.|pypi-|nvapi-|xapp-)[\w-]{24,}|\bSG\.[\w-]{16,}\.[\w-]{16,}"
            r"|\bdp\.[ps]t\.[\w.-]{20,}|(?:\b|bot)\d{8,10}:AA[\w-]{32,33}(?![\w-])|\bEAA(?:[A-Z][A-Za-z0-9]{30,}|[A-Za-z0-9]{80,})"
            r"|\b(?:GOCSPX|sq0atp|sq0csp)-[\w-]{20,}|\bkey-[0-9a-f]{32}\b"
            r"|\b(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{16,}={0,2}"
            r"|\b(?:dckr_pat|figd|gls[ao]|glrt|rubygems|sntrys|pscale_\w{2,5}|sbp|ntn|r8)[-_][\w-]{20,}"
            r"|\b[0-9a-f]{32}-us\d{1,2}\b|\b(?:PMAK|tskey|xkeysib|pplx|xai|tvly)-[\w-]{20,}|\bdapi[0-9a-f]{32}\b"
            r"|\bNRAK-[A-Z0-9]{27}\b|\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,}"
            r"|\bATATT3[\w=-]{30,}|\b1//0[\w-]{30,}"
            r"|\bhooks\.slack\.com/[\w/]{10,60}/\w{16,}|\bwebhooks/\d{17,20}/[\w-]{50,}"
            r"|(?:\b|%2[Ff])services(?:(?:\\?/|%2[Ff])[TB][A-Z0-9]{6,12}){2}(?:\\?/|%2[Ff])\w{16,}"
            r"|\bwebhook/send\?key=[\w-]{20,}|/bot/v\d/hook/[\w-]{20,}|\b[Bb][Oo][Tt]\d{5,12}:[\w-]{24,}"
            r"|\bhooks?\.[\w.-]{3,60}/(?:hooks/catch/\d{4,12}/\w{5,}|(?=[a-z]{0,40}\d)\w{20,})"
            r"|[~/](?:hmac|md5|sig|signature|token)=[\w%+=-]{16,}|/s--[\w-]{8,32}--/"
        ),
        MASK,
    ),
    # up to its end, whatever stands between; where that is cut off, behind what its first lines say
    Pattern(
        ("---- begin", "-----begin"),
        re.compile(
            rf"{_PRIVATE_KEY.format('BEGIN')}"
            rf"(?:(?:(?!-{{4,5}} ?BEGIN )[\s\S]){{0,12000}}?{_PRIVATE_KEY.format('END')}"
            r"|(?:(?:[\s>|+#*]|\\[nr]){0,9}[A-Z][A-Za-z-]{2,20}: [^\n\\]{0,200}){0,8}[^-]*)"
        ),
        MASK,
    ),
    # hashes of passwords, as crypt(3), htpasswd, Django and LDAP write them
    Pattern(
        ("$", "sha}"),
        re.compile(
            r"(?:\$(?:apr1|[1567y]|2[abxy]?|gy|P|argon2\w{1,2}|scrypt|pbkdf2[\w-]{0,12})\$"
            r"|\bpbkdf2_sha\d{1,3}\$\d{3,8}\$|\{S?SHA\d{0,3}\})[^\s:\"'<;]{16,}"
        ),
        MASK,
    ),
    Pattern(  # of nobody known: a prefix, and too much behind it for an id
        ("_", "-"),
        re.compile(
            r"(?<![\w./-])(?:[A-Za-z]{2,12}[_-]){1,3}"
            r"(?=[A-Za-z]{0,200}\d)(?=[A-Z0-9]{0,200}[a-z])(?=[a-z0-9]{0,200}[A-Z])[A-Za-z0-9]{32,200}(?![\w./-])"
        ),
        MASK,
    ),
    Pattern(("sk",), re.compile(r"\bSK[0-9a-f]{32}\b"), MASK),
    Pattern(  # of a bot of Discord: who it is and when, in base64
        (".",), re.compile(r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])"), MASK
    ),
)
"""Keys and tokens by their own shape."""
_PRIVATE = (
    Pattern(
        ("",),
        re.compile(
            r"(?<![\w.+-])(?:4\d{3}|5[1-5]\d\d|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)|35\d\d"
            rf"|3[04678]\d\d|6(?:011|2\d\d|4[4-9]\d|5\d\d))(?:{_PARTED}\d){{9,15}}(?![\w-]|\.\d)"
        ),
        _card_masked,
    ),
    Pattern(
        ("",),
        re.compile(
            rf"\b[A-Z]{{2}}\d\d(?:{_PARTED}[A-Z0-9]{{4}}){{2,7}}(?:{_PARTED}[A-Z0-9]{{1,3}})?\b"
        ),
        _iban_masked,
    ),
    Pattern(("ac",), re.compile(r"\bAC[0-9a-f]{32}\b"), MASK),
    Pattern(
        ("-",),
        re.compile(r"(?<![\w.+-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-]|\.\d)"),
        MASK,
    ),
)
"""Numbers of cards, by the ranges of their issuers, of bank accounts by their check digits, of
accounts at Twilio, and of social security (US)."""
SHAPES = (*KEY_LIKE, *_PRIVATE)
PATTERNS = (
    # the signature of a URL that opens a file (Azure)
    Pattern(("sig=",), re.compile(r"([?&;]sig=)[\w%+/=-]{20,}", re.I), rf"\1{MASK}"),
    Pattern(
        ("bearer", "basic"),
        re.compile(r"\b((?:bearer|basic)(?:\s+|=))[A-Za-z0-9+/._~-]{8,}=*", re.I),
        rf"\1{MASK}",
    ),
    # a sentence that repeats a key: a digest without such a word is an id as often
    Pattern(
        ("key", "token", "secret", "password"),
        re.compile(
            r"\b((?:key|token|secret|password)(?:\s+is)?\W{1,4})(?:0x)?[0-9a-f]{32,128}(?![0-9a-z])",
            re.I,
        ),
        rf"\1{MASK}",
    ),
    # the password of a URL
    Pattern(
        ("://",),
        re.compile(r"(://[^/\s:@\"'<>]{0,80}:)[^/\s@\"'<>]{1,200}@"),
        rf"\1{MASK}@",
    ),
    # a key alone in its place
    Pattern(("://",), re.compile(r"(://)(?=[\w-]{0,80}\d)[\w-]{20,200}@"), rf"\1{MASK}@"),
    *SHAPES,
)
