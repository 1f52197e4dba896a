"""Whether SQL that begins as a query only reads, however a server's dialect takes it.

What stands in strings and comments is no code; where dialects differ about what a string or a
comment is, each reading has to be one that only reads, and some are not told apart at all.
"""

import re
from collections.abc import Iterator
from itertools import product

from gretel.text.words import word_set

_QUERY = re.compile(
    r"[\s(;]*(?:select\b\s*(?:distinct\b\s*)?(?:[*(\d@'\"+$\[\0-]|[\w.]+\s*[(,]|(?:null|true|false|user|current_\w+)\b"
    r"|.*?\bfrom\b)"
    r"|with\s+(?:recursive\s+)?\w+\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\("
    r"|explain\s*(?:\(|(?:query\s+plan|analy[sz]e|verbose|extended|format)\b)"
    r"|pragma\s+\w|values\s*\()",
    re.S,
)
_SELECT = re.compile(r"[\s(;]*select\b")
_PROSE = re.compile(r"(?:\b[a-z]+ ){2}[a-z]+\b")
_NUMBER = re.compile(r"(?<!\w)\d[\d.]*(?:e[+-]?\d+)?")
_BRACKETS = re.compile(r"\[[^\[\]]*['\"`]")
_RETURN = re.compile(r"\r(?!\n)")
"""Ends a comment of a line in PostgreSQL, and in no other."""
_IN_BRACKETS = (r"\[[a-z]\w*\]", r"\[[^\]]*(?:\]|\Z)")
_NAME = "q_"
"""Begins what was a quoted name."""
_HIDDEN = "\0"
"""Stands for a comment that MySQL runs or takes for code, one in another, a string of Oracle's, and
a name that is written in code points."""
GRAMMAR = word_set(
    """
    all and any as asc at backup between by case collate current database dbcc deny desc distinct
    else end except exists following for from group having in intersect interval into is join like
    limit log materialized merge next not null on or order over partition percent preceding range
    reconfigure recursive restore row rows select some then ties top unbounded union using value
    values when where with within without zone
    """
)

_WRITES = re.compile(
    r"(?<![\w$@:])(?<![a-z_\d]\.)(?<!\bas )(?P<verb>into|delete|(?:insert|truncate|update)(?!\s*\()"
    r"|next\s+value\s+for|(?:alter|create|drop|grant|revoke)(?=\s+\w)|exec(?:ute)?(?=\s*[\w@(])|merge(?!\s+join\b)"
    r"|deny(?=\s+\w+\s+(?:on|to)\b)|kill(?=\s+(?:0|connection|query)\b)|reconfigure|dbcc(?=\s+\w)"
    r"|(?:backup|restore)(?=\s+(?:database|log)\b)|shutdown(?=\s*(?:$|;|with\b))|lock(?=\s+in\b))\b"
    r"(?!\s*[,)=<>])|;\s*(?!\s|;|$|explain\b|select\b|show\b|values\b|with\b)(?P<next>\w*)"
    r"|(?<=[\w.]\.)(?P<step>nextval)\b(?!\s*\()"
)
_PRAGMA = re.compile(
    r"[\s(;]*pragma\s+(?:\w+\.)?(?P<verb>(?!(?:(?:foreign_key|integrity|quick)_check"
    r"|foreign_key_list|(?:index|table)_(?:list|x?info))\b)\w+\s*[=(]|(?:incremental_vacuum|optimize|shrink_memory|wal_checkpoint)\b)"
)

_FUNCTION = re.compile(r"\b([a-z]\w*)\s*\(")
_PURE = re.compile(
    r"(?:array|bit|bitmap|date|datetime|hll|json|jsonb|list|map|regexp|st|str|string|struct|time"
    r"|timestamp|xml)_|(?:export|find_in|make)_set$|set_(?:bit|byte)$|(?:delete|insert|update)xml$"
    r"|pg_(?:backend_pid|client_encoding|column_size|database_size|encoding_\w+|get_\w+|has_role"
    r"|index\w*_size|is_in_\w+|postmaster_start_time|relation_\w+|size_pretty|stat_get_\w+"
    r"|table\w*_(?:size|is_visible)|total_relation_size|typeof)$|lo_get$"
)
_ACTS = re.compile(
    r"pg_|lo_|lowrite$|[sx]p_|dblink|dbms_|utl_|sys_(?:eval|exec)|nextval|setval|benchmark|fts3_tokenizer"
    r"|http_(?:delete|patch|post|put)|load_(?:extension|file)|open(?:datasource|query|rowset)|(?:get|release)_(?:all_)?locks?$"
    r"|\w+_to_xml|(?:read|write)file"
)
_VERBS = word_set(
    """
    alter cancel create delete disable drop enable exec execute export grant import insert invoke
    kill lock notify purge reboot reload remove reset restart revoke rotate send set shutdown signal
    sleep stop terminate truncate unlink unlock update wipe write
    """
)
_BREAKS = GRAMMAR | _VERBS
_CALLED = _VERBS - {"insert", "truncate"}
"""Of these, what is no function of text or numbers in a common dialect."""


