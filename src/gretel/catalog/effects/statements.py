"""Statements that write, as the value of an argument: SQL, GraphQL, SPARQL, Cypher, Redis, MongoDB.

A statement counts where it begins: at the start of the value, behind a semicolon, behind what only
leads to it (`EXPLAIN ANALYZE`, `WITH … AS (…)`). "How to delete from a table" is no statement.
"""

import re
from functools import lru_cache

from gretel.catalog.effects.sql import verb_of_query

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?:--|#)[^\n]*(?:\n|\Z)", re.S)
_THING = (
    r"(?:(?:or\s+replace|unique|temp(?:orary)?|materialized|global|external|if\s+(?:not\s+)?exists)"
    r"\s+)*(?:column|database|function|graph|index|keyspace|procedure|role|schema|sequence|table"
    r"|series|measurement|retention\s+policy|shard|tablespace|trigger|type|user|view)\b"
)
_STATEMENT = re.compile(
    r"(?:^|[;()]|\bexplain\b|\banalyze\b|\bbegin\b)\s*(?:"
    r"(?:delete\s+from|(?:insert|merge|replace)\s+into|insert\s+overwrite|truncate\s+(?:table\s+)?\w+"
    r"|update\s+(?:\"[^\"]{1,400}\"|\[[^\]]{1,400}\]|\S{1,400})\s+set|lock\s+tables?|rename\s+table|grant\s+\w[\w\s,]{0,400}\s+(?:on|to)"
    r"|revoke\s+\w[\w\s,]{0,400}\s+(?:on|from)|exec(?:ute)?\s+\w*sp_)\b"
    rf"|(?:alter|create|drop)\s+{_THING}"
    r"|(?:delete|insert)\s+(?:data\s*|where\s*)?\{|(?:clear|drop)\s+(?:all|default|graph|named)\b"
    r"|call\s+\w[\w.]{0,400}\s*[(;]|vacuum\b|flush(?:all|db)\b|\.drop\s+\w|(?:at|de)tach\s+database\b"
    r"|copy\s+(?:[\w.\"]{1,400}\s*)?(?:\([^;]{1,400}?\)\s*)?(?:from|to)\s+(?:'|program\b|stdin\b)"
    r"|exec(?:ute)?\s+(?:immediate\b|\(|[\w.\[\]]{0,200}\bxp_)|do\s+\$|load\s+data\b|refresh\s+materialized\b)"
    r"|[\"']\$(?:merge|out)[\"']\s*:"
    r"|\binto\s+(?:outfile|dumpfile)\b|\bdetach\s+delete\b"
    r"|\bmatch\s*\([^;]{0,1000}\b(?:delete|remove|set|create|merge)\s+[\w(]",
    re.I,
)

_SELECT = re.compile(r"(?:^|[;()]|\bexplain\b|\banalyze\b|\bbegin\b)\s*select\s", re.I)
_FUNCTION = re.compile(
    r"(?<![a-z])(?:cancel|drop|exec|kill|purge|reload|rotate|shutdown|terminate|unlink)_?\w{0,80}\s?\(",
    re.I,
)
_MUTATION = re.compile(r"\bmutation\b", re.I)


@lru_cache(maxsize=8)
def verb_of_statement(text: str) -> str | None:
    """The word by which a statement in `text` says that it writes, however much stands between.

    The last texts are remembered: one is asked about under each name that stands around it.
    """
    code, verb = verb_of_query(text)
    if code is not None:
        return verb or _written(code)
    return _written(text) or _written(_COMMENT.sub(" ", text))


def _written(text: str) -> str | None:
    text = " ".join(text.split())
    found = _STATEMENT.search(text)
    if found is None and (selected := _SELECT.search(text)):
        found = _FUNCTION.search(text, selected.end())
    if found is not None:
        return re.split(r"[\s({]", found[0].strip(" ;()"))[0].lower()
    *before, _ = text.split("{")
    return "mutation" if any(_MUTATION.search(each.rpartition("}")[2]) for each in before) else None
