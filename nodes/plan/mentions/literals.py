"""Literals: text that is written for a machine, and means nothing but as it stands.

A path, a pattern of file names, base64, a moment of ISO 8601, a time zone, a code, a statement of
SQL. Each is one value: what lies within it is none.
"""

import re
from collections.abc import Iterator

from gretel.nodes.plan.mentions.markup import CALL, SELECTOR, markup_mentions
from gretel.nodes.plan.mentions.mention import Mention
from gretel.nodes.plan.mentions.spaced import spaced_paths
from gretel.text.words import word_set

CJK = "\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
"""Scripts, with their punctuation, that set no blanks: a literal ends where they begin."""
_SIGN = rf"(?:(?![{CJK}])[\w@%+~*$#=:{{}}-]|\.(?=[\w.*/{{-]))"
_PATH = (
    rf"(?<![A-Za-z0-9_/.~:$€£<-])(?:~|\.{{1,2}})?(?:/{_SIGN}+)+/?"
    rf"|(?<!\w)[A-Za-z]:\\(?:{_SIGN}|\\)+"
    rf"|(?<![\w*/.])(?=[^\s{CJK}]{{0,200}}(?:\*[./]|[./]\*))(?:{_SIGN}|/)+"
)
_MOMENT = r"\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?(?![\w:])"
_BASE64 = (
    r"(?<![\w+/=])(?=[a-z+/_-]{0,200}[A-Z0-9])(?:(?=[\w+/-]++==?+(?![\w='\"]))"
    r"(?:[\w+/-]{4})+(?:[\w+/-]{2}==|[\w+/-]{3}=)(?![\w='\"])"
    r"|(?=[\w/]{0,400}\+)(?=\S{0,400}[a-z])(?=\S{0,400}[A-Z])(?:[\w+/]{4})+(?![\w+/='\"-]))"
)
"""What is looked for ahead of a beginning is so within bounds: a run may have 10,000 characters."""
_FOLDER = r"(?<![\w/.:@~-])(?:[A-Za-z_.][\w.-]*/)+(?=[\s?!,;)\"'”»]|\.?$)"
_BELOW_HOST = r"(?=[\w.-]*[A-Za-z])[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/[\w.-]*\w)+"
_NETWORK = r"\b\d{1,3}(?:\.\d{1,3}){3}/\d{1,2}\b|\b(?:[\dA-Fa-f]{2}[:-]){5}[\dA-Fa-f]{2}\b"
"""A network with the length of its prefix, the address of a network card."""
LITERAL = f"{_PATH}|{_FOLDER}|{_MOMENT}|{_BASE64}|{_NETWORK}"
"""What the rules for words and numbers would cut into pieces."""
_LITERAL = re.compile(LITERAL)