def verb_of_query(text: str) -> tuple[str | None, str | None]:
    """The code of a text that is SQL and begins as a query, and a word by which it writes.

    The code has no strings and no comments. None, where it is no such text; where it only reads.
    """
    code = None
    for each in _readings(text.lower()):
        query = _QUERY.match(each) is not None
        if not (query or _SELECT.match(each)) or _is_prose(each):
            continue
        code = each if query else code
        if verb := _verb_of(each) if query else _called_in(each):
            return each, verb
    return code, None


def _verb_of(code: str) -> str | None:
    """The word by which a query without strings and comments says that it writes."""
    if _HIDDEN in code:
        return "comment"
    if (found := _PRAGMA.match(code)) or (found := _WRITES.search(code)):
        return re.split(r"\W", found[found.lastgroup or 0])[0] or "query"
    return next((name for name in _FUNCTION.findall(code) if _acts(name)), None)


def _called_in(code: str) -> str | None:
    """The function that acts, of a text that may be a sentence: `SELECT CASE WHEN … setval(…)`.

    A word of a sentence has a blank before its bracket, or no `_` in it.
    """
    if f"{_HIDDEN}(" in code:
        return "comment"
    for found in _FUNCTION.finditer(code):
        name = found[1].removeprefix(_NAME)
        if _acts(name) and (found[0][-2] != " " or "_" in found[1] or _ACTS.match(name)):
            return name
    return None


def _acts(function: str) -> bool:
    """Whether a function does something beside giving a value, as its name says."""
    function = function.removeprefix(_NAME)
    if _PURE.match(function):
        return False
    first, *rest = function.split("_")
    return bool(_ACTS.match(function)) or first in _CALLED or not _VERBS.isdisjoint(rest)


def _is_prose(code: str) -> bool:
    """Whether more words stand in a row than in a query, before it says from where, or writes."""
    head = (_WRITES.split(code, 1)[0] if code.startswith("select") else "").partition(" from ")[0]
    words = (", " if each in _BREAKS else each for each in re.findall(r"[a-z]+|[^a-z]+", head))
    return _PROSE.search("".join(words)) is not None


def _readings(text: str) -> Iterator[str]:
    """The code in `text`, in each way in which a dialect may read it."""
    odd = (
        "\\" in text,
        "#" in text,
        text.count("$") > 1,
        _BRACKETS.search(text) is not None,
        _RETURN.search(text) is not None,
    )
    for escapes, hashes, dollars, brackets, returns in product(
        *((False, True)[: 1 + each] for each in odd)
    ):
        inner = r"(?:[^{0}\\]|\\.|{0}{0})*+" if escapes else r"(?:[^{0}]|{0}{0})*+"
        skipped = [
            r"(?P<hidden>(?:\bn?q'[^\w\s]|\bu&\"|/\*m?!|--(?=[^\s-])|/\*(?:(?!\*/).)*?/\*).*)",
            rf"(?P<gap>--[^\n{returns * chr(13)}]*|/\*.*?(?:\*/|\Z)"
            + (r"|#[^\n]*)" if hashes else ")"),
            r"(?P<text>'" + inner.format("'") + (r"'|\$(\w*)\$.*?\$\4\$)" if dollars else "')"),
            r"(?P<name>\"" + inner.format('"') + r"\"|`[^`]*`|" + _IN_BRACKETS[brackets] + ")",
            r"(?P<open>['\"`].*)",
        ]
        code = re.sub("|".join(skipped), _blank, text, flags=re.S)
        yield " ".join(_NUMBER.sub("0 ", code).split())


def _blank(found: re.Match[str]) -> str:
    """What stands in code for a string, a quoted name or a comment; a name is no word of SQL."""
    if found["name"]:
        return f" {_NAME}{found[0][1:-1]} " if found[0][1:-1].isidentifier() else f" {_NAME} "
    if found["hidden"]:
        return f"{_HIDDEN}(" if "(" in found[0] else _HIDDEN
    return " 0 " if found["text"] else " "
