"""The kind of failure that a message speaks of.

Two tables. The words of the first say by themselves that a call failed, in whatever text they
stand. Those of the second also stand in plain texts, and only tell what an error is about that is
known to be one: by its key, its status, or its place.
"""

import re
from typing import TypeAlias

from gretel.contracts.trial import FailureKind

Phrases: TypeAlias = tuple[tuple[FailureKind, re.Pattern[str]], ...]

_SECRET = (
    r"(?:api.?keys?|app.?(?:id|key)|(?:access|auth\w*|bearer|session|security|csrf|client)"
    r".?(?:tokens?|keys?|secret)|credentials?|jwt|authori[sz]ation(?: header)?|signature)"
)
"""What a caller proves itself with."""
_LACKING = (
    r"(?:invalid|missing|required|expired|incorrect|wrong|not (?:valid|provided|supplied|set|found"
    r"|recogni[sz]ed)|needed|unknown|revoked|disabled|denied|does not match|mismatch)"
)


def _phrases(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.I)


PLAIN: Phrases = (
    (
        "drift",
        _phrases(
            r"no route (?:was )?(?:matched|found)|cannot (?:get|head|post|put|patch|delete) /",
            r"missing authentication token",  # AWS's gateway, of a path that it does not know
            r"\bno such app\b|deployment_not_found",  # Heroku's and Vercel's routers
        ),
    ),
    (
        "rate_limit",
        _phrases(
            r"rate.?limit|\brate exceeded|too many requests|\bquota\b|over_query_limit|throttl",
            r"(?:request|call|usage|daily|hourly|monthly|api|free) limit(?!ed|less)",
            r"\blimit (?:was |has been |is )?(?:exceeded|reached|hit)",
            r"exceeded .{0,40}\b(?:limit|requests|calls)\b",
            r"\b(?:call|request) frequency\b|\b(?:calls|requests) per (?:second|minute|hour|day)\b",
            r"\bout of (?:credits|requests|calls)\b|\bslow down\b.{0,40}\brequests\b",
            r"\b(?:no|not enough|insufficient) (?:more )?(?:api )?(?:credits?|requests|calls)\b",
        ),
    ),
    (
        "permission",
        _phrases(
            r"not subscribed|unsubscribed|disabled for your|upgrade your (?:plan|account)",
            r"access (?:to .{1,60} )?(?:is |was |has been )?denied|\baccessdenied\b",
            r"\bforbidden(?: (?:resource|access|request|operation))?\b(?! \w)",
            r"(?:\bis|access|http|40\d) forbidden\b",
            r"permission denied|payment required|billing (?:is )?required|blocked user|captcha",
            r"\b(?:ip|address|user|country) .{0,30}\b(?:is |was "
            r"|has been )?(?:blocked|banned|not (?:allowed|whitelisted))",
            r"not (?:allowed|permitted|authori[sz]ed|entitled) to (?:access|use|call|perform|view)",
            r"(?:do(?:es)? not|don['’]t|no longer) have (?:\w+ )?access|resource not accessible",
            r"please upgrade|not (?:yet )?whitelisted",
            r"(?:insufficient|no|not enough|lacks?|(?:don['’]?t|do not|does not) have) (?:the )?"
            r"(?:\w+ )?(?:scopes?|permissions?|privileges|access rights)",
            r"\b(?:account|subscription|licen[cs]e|trial|plan) (?:is |has |was |has been )?"
            r"(?:expired|suspended|inactive|disabled|blocked|not active|required)",
            r"\b(?:premium|paid|pro|enterprise) (?:plan|feature|endpoint|subscription|account"
            r"|users?)\b.{0,40}\b(?:only|required|need)|only available (?:to|for|on|in) .{0,30}"
            r"\b(?:paid|premium|subscribers?|plans?)\b",
            r"not (?:available|included|supported) (?:in|on|with|for|under) (?:your|the|this) "
            r"(?:current )?(?:\w+ )?(?:plan|subscription|tier)",
        ),
    ),
    (
        "auth",
        _phrases(
            r"unauthori[sz]ed|unauthenticated|not (?:authenticated|logged.?in|signed.?in)\b",
            r"(?:user )?authenti(?:cation|cate) (?:has )?(?:failed|required|error|failure|needed)",
            rf"(?:invalid|missing|no|expired|incorrect|wrong|valid|bad) .{{0,24}}\b{_SECRET}\b",
            rf"\b{_SECRET}\b.{{0,24}}\b{_LACKING}",
            r"\b(?:no|invalid|expired|missing|bad|wrong) (?:\w+ )?token\b",
            r"\btoken (?:is |has |was |not )?(?:been )?(?:invalid|expired|required|missing|revoked"
            r"|not (?:valid|provided|found)|provided)\b",
            r"\b(?:log|sign).?in (?:is )?(?:required|first)|\bplease (?:log|sign).?in\b",
            r"\b(?:must|need to|have to|required to) (?:be )?(?:log|sign|authenticat)\w*.?(?:in"
            r"|ed)?\b",
            r"\b(?:invalid|wrong|incorrect|bad) (?:user ?name|login|password|user) ?(?:or|and|/)",
            r"\bsession (?:has |is )?expired|\bapi.?key=",
            r"\bauthori[sz]ation (?:has been |was |is )?(?:denied|required|failed|missing)\b",
        ),
    ),
    ("timeout", _phrases(r"\btim(?:ed?|e|ing).?out\b|deadline exceeded|\btimeout\b|\betimedout\b")),
    (
        "connection",
        _phrases(
            r"connection (?:broken|aborted|reset|closed|failed)|incompleteread",
            r"max retries exceeded|remote end closed|econnreset|getaddrinfo|\benotfound\b",
            r"name or service not known|failed to establish a new connection|no route to host",
            r"network is unreachable|certificate (?:verify failed|has expired)|socket hang up",
            r"could ?n[o']t (?:connect|resolve host)|could not (?:connect|resolve host)",
        ),
    ),
    (
        "drift",
        _phrases(
            r"\b(?:endpoint|route|api(?!.?key)|operation|service)\b.{0,80}\b(?:do(?:es)?(?: not"
            r"|n['’]t) exists?|not found|no longer|removed|retired|discontinued|deprecated"
            r"|shut ?down|closed down|sunset|moved|decommissioned|disabled)",
            r"exceeded \d+ redirects|requested url was not found|\brequested url .{0,200}not found",
            r"\b(?:unknown|no such|invalid|undefined|unsupported) (?:endpoint|route|api (?:method"
            r"|version)|operation)\b",
            r"^\W*unknown (?:tool|function|command|action)\b|method (?:\W?\w+\W? )?not allowed",
            r"\bnothing (?:to see )?here\b.{0,5}$",
            r"domain (?:is )?(?:for sale|parked)",
        ),
    ),
    (
        "server_error",
        _phrases(
            r"^\W*traceback \(|unhandled exception|internal (?:server )?error|\bserver error\b",
            r"not working|bad gateway|something (?:went|has gone) wrong|unexpected error",
            r"connection refused|econnrefused|no healthy upstream|upstream connect error",
            r"\b(?:service|server|api|system|backend|site|host|database|endpoint)s? (?:is |are )?"
            r"(?:currently |temporarily |not )*(?:unavailable|unreachable|down|offline|overloaded"
            r"|busy|available)\b",
            r"\b(?:api|server|service|host|backend|upstream)s? (?:does|did|do|is|are)"
            r"(?: not|n['’]t) (?:respond\w*|reachable|running|accessible)\b",
            r"temporarily (?:unavailable|out of service|down|offline|disabled)|under maintenance",
            r"maintenance mode|try again (?:later|in a (?:few|moment|minute|while)|after)",
            r"\ban? (?:\w+ )?error (?:has |was )?(?:occurred|encountered|happened)|^oops\b",
            r"expecting value: line \d|unexpected (?:token .{1,40} in|end of) json",
            r"\bsqlstate\b|\bapplication error\b|\bfatal error\b|\bsegmentation fault\b",
            r"cannot read propert|is not a function\b|object reference not set|\bnull ?pointer",
            r"'nonetype' object|list index out of range|undefined (?:index|variable|offset)",
        ),
    ),
    (
        "rejected_arguments",
        _phrases(
            r"\b(?:is|are) an? required\b|\brequired (?:param\w*|fields?|arguments?)\b",
            r"\bnot valid\b",
            r"\b(?:is|are|were|was) (?:required|missing|invalid|not valid|not supported|incorrect"
            r"|malformed|out of range|not recogni[sz]ed)",
            r"\bmust (?:be|have|contain|provide|not|match|specify|supply)\b|\binvalid\b",
            r"\bmissing (?:the |a |an )?(?:required|mandatory|param\w*|field|argument|value|query)",
            r"\b(?:unrecogni[sz]ed|unsupported|illegal|malformed)\b",
            r"^unknown \w+|bad request|parse error|^please (?:provide|specify|enter|supply|check)",
            r"validation (?:errors?|failed)|validation for .{1,80} failed",
            r"\b(?:field|param\w*|property|argument)s? (?:is |are )?(?:required|missing|mandatory)",
            r"\bparam\w* .{0,60}\bnot present|failed to convert|\binput should be\b",
            r"\b(?:should|can ?not|can['’]t|may not|must not) (?:not )?be (?:empty|blank|null)\b",
            r"\bensure this value\b|\bnot (?:a valid|an allowed|an? supported) ",
            r"\bonly .{1,60} (?:is|are) (?:allowed|supported|accepted|permitted|valid)\b",
            r"unexpected keyword argument|missing \d+ required|\bdoes not (?:support|accept) \w+",
            r"\b(?:wrong|incorrect|bad|unexpected) (?:\w+ )?(?:param\w*|argument|format|value|input"
            r"|type|syntax)s?\b|\bno such (?:table|column|field|parameter|option)\b|syntax error",
        ),
    ),
)
"""The first that matches; the order is from what is most to what is least particular."""

NAMING: Phrases = (
    (
        "permission",
        _phrases(r"not allowed|not permitted|permission|subscri(?:be|ption)|\bdenied\b"),
    ),
    ("auth", _phrases(r"\b(?:token|login|log in|sign in|password|api.?key|authori[sz]\w+)\b")),
    (
        "rejected_arguments",
        _phrases(
            r"\b(?:required|missing|expected|param\w*|argument|format|not in|one of|at least"
            r"|at most|greater than|less than|too (?:long|short|large|small))\b"
        ),
    ),
    ("server_error", _phrases(r"\b(?:exception|internal|database|crash\w*|failed to \w+)\b")),
)
"""What an error is about that is known to be one."""


def kind_of(message: str) -> FailureKind | None:
    """The kind of failure that `message` speaks of, or None where it speaks of none."""
    return _first(PLAIN, message)


def kind_of_error(message: str) -> FailureKind | None:
    """As `kind_of`, of words that are known to be an error's."""
    return _first(PLAIN, message) or _first(NAMING, message)


def _first(table: Phrases, message: str) -> FailureKind | None:
    return next((kind for kind, phrase in table if phrase.search(message)), None)