_FILE = re.compile(
    rf"{_PATH}|{_FOLDER}|(?<![\w/.@:*-])(?!\d+\.\d)(?:{_SIGN}|/){{2,}}\.(?:[a-z][a-z0-9]{{0,4}}|[A-Z]{{3,4}})"
    r"(?![\w-]|\.\w)"
)
_ZONE = re.compile(
    r"\b(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)"
    r"/[A-Z][\w+-]*(?:/[A-Z][\w+-]*)?|(?<![\w/])(?:UTC|GMT)(?:[+-]\d{1,2})?(?![\w/])",
    re.ASCII,
)
_STATEMENT = re.compile(
    r"(?P<quote>[\"`'“«])?\s?\b(?P<said>(?:SELECT\b.+?\bFROM|INSERT\s+INTO|UPDATE\b.+?\bSET"
    r"|DELETE\s+FROM|WITH\b.+?\bAS\s*\(|(?:CREATE|ALTER|DROP)\s+(?:TEMPORARY\s+|UNIQUE\s+)?"
    r"(?:TABLE|INDEX|VIEW|TRIGGER)|PRAGMA\s+\w+|EXPLAIN\s+SELECT)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_CLOSING = {"“": "”", "«": "»"}
_LETTER = rf"(?:(?![{CJK}])\w)"
_RUN = re.compile(
    rf"{_BASE64}|(?<![A-Za-z\u00c0-\u024f\d_@./:-]){_LETTER}(?:(?:{_LETTER}|[.:/+@=$-])*{_LETTER})?"
    r"(?:(?<=\w)(?:\.(?=[?!,;:]|\s+[a-z])|\*(?![\w*.])))?"
)
_WHOLE_BASE64 = re.compile(_BASE64)
_LONGEST = 500
"""Characters of a code that is no base64."""
_PART = re.compile(r"[^:/=]+")
_CODE = re.compile(
    rf"""
      {_BASE64} | {_NETWORK}
    | (?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9][\w-]*   # letters and digits
    | [\w-]*[A-Za-z0-9]_[\w-]*\w | _+\w+                 # an underscore
    | \d+(?:-\d+)+
    | [A-Z]{{2,}}(?:-[A-Z0-9]+)*
    | (?=[A-Za-z]*[a-z][A-Z])[A-Za-z]{{5,}}             # camel case
    | [\w.-]*\w\*                                      # what begins so
    | (?=.*[A-Za-z])[\w-]+(?:\.(?:\d+|[\w-]{{2,}}))+(?:[+$][\w.-]*\w)?\.?  # parts with dots
    | {_BELOW_HOST}
    | (?P<what>[A-Za-z]\w*):(?=.*\d)[\w.-]+             # of which kind, and which
    | (?P<kind>[A-Za-z][\w.-]*)(?::{{1,3}}[A-Za-z][\w.-]*\w)+
    | [A-Za-z]\w*:::[\w-]+
    | [A-Za-z][\w.-]*(?::[\w.-]*\w){{2,}}               # `urn:isbn:978`
    | [A-Za-z][\w.-]*(?:[/:][\w.-]*\w){{3,}}            # `org/country:us/state:ks/bills`
    | (?=.*\d{{3}})\d+(?::\d+){{2,}}
    | [\da-f]{{2}}(?::[\da-f]{{2}}){{5,}}
    | [\w-]+(?:\.[\w-]+)+:\d{{2,5}}                      # a host and its port
    | (?=.*\d)(?=.*[A-Za-z])\w[\w.-]*(?:/[\w.-]+)+
    """,
    re.VERBOSE | re.ASCII,
)
_UNIT = "st|nd|rd|th|am|pm|k|m|kg|g|km|cm|mm|ml|l|s|h|min|px|gb|mb|tb|x|d|ft|in|lb|lbs|oz|mph"
_NO_CODE = re.compile(
    rf"\d+(?:[.,]\d+)*-?(?:{_UNIT})(?:/\w+)?|[\d.,]+/[a-z]+|\d{{4}}-\d{{1,2}}-\d{{1,2}}(?:T[\d:]+Z?)?|covid-?\d*"
    r"|(?-i:[a-z]+-[a-z]+)|\d{1,2}-[a-z]+|\d+-[a-z]{3,}|https?:.*|www\..*|.*\w@\w.*"
    r"|api|apis|id|ids|pk|url|uri|get|post|put|patch|html|json|xml|csv|pdf|faq|gps|sms|sim|vip|tv|ai"
    r"|it|hr|ceo|dna|uuid|guid|isbn|isin|iban|sku|usa?|uk|eu|ok|asap|am|pm|bmi|seo|nft|sql",
    re.IGNORECASE,
)
_TIGHT = re.compile(rf"[^\s\"“”‘’«»`{CJK}]{{3,200}}")
_MARK = re.compile(
    r"(?<=\w)[|~%^!@({\[](?=\w)|(?<=\w)\.\.(?=\w)|^\{[\w.:-]+\}$|[\w)\]][(\[](?=[\w)=])"
)
"""What no prose has between letters and digits, nor a code in its own brackets."""
_LIST = re.compile(r"[\w.:-]+(?:[,;][\w.:-]+)+")
_WORDS = re.compile(r"[a-z_]{2,}(?:,[a-z_]{2,})+")
"""Words with commas and no blanks between, as options are listed."""
_NO_LIST = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+\.\d+,-?\d+\.\d+|\d+,\d{1,2}")
_NO_TIGHT = re.compile(
    r"[A-Za-z_][\w.-]*=.*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\w+\([a-z]{1,3}\)|.*[/\\].*|[\d.,]+%.*"
    r"|[@#$].*|-?\d+\.\.-?\d+"
)
_LABELS = word_set("id ids identifier code number no nr ref reference order name value type")
_JOINED = re.compile(r".*\w[a-z]\.[A-Z][a-z]")
"""Two sentences without a blank between them."""
_FIRM = re.compile(
    rf"{LITERAL}|{_BELOW_HOST}|{SELECTOR}|{CALL}|[\w-]*[A-Za-z0-9]_[\w-]*|[A-Za-z]+(?:[-_]\w+)*[-_]\d[\w-]*|\w+(?:-\w+){{4}}"
    r"|(?=\w*\d)[A-Za-z]\w{7,}|(?=\w*[a-f])[\da-f]{7,}|[\w.-]+(?::{1,3}[\w.-]+)+"
    r"|[A-Za-z][\w.-]*(?:[/:][\w.-]*\w){3,}"
)


def tight(text: str) -> Iterator[tuple[int, str]]:
    """Runs without blanks that marks hold together, with where they begin: `15.2(4)M11`, `{p-8}`.

    Also numbers and codes with commas and no blanks between: `61,62`.
    """
    for found in _TIGHT.finditer(text):
        start, run = found.start(), found.group()
        bare = run.lstrip("([<'")
        start, run = start + len(run) - len(bare), bare.rstrip(".,;:!?>'")
        for opening, closing in (("(", ")"), ("[", "]"), ("{", "}")):
            while run.endswith(closing) and run.count(opening) < run.count(closing):
                run = run[:-1].rstrip(".,;:!?>'")
        if is_tight(run) or _is_joined(run) or _WORDS.fullmatch(run):
            yield start, run


def is_tight(run: str) -> bool:
    """Whether marks hold a run together that has a digit in it."""
    marked = len(run) > 2 and any(map(str.isdigit, run)) and _MARK.search(run)
    return bool(marked) and not _NO_TIGHT.fullmatch(run) and not is_literal(run)


def _is_joined(run: str) -> bool:
    listed = _LIST.fullmatch(run) and any(map(str.isdigit, run))
    return bool(listed) and not _NO_LIST.fullmatch(run)


def is_literal(token: str) -> bool:
    """Whether a token is a path, a moment or base64: no word of a phrase."""
    return _LITERAL.fullmatch(token) is not None


def is_file(token: str) -> bool:
    """Whether a token is a path, or the name of a file."""
    spaced = " " in token and any(spaced_paths(token))
    return spaced or _FILE.fullmatch(token) is not None


def is_firm(mention: Mention) -> bool:
    """Whether nothing within a mention is a value by itself."""
    if mention.kind == "id":
        joined = is_tight(mention.text) or _is_joined(mention.text)
        return joined or _FIRM.fullmatch(mention.text) is not None
    markup = mention.kind == "quoted" and mention.text.startswith("<")
    return markup or mention.kind in ("path", "zone") or is_literal(mention.text)


def literal_mentions(text: str, segment: int) -> Iterator[Mention]:
    """Paths, time zones, statements and codes, as they stand."""
    for start, end in spaced_paths(text):
        yield Mention("path", text[start:end], text[start:end], segment, start, end)
    for path in _FILE.finditer(text):
        if "@" not in path.group() and "://" not in path.group():
            yield Mention("path", path.group(), path.group(), segment, *path.span())
    for zone in _ZONE.finditer(text):
        yield Mention("zone", zone.group(), zone.group(), segment, *zone.span())
    for match in _STATEMENT.finditer(text):
        said, quote = match["said"], match["quote"]
        if quote and _CLOSING.get(quote, quote) in said:
            said = said.rpartition(_CLOSING.get(quote, quote))[0]
        said = said.rstrip(" \n.?!")
        start = match.start("said")
        yield Mention("statement", said, said, segment, start, start + len(said))
    yield from markup_mentions(text, segment)
    for begin, joined in tight(text):
        yield Mention("id", joined, joined, segment, begin, begin + len(joined))
    for run in _RUN.finditer(text):
        for start, code in _codes(run.group()):
            begin = run.start() + start
            yield Mention("id", code, code, segment, begin, begin + len(code))


def _codes(run: str) -> Iterator[tuple[int, str]]:
    """The run, where it is a code, and those of its parts that are."""
    if _is_code(run):
        yield 0, run
    for part in _PART.finditer("" if "://" in run or is_literal(run) else run):
        if part.group() != run and _is_code(part.group()):
            yield part.start(), part.group()


def _is_code(run: str) -> bool:
    found = _CODE.fullmatch(run) if len(run) <= _LONGEST else _WHOLE_BASE64.fullmatch(run)
    if found is None or _NO_CODE.fullmatch(run) or _JOINED.match(run):
        return False
    groups = found.groupdict()
    return (groups.get("what") or groups.get("kind") or "").lower() not in _LABELS
