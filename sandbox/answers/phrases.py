"""Words by which answers say that something went wrong, or that nothing was found.

Keys are compared in lower case without blanks, `_`, `-` and `.`.
"""

import re

from gretel.contracts.trial import FailureKind
from gretel.text.words import word_set


def plain_key(key: str) -> str:
    """`key` as the sets below have it."""
    return re.sub(r"[\s_.-]", "", key).lower()


ERROR_KEYS = word_set(
    "error errors err errormessage errormsg errordescription errordetails exception fault faults"
)
STATUS_KEYS = word_set(
    "status statuscode code cod httpcode httpstatus httpstatuscode errorcode errno"
)
SUCCESS_KEYS = word_set("success ok succeeded issuccess successful")
WORD_KEYS = word_set("status stat result response type")
"""Keys whose value may be the word `error`."""
MESSAGE_KEYS = word_set(
    "message msg messages detail details info information note notes reason title"
)
COUNT_KEYS = word_set(
    "total count totalcount totalresults totalitems totalhits totalrecords resultcount "
    "resultscount numresults numfound numberofresults hitcount found matches results"
)
CONTAINER_KEYS = word_set("data result results response payload body content items value")
LIST_KEYS = word_set("results items hits records matches entries features rows searchresults")
"""Keys of the main list of a search: empty there is empty altogether."""

ENVELOPE_KEYS = (
    STATUS_KEYS
    | SUCCESS_KEYS
    | COUNT_KEYS
    | word_set(
        "requestid traceid correlationid timestamp ts took timedout elapsed executiontime page "
        "pages totalpages pagenumber pagesize perpage limit offset next previous prev hasmore "
        "hasnext nextpage cursor nextcursor nextpagetoken meta metadata pagination paging query "
        "params parameters request input version apiversion copyright kind etag"
    )
)
"""What stands around an answer and is none itself."""

CONTEXT_KEYS = (
    ENVELOPE_KEYS
    | ERROR_KEYS
    | MESSAGE_KEYS
    | WORD_KEYS
    | word_set("time datetime path method instance documentationurl docs help hint description")
    | word_set("stack stacktrace trace")
)
"""What stands around an error."""

ERROR_WORDS = word_set(
    "error errors err fail failed failure nok ko denied unauthorized forbidden exception "
    "invalid_request request_denied over_query_limit not_found zero_results"
)
GOOD_WORDS = word_set(
    "ok okay success successful succeeded true none null no false 0 200 201 done complete "
    "completed found n/a - noerror no_error"
)
"""Words that say that all is well, or that there is no error."""

NOTHING_FOUND = re.compile(
    r"\bno (?:\w+[ -]){0,4}?(?:results?|data|records?|match(?:es)?|items?|entries|content|rows?"
    r"|\w+s (?:was |were )?(?:found|available|match\w*))\b"
    r"|\bno (?:\w+[ -]){0,4}(?:was |were )?found\b|\b(?:not|nothing|none) (?:be )?found\b"
    r"|\b0 results\b"
    r"|\b(?:could|can)(?:no|n['’])t (?:be )?(?:find|found|locate)|\bcould not (?:be )?(?:find|found"
    r"|locate)|\bunable to (?:find|locate)|\bdoes(?: not|n['’]t) exist\b|\bdid not match any\b"
    r"|\bno .{1,80} matches the given query|\bzero_results\b|\bunknown (?:id|user|city|place)\b",
    re.I,
)

ENDPOINT = re.compile(
    r"\b(?:endpoint|route|api|url|uri|path|method|page|service|version|operation)\b"
    r"|\bcannot (?:get|head|post|put|patch|delete) /|\bmissing authentication token\b",
    re.I,
)
"""What a router speaks of, as against a resource."""

