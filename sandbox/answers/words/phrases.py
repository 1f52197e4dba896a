"""Phrases by which answers say that something went wrong, or that nothing was found."""

import re

ERROR_IDENTIFIER = re.compile(
    r"\b(?:error|exception|failed|failure|fault|denied|unauthori[sz]ed|forbidden|not found"
    r"|not allowed|not permitted|not supported|expired|timeout)$"
    r"|^(?:invalid|no such|missing|unknown|bad) \w"
)
"""An error's own identifier, its words parted: "record not found", "no such job"."""
NOTHING_FOUND = re.compile(
    r"\bno (?:[\w'’]+[ -]){0,4}?(?:results?|data|records?|match(?:es)?|items?|entries|content|rows?"
    r"|information|\w+s (?:was |were |are |is )?(?:found|available|exist|match\w*|yet))\b"
    r"|\bno (?:[\w'’]+[ -]){0,4}(?:was |were |is |are |could be )?found\b"
    r"|\b(?:not|nothing|none|never|n't) (?:be |been )?(?:found|located)\b"
    r"|\bnothing to (?:show|list)\b|\b(?:0|zero) (?:results|matches|records|items|rows)\b"
    r"|\bno such (?!(?:thing|file|route|api|app|table|column|function|method|field)\b)\w"
    r"|\b(?:could|can|did)(?:no|n['’])t (?:be )?(?:find|found|locate)"
    r"|\b(?:could|can|did) not (?:be )?(?:find|found|locate)"
    r"|\b(?:unable|failed) to (?:find|locate)"
    r"|\b(?:do|does|did)?(?: ?not|n['’]t) exists?\b|\b(?:did|does|do) not match any\b"
    r"|\bnon-?existent\b|\bno .{1,80} matches the given query|\bzero_results\b"
    r"|\bthere(?: is| are|['’]s) no (?:[\w-]+ ){1,4}(?:named|called|with|for|matching|available)\b"
    r"|\b(?:list|results?|data) (?:is|are|was|were) empty\b|\bempty (?:result|response|set|list)\b"
    r"|\b(?:data|results?|information) (?:is |are )?not available\b"
    r"|\bhas no (?:results?|data|records?|entries|items)\b|\bno longer exists\b"
    r"|\bno (?!one|need|way|reason|point|doubt|place|idea|problem|matter|longer|more)[\w-]+ (?:with"
    r"|for|matching|by|of|in|under|named|called) (?:this|that|the|such|your|these|given)\b"
    r"|\b(?:do|does|did)(?: not|n['’]t) have any\b|\b0 \w+ found\b"
    r"|\bunknown (?:id|user|city|place)\b"
    r"|^(?:sorry,? )?(?:there (?:is|are) )?no (?:[\w-]+ ){1,3}(?:is |are )?(?:available|known)\b"
    r"|^\W*no (?!one|need|way|reason|point|doubt|idea|problem|matter|longer|more)(?:[\w-]+ ){1,3}"
    r"(?:['\"“‘«]\w|with (?:id|name|the)\b|called\b|named\b|by that (?:name|id)\b)",
    re.I,
)
"""What is said where a search or a look-up finds nothing; the thing named may not exist."""
NO_ENTRY = re.compile(
    r"(?:sorry,? )?(?:there (?:is|are|was|were) )?(?:(?:no|0|zero) (?:\w+ ){0,3}?(?:data|entry"
    r"|entries|results?|records?|match|matches|items?|content|information|info|found|available)"
    r"|no (?:matching|such|relevant|available) \w+|none found|nothing found|not found"
    r"|not available|empty)(?: (?:found|available|yet))?[.!]*",
    re.I,
)
"""A text that says that there is none, and nothing else."""

NO_SUCH = re.compile(r"\bno such \w", re.I)
"""What is said of a value that is named beside it: "no such file or directory: 'x.tif'"."""

ENDPOINT = re.compile(
    r"\b(?:endpoint|route|api|url|uri|path|method|page|service|version|operation)\b"
    r"|\bcannot (?:get|head|post|put|patch|delete) /|\bmissing authentication token\b"
    r"|\bno such (?:route|api|app)\b",
    re.I,
)
"""What a router speaks of, as against a resource."""
ROUTER = re.compile(
    r"\b(?:endpoint|route|url|uri)\b|\bcannot (?:get|head|post|put|patch|delete) /"
    r"|\bmissing authentication token\b|\bno such (?:route|api|app)\b",
    re.I,
)
"""What nothing but a router speaks of."""
REDIRECTS = re.compile(r"\bredirect", re.I)
"""How a document says that an operation answers with a redirect."""

