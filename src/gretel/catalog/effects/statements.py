"""Statements that write, as the value of an argument: SQL, GraphQL, SPARQL, Cypher, Redis, MongoDB.

A statement counts where it begins: at the start of the value, behind a semicolon, behind what only
leads to it (`EXPLAIN ANALYZE`, `WITH … AS (…)`). "How to delete from a table" is no statement.
"""

import re

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?:--|#)[^\n]*(?:\n|\Z)", re.S)
_THING = (
    r"(?:(?:or\s+replace|unique|temp(?:orary)?|materialized|global|external|if\s+(?:not\s+)?exists)"
    r"\s+)*(?:column|database|function|graph|index|keyspace|procedure|role|schema|sequence|table"
    r"|series|measurement|retention\s+policy|shard|tablespace|trigger|type|user|view)\b"
)
_STATEMENT = re.compile(
    r"\bmutation\b[^{}]{0,500}\{"
    r"|(?:^|[;()]|\bexplain\b|\banalyze\b|\bbegin\b)\s*(?:"
    r"(?:delete\s+from|(?:insert|merge|replace)\s+into|insert\s+overwrite|truncate\s+(?:table\s+)?\w+"
    r"|update\s+(?:\"[^\"]{1,80}\"|\[[^\]]{1,80}\]|\S{1,80})\s+set|lock\s+tables?|rename\s+table|grant\s+\w[\w\s,]{0,80}\s+(?:on|to)"
    r"|revoke\s+\w[\w\s,]{0,80}\s+(?:on|from)|exec(?:ute)?\s+\w*sp_)\b"
    rf"|(?:alter|create|drop)\s+{_THING}"
    r"|(?:delete|insert)\s+(?:data\s*|where\s*)?\{|(?:clear|drop)\s+(?:all|default|graph|named)\b"
    r"|call\s+\w[\w.]{0,80}\s*\(|vacuum\b|flush(?:all|db)\b|\.drop\s+\w"
    r"|copy\s+[^;]{1,200}?\b(?:to\s+program|from\s+(?:program|stdin))\b"
    r"|select\s+[^;]{0,200}?\b(?:\w+_)?(?:cancel|drop|exec|kill|purge|reload|rotate|shutdown"
    r"|terminate|unlink)_?\w*\s*\()"
    r"|[\"']\$(?:merge|out)[\"']\s*:"
    r"|\binto\s+(?:outfile|dumpfile)\b|\bdetach\s+delete\b"
    r"|\bmatch\s*\([^;]{0,100}\b(?:delete|remove|set|create|merge)\s+[\w(]",
    re.I,
)


def verb_of_statement(text: str) -> str | None:
    """The word by which a statement in `text` says that it writes."""
    found = _STATEMENT.search(text) or _STATEMENT.search(_COMMENT.sub(" ", text))
    return re.split(r"[\s({]", found[0].strip(" ;()\n\t"))[0].lower() if found else None
