"""Statements that write, as the value of an argument: SQL, GraphQL, SPARQL, Cypher, Redis, MongoDB.

A statement counts where it begins: at the start of the value, behind a semicolon, behind what only
leads to it (`EXPLAIN ANALYZE`, `WITH … AS (…)`, `PREFIX …`). "How to delete from a table" is no
statement. Of a language that is in no list, the verb in capitals says it (`REMOVE TABLE t`).
"""

import re
from functools import lru_cache

from gretel.catalog.effects.english import is_order, is_verb
from gretel.catalog.effects.values.sql import GRAMMAR, verb_of_query
from gretel.catalog.effects.verb_lists import VERBS
from gretel.text.words import STOP_WORDS

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?:--|#)[^\n]*(?:\n|\Z)", re.S)
_RUN = re.compile(r"/\*m?!\d*|\*/", re.I)
"""Around a comment that MySQL runs."""
_THING = (
    r"(?:(?:or\s+replace|unique|temp(?:orary)?|materialized|global|external|if\s+(?:not\s+)?exists)"
    r"\s+)*(?:column|constraint|database|function|graph|index|keyspace"
    r"|measurement|owned\s+by|procedure|retention\s+policy|role|schema|sequence|series"
    r"|shard|table|tablespace|trigger|type|user|view)\b"
)
_BEGINS = (
    r"(?:^|[;()]|\bexplain\b|\banalyze\b|\bbegin(?:\s+tran(?:saction)?|(?:\s+(?:counter|unlogged|logged))?\s+batch)?\b|\bnocount\s+on\b"
    r"|^(?:(?:base|with|using(?:\s+named)?|prefix\s+\S{0,80})\s*<[^<>]{0,400}>\s*){1,40}"
    r"|\buse\s+\w{1,80}\s|\b(?:if|while)\s+\w{1,40}\s*[=<>]+\s*\S{1,40}\s|\bdeclare\s+@[^;]{1,200}?\s)\s*"
)
_LOUD = r"(?:(?:delayed|high_priority|ignore|low_priority|only|or\s+\w+|quick|top\s*\(\d+\))\s+)*"
_STATEMENT = re.compile(
    _BEGINS + r"(?:"
    rf"(?:delete\s+{_LOUD}from|(?:insert|merge|replace|upsert)\s+{_LOUD}into|insert\s+overwrite"
    r"|truncate\s+(?:table\s+)?\w+"
    r"|update\s+(?:\"[^\"]{1,400}\"|\[[^\]]{1,400}\]|\S{1,400})\s+set|lock\s+tables?"
    r"|rename\s+(?:table|user)|grant\s+\w[\w\s,]{0,400}\s+(?:on|to)"
    r"|revoke\s+\w[\w\s,]{0,400}\s+(?:on|from)|exec(?:ute)?\s+\w*sp_\w+)\b"
    rf"|update\s+{_LOUD}\S[^;]{{0,400}}?\s+set\s+\S{{1,200}}\s*="
    r"|delete\s+(?:\w{1,80}\.\* ?(?:, ?)?){1,20}from\b"
    r"|delete\s+(?P<of>\w{1,80})\s+(?:where\s+\S{1,200}\s*[=<>]|from\s+\S{1,200}\s+(?:as\s+)?(?P=of)\b)"
    r"|(?:insert|replace)\s+[\w.]{1,200}\s*(?:\([^()]{1,400}\)\s*)?(?:values\s*\(|select\b)"
    rf"|(?:alter|create|drop)\s+{_THING}|alter\s+(?:session|system)\b|comment\s+on\s+{_THING}"
    r"|(?:create|merge)\s*\(\s*\w{0,80}\s*[:{]|import\s+foreign\s+schema\b|prepare\s+\w{1,80}\s+from\b"
    r"|(?:optimize|reindex|repair)\s+(?:database|index|schema|table)\b|kill\s+(?:query\s+)?\d"
    r"|reset\s+(?:master|replica|slave)\b|set\s+(?:global|password|persist|role)\b"
    r"|(?:delete|insert)\s+(?:data\s*|where\s*)?\{|(?:clear|drop)\s+(?:all|default|graph|named)\b"
    r"|load\s+(?:data\b|<)|(?:add|copy|move)\s+(?:silent\s+)?(?:graph\b|<)"
    r"|call\s+\w[\w.]{0,400}\s*[(;]|vacuum\b|flush(?:all|db)\b|(?:at|de)tach\s+database\b"
    r"|attach\s+(?:'[^']{1,400}'|\"[^\"]{1,400}\")|(?:ex|im)port\s+database\s+'"
    r"|\.(?:alter|append|create|delete|drop|ingest|purge|set)(?:-\w+)*\s+\w"
    r"|copy\s+(?:[\w.\"]{1,400}\s*)?(?:\([^;]{1,400}?\)\s*)?(?:from|to)\s+(?:'|program\b|stdin\b)"
    r"|exec(?:ute)?\s*\(\s*(?:n?'|@)|exec(?:ute)?\s+(?:immediate\b|procedure\b|\(|[\w.\[\]]{0,200}\bxp_|\w{1,80}\.\w|\w{1,200}\s+@\w)"
    r"|merge\s+(?:into\s+)?\S{1,200}\s+(?:(?:as\s+)?\w{1,80}\s+)?using\s"
    r"|for\s+\w{1,80}\s+in\s[^;]{1,200}?\s(?:insert|remove|replace|update|upsert)\s+(?:\{|\w{1,80}\s+(?:in|into|with)\b)"
    r"|do\s+\$|refresh\s+materialized\b|copy\s+into\s+\S{1,200}\s+from\b|msck\s+repair\b"
    r"|undrop\s+(?:database|schema|table)\b"
    r"|(?:alter|create)\s+(?:extension|login|publication)\s+\S{1,80}\s+(?:add|disable|drop|for|from|set|with)\b"
    r"|create\s+event\s+\S{1,80}\s+on\s+schedule\b|alter\s+default\s+privileges\b|reassign\s+owned\b"
    r"|purge\s+(?:(?:binary|master)\s+logs\s+(?:before|to)|recyclebin)\b"
    r"|(?:flush\s+(?:hosts|logs|privileges|status|tables)|(?:start|stop)\s+(?:replica|slave))\s*(?:;|$)"
    r"|change\s+master\s+to\s+\w+\s*=|install\s+plugin\s+\w+\s+soname\b"
    r"|foreach\s*\(\s*\w+\s+in\s*[\[\w]+[^)]*\||load\s+csv\s+(?:with\s+headers\s+)?from\b|upsert\s*\{"
    r"|call\s*\{[^}]{0,1000}\b(?:delete|remove|set|create|merge)\b)"
    r"|^\{\s*(?:\?\s*=\s*)?call\s+[\w.]{1,200}\s*\("
    r"|[{\"']\s*\$(?:merge|out)[\"']?\s*:"
    r"|\bdb\b[^;]{0,120}?\.(?:admincommand|bulk|create|delete|drop|find(?:one)?and|insert|remove|rename|replace"
    r"|runcommand|save|shutdown|update)\w{0,40}\s*\("
    r"|^\{\s*[\"'](?:drop(?:database|indexes)?[\"']\s*:\s*[\"'1]|(?:insert|update)[\"']\s*:[^{}]{1,200}"
    r"[\"'](?:documents|updates)[\"']\s*:|(?:collmod|renamecollection|(?:create|drop|update)(?:role|user))"
    r"[\"']\s*:\s*[\"'])"
    r"|\bg\.(?:[^;]{0,400}?\.)?(?:adde|addv|drop|mergee|mergev|property)\s*\("
    r"|\binto\s+(?:outfile|dumpfile)\b|\bdetach\s+delete\b|\|>\s*to\s*\("
    r"|\b(?:match\s*(?:\w{1,40}\s*=\s*)?\(|unwind\s)[^;]{0,1000}\b(?:delete|remove|set|create|merge)\s+[\w(]",
    re.I,
)