STARTS_WITH_ERROR = re.compile(
    r"[\s\"'*#(\[]*(?:(?:an? |\w+ )?error\b(?! rate)|erro\b|erreur\b|fehler\b|errors?:"
    r"|exception\b|traceback\b|fatal\b|failed to\b|request failed\b"
    r"|\S{1,300}: error\s*[-:–]|\w{1,60}(?:error|exception): )",
    re.I,
)
ASKS_CALLER = re.compile(
    r"\W*(?:please\b|unable to\b|could(?: not|n['’]t)\b|can(?: ?not|['’]t)\b|you (?:must|need"
    r"|have to|are not|do not|don['’]t|should|can ?not|can['’]t)\b)",
    re.I,
)
"""How a message begins that says what could not be done, or what the caller has to do."""
CUT_ERROR = re.compile(r"\{\s*[\"'](?:error|exception|error_?message)[\"']:\s*[\"'{]\s*\w", re.I)
"""How an error's object begins that was cut on its way."""
BREAKS_OFF = re.compile(
    r"\W*(?:<br ?/?>\s*)?(?:traceback \(most recent|(?:php )?(?:fatal|parse) error:|uncaught \w+"
    r"|<b>(?:fatal error|parse error|warning)</b>:)",
    re.I,
)
"""How a program's own report of its end begins, however long it is."""
LABELLED = re.compile(
    r"\W{0,9}(?:\w{1,20} )?(?:error|erro|erreur|fehler|exception)s?\s*[:–-]", re.I
)
"""How a text begins that calls itself an error, whatever follows."""
OF_CALLS = re.compile(
    r"\b(?:param\w*|arguments?|fields?|values?|inputs?|requests?|quer(?:y|ies)|keys?|ids?|names?"
    r"|urls?|codes?|formats?|dates?|numbers?|strings?|integers?|body|json|required|please)\b",
    re.I,
)
"""What calls are made of: without any, a text that says "must be" or "invalid" may be an answer."""
GOOD_NEWS = re.compile(
    r"\b(?:success\w*|ok|okay|done|completed?|created|accepted|welcome|hello|alive|running|healthy"
    r"|logged (?:in|out)|pong)\b",
    re.I,
)
"""Words of a message that is no error's, whatever number stands beside it."""
ERROR_PAGE = re.compile(
    r"<(?:title|h1)[^>]*>[^<]{0,200}\b(?:error|forbidden|not found|denied|log ?in|sign ?in|captcha"
    r"|just a moment|attention required|unavailable|maintenance|bad gateway|unauthori[sz]ed"
    r"|domain is for sale|buy this domain|parked"
    r"|[45]\d\d)\b",
    re.I,
)
ERROR_XML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?<(?:\w+:)?(?:error|errors|fault|exception)\b"
    r"|\s*<[^!].{0,400}?<(?:\w+:)?(?:error|fault|exception|error_?(?:message|code|msg))\b[^>/]*>"
    r"\s*[^<\s]|\s*<[^!].{0,400}?<(?:\w+:)?(?:status|result)>\s*(?:error|fail(?:ed|ure)?)\s*<",
    re.I | re.S,
)
"""XML that is an error, or that holds one near its beginning."""
TRANSIENT = re.compile(
    r"\b(?:temporar(?:y|ily)|try again|retry|maintenance|overload(?:ed)?|503)\b", re.I
)
"""Words by which a server says that its failure is transient."""
HTML = re.compile(r"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype html|html|head|body)\b", re.I | re.S)


_COURTESY = re.compile(r"\W*(?:thanks?|thank you|sorry|oops|hello|hi|dear|welcome)\b", re.I)
_SENTENCE_END = re.compile(r"(?<!\.\.)(?:(?<=[.!?])[\"')\]]*\s+(?=\S)|\n+)")
_READ = 10_000
"""Characters in which a first sentence is looked for."""


def leading(message: str) -> str:
    """The first sentence of two words or more: what a tool appends to it excuses nothing.

    With a courtesy, which says nothing, goes the next one.
    """
    text = message.strip()[:_READ]
    ends = [found.start() for found in _SENTENCE_END.finditer(text)]
    said = ends[1:] if _COURTESY.match(text) else ends
    return text[: next((end for end in said if " " in text[:end]), len(text))]