KIND_PHRASES: tuple[tuple[FailureKind, re.Pattern[str]], ...] = (
    (
        "drift",
        re.compile(
            r"no route matched|cannot (?:get|head|post) /|missing authentication token", re.I
        ),
    ),
    (
        "rate_limit",
        re.compile(
            r"rate.?limit|too many requests|\bquota\b|(?:request|call|usage|daily|monthly) limit"
            r"|limit (?:was |has been )?(?:exceeded|reached)|over_query_limit|throttl"
            r"|exceeded .{0,40}\b(?:limit|requests|calls)\b|\bout of (?:credits|requests|calls)\b"
            r"|\bno (?:more )?(?:credits|requests|calls) (?:left|remaining)\b",
            re.I,
        ),
    ),
    (
        "permission",
        re.compile(
            r"not subscribed|unsubscribed|disabled for your|upgrade your (?:plan|account)"
            r"|access (?:is |was )?denied|forbidden|payment required|blocked user"
            r"|not (?:allowed|permitted) to (?:access|use|call)"
            r"|insufficient (?:scopes?|permissions?|privileges)",
            re.I,
        ),
    ),
    (
        "auth",
        re.compile(
            r"unauthori[sz]ed|unauthenticated|not authenticated|authentication (?:failed|required)"
            r"|(?:invalid|missing|no|expired|incorrect|wrong|valid) .{0,24}"
            r"\b(?:api.?key|app.?id|access.?token|auth\w* token|credentials?|jwt)\b"
            r"|\b(?:api.?key|access.?token|credentials?)\b.{0,24}\b(?:invalid|missing|required"
            r"|expired|not valid|incorrect)|\b(?:invalid|expired|missing) token\b"
            r"|\btoken (?:is |has )?(?:invalid|expired)|(?:log|sign).?in (?:is )?required"
            r"|please (?:log|sign) in\b",
            re.I,
        ),
    ),
    ("timeout", re.compile(r"tim(?:ed?|e).?out|deadline exceeded", re.I)),
    (
        "drift",
        re.compile(
            r"\b(?:endpoint|route|api(?!.?key)|operation)\b.{0,80}\b(?:does(?: not|n['’]t) exists?"
            r"|not found|no longer|removed|retired|discontinued|deprecated)"
            r"|exceeded \d+ redirects|requested url was not found",
            re.I,
        ),
    ),
    (
        "server_error",
        re.compile(
            r"^\W*traceback \(|unhandled exception|internal (?:server )?error|\bserver error\b"
            r"|not working|bad gateway|something went wrong|unexpected error|connection refused"
            r"|econnrefused|no healthy upstream|upstream connect error"
            r"|\b(?:service|server|api|system|backend|site|host) (?:is |are )?(?:currently "
            r"|temporarily )*(?:unavailable|unreachable|down|offline|overloaded|busy)\b"
            r"|temporarily (?:unavailable|out of service|down|offline)|under maintenance"
            r"|maintenance mode|try again (?:later|in a (?:few|moment|minute|while))",
            re.I,
        ),
    ),
    (
        "connection",
        re.compile(
            r"connection (?:broken|aborted|reset)|incompleteread|max retries exceeded"
            r"|remote end closed|econnreset",
            re.I,
        ),
    ),
    (
        "rejected_arguments",
        re.compile(
            r"\b(?:is|are|were) (?:required|missing|invalid|not valid|not supported)"
            r"|\bmust (?:be|have|contain|provide)|\binvalid\b"
            r"|\bmissing (?:the )?(?:required|param\w*|field|argument|value)"
            r"|\b(?:unrecogni[sz]ed|unsupported|illegal|malformed)\b"
            r"|^unknown \w+|bad request|parse error|^please (?:provide|specify|enter)"
            r"|validation (?:errors?|failed)"
            r"|\b(?:field|param\w*|property|argument) (?:is )?required"
            r"|\bparam\w* .{0,60}\bnot present|failed to convert|\binput should be\b"
            r"|\bshould not be empty\b|\bensure this value\b|\bnot (?:a valid|an allowed) "
            r"|unexpected keyword argument|missing \d+ required",
            re.I,
        ),
    ),
)
"""Kinds of failure, by what a message says; the first that matches."""

STARTS_WITH_ERROR = re.compile(
    r"[\s\"'*#(\[]*(?:(?:an? |\w+ )?error\b(?! rate)|errors?:|exception\b|traceback\b|fatal\b"
    r"|failed to\b|request failed\b)",
    re.I,
)
ERROR_PAGE = re.compile(
    r"<(?:title|h1)[^>]*>[^<]{0,200}\b(?:error|forbidden|not found|denied|log ?in|sign ?in|captcha"
    r"|just a moment|attention required|unavailable|maintenance|bad gateway|unauthori[sz]ed"
    r"|[45]\d\d)\b",
    re.I,
)
ERROR_XML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:\w+:)?(?:error|errors|fault|exception)\b", re.I)
TRANSIENT = re.compile(
    r"\b(?:temporar(?:y|ily)|try again|retry|maintenance|overload(?:ed)?|503)\b", re.I
)
"""Words by which a server says that its failure is transient."""
HTML = re.compile(r"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype html|html|head|body)\b", re.I | re.S)


_SENTENCE_END = re.compile(r"(?<!\.\.)(?:(?<=[.!?])[\"')\]]*\s+(?=\S)|\n+)")


def leading(message: str) -> str:
    """The first sentence of two words or more: what a tool appends to it excuses nothing."""
    text = message.strip()
    ends = (found.start() for found in _SENTENCE_END.finditer(text))
    return text[: next((end for end in ends if " " in text[:end]), len(text))]


def kind_of(message: str) -> FailureKind | None:
    """The kind of failure that `message` speaks of, or None where it speaks of none."""
    return next((kind for kind, phrase in KIND_PHRASES if phrase.search(message)), None)