_SELECT = re.compile(r"(?:^|[;()]|\bexplain\b|\banalyze\b|\bbegin\b)\s*select\s", re.I)
_FUNCTION = re.compile(
    r"(?<![a-z])(?:cancel|drop|exec|kill|purge|reload|rotate|shutdown|terminate|unlink)_?\w{0,80}\s?\(",
    re.I,
)
_MUTATION = re.compile(r"\bmutation\b", re.I)


_KEYWORD = re.compile(r"\s*[A-Z]{3,}\s")
"""The beginning of a statement as most people write it: `REMOVE TABLE t`."""
_WORDS = 6
"""Words of a command that are looked at."""
_PROSE = {word for word in STOP_WORDS - GRAMMAR if word == "a" or len(word) > 1}
"""Words of a sentence that no language of databases has."""


@lru_cache(maxsize=8)
def verb_of_statement(text: str) -> str | None:
    """The word by which a statement in `text` says that it writes, however much stands between.

    The last texts are remembered: one is asked about under each name that stands around it.
    """
    code, verb = verb_of_query(text)
    if code is not None:
        return verb or _written(code)
    if _KEYWORD.match(text) and not text.isupper() and (verb := verb_of_command(text)):
        return verb
    forms = (text, _COMMENT.sub(" ", text), _RUN.sub(" ", text))
    return next(filter(None, map(_written, dict.fromkeys(forms))), None)


def verb_of_command(text: str) -> str | None:
    """The verb that a command of several words begins with: `DROP TASK t`, but no sentence."""
    first, *rest = text.lower().split(None, _WORDS) or [""]
    plain = first.isalpha() and _PROSE.isdisjoint(rest) and text[-1] not in ".!?…"
    return first if plain and (first in VERBS or (is_verb(first) and is_order(first))) else None


def _written(text: str) -> str | None:
    text = " ".join(text.split())
    found = _STATEMENT.search(text)
    if found is None and (selected := _SELECT.search(text)):
        found = _FUNCTION.search(text, selected.end())
    if found is not None:
        return next(iter(re.findall(r"\w+", found[0])), "statement").lower()
    *before, _ = text.split("{")
    return "mutation" if any(_MUTATION.search(each.rpartition("}")[2]) for each in before) else None
