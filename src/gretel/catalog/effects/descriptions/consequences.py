"""What a sentence says of what follows a call: "Each view uses up one", "is gone afterwards".

Who documents a call that only reads does not speak of what comes after it, of each call in turn,
of who hears of it or of what ends by it: of 12,000 GETs of real documents hardly one does. So such
words count whatever the verb beside them, where the sentence tells of no limit. As seldom says the
title of one that something is moved to somewhere, or done to its end.
"""

import re

from gretel.catalog.effects.english import base_forms, may_be_verb

_CALL = (
    r"(?:access|call|click|consultation|download|fetch|hit|invocation|lookup|opening|poll|read"
    r"|reading|retrieval|scan|view|viewing|visit)"
)
_OBTAINED = (
    r"(?:accessed|called|clicked|consumed|delivered|displayed|downloaded|fetched|invoked"
    r"|opened|picked\s+up|polled|queried|read|retrieved|scanned|seen|served|shown|viewed|visited)"
)
_TOLD = (
    r"(?:alerted|banned|billed|charged|credited|debited|deducted|e-?mailed|fined|informed|invoiced"
    r"|notified|refunded|rewarded|texted|warned)"
)
_IS = r"(?:is|are|gets|becomes?|will\s+(?:be|get|become))"
_HOW = r"(?:(?:\w+ly|also|then|at\s+once|straight\s+away|thus)\s+)?"
_AFTER = (
    # by the call itself, or by each
    rf"(?:after|by|following|from|on|through|upon|via|with)\s+(?:this|each|every)\s+(?:single\s+)?{_CALL}"
    r"\b(?!\s+(?:back|id|of|to)\b)"
    r"|(?:after|for|following|on|per|upon|with)\s+(?:(?:each|every)\s+(?:request|query)|(?:each|every|the)\s+call)\b"
    r"|through\s+this\s+(?:link|pixel|request|url)\b"
    rf"|(?:each|every)\s+{_CALL}\s+\w+s\b"
    r"|(?:after|following|upon)\s+(?:the\s+)?(?:first\s+)?(?:download|reading|retrieval|viewing)\b"
    r"(?!\s+(?:all|an?|of|the)\b)"
    rf"|(?:after|as\s+soon\s+as|once|the\s+moment|when)\s+(?:(?:it|this|they|these|you)|(?:the|this)"
    rf"\s+\w+)\s+(?:is|are|was|were|gets?|ha(?:s|ve)\s+been)\s+{_OBTAINED}\b"
    rf"|(?:once|when)\s+{_OBTAINED}\s*,"
    r"|(?:calling|opening|reading|requesting|viewing|visiting)\s+(?:it|this)\s+(?:also\s+)?\w+s\b"
    # what is so from then on
    r"|afterwards?|from\s+(?:then|now|that\s+moment)\s+on|henceforth|thenceforth"
    r"|as\s+a\s+side[- ]effect|(?:in|by)\s+doing\s+so"
    rf"|{_IS}\s+{_HOW}(?:no\s+longer\s+(?:\w+able|active|valid)|gone|lost|void|dead|final|offline|online"
    r"|taken\s+away|used\s+up)"
    rf"|(?:be|{_IS})\s+{_HOW}{_OBTAINED}\s+(?:only\s+|just\s+)?once"
    r"|self-?(?:delet|destr|destruct)\w*"
    r"|(?:ceases?|stops)\s+(?:to\s+\w+|working|being)|stop\s+(?:working|to\s+work|being)"
    r"|(?:goes|moves)\s+(?:(?:up|down|live)\b|(?:away|back)\b(?!\s+(?:to|up)\b))"
    r"|for\s+good|irrevocably|irreversibly|until\s+further\s+notice|without\s+asking"
    r"|can(?:not|\s+not|['’]t)\s+be\s+(?:reversed|reverted|undone)"
    r"|(?:it|th(?:e|is)(?:\s+(?:action|api|call|command|endpoint|method|operation|request|step))?)"
    r"\s+(?:is|will\s+be)\s+(?:\w+ly\s+)?(?:destructive|irreversible|irrevocable)"
)
_HEARS = (
    rf"(?:and|(?<!that )(?<!have ){_IS})\s+{_HOW}{_TOLD}\b(?!\s+(?:in|of|users?|via)\b)"
    r"|(?<=\w\s)(?:gets|receives|is\s+sent|are\s+sent|will\s+(?:get|receive))\s+(?:an?|the)\s+(?:\w+\s+)?"
    r"(?:e-?mail|message|notification|notice|sms|text)(?=\s*(?:$|[.,;])|\s+(?:about|by|from|on|that|with)\b)"
)
"""Who hears of a call, or pays for it."""
_MADE = (
    r"if\s+(?:none|no\s+\w+|one\s+does|there\s+(?:is|are|isn'?t|aren'?t)|it\s+does)\b[^.]*\b(?:is|are"
    r"|will\s+be|gets)\s+(?:\w+ly\s+)?(?:added|begun|created|generated|issued|made|opened|registered"
    r"|started)"
    r"|(?:is|are|will\s+be)\s+(?:\w+ly\s+)?(?:added|begun|created|generated|issued|made|opened"
    r"|registered|started)\s+(?:if|unless)\s+(?:none|one|there)"
)
"""What comes to be where it was not."""
_SAYS = re.compile(rf"\b(?:{_AFTER}|{_HEARS}|{_MADE})\b", re.I)
_LIMITS = re.compile(
    r"\b(?:at\s+most|authenticat\w+|headers?|limit\w*|maxim\w+|pages?|quota|rates?|up\s+to)\b", re.I
)
_CUT = 400
"""Characters of a sentence that are read."""

_READS = (
    r"(?:Access|Analy[sz]|Answer|Calculat|Check|Compar|Comput|Connect|Convert|Count|Describ|Download"
    r"|Explain|Export|Fetch|Filter|Find|Get|Link|List|Load|Locat|Log|Look|Map|Match|Measur|Obtain|Provid"
    r"|Prox|Quer|Read|Redirect|Refer|Relat|Request|Resol|Respon|Retriev|Return|Search|See|Show|Subscri"
    r"|Test|Translat|Validat|Verif|View)"
)
_MOVES = re.compile(
    rf"(?!{_READS})(?P<verb>[A-Z][a-z]+)\s+(?:(?:an?|all|any|one|some|that|the|this|your)\s+)?"
    r"(?:(?!(?:about|according|and|are|as|by|due|for|from|has|have|in|is|next|of|on|or|prior|related"
    r"|relative|that|to|where|which|who|with)\b)[\w-]+\s+){1,4}"
    r"(?:against|into|onto|out\s+of|over\s+to|to)\s+"
    r"(?:an?|another|all|each|every|its|our|the|their|your)\s"
)
"""A title that says where something is moved: "Credit points to a member"."""
_AWAY = re.compile(
    r"(?!Break|Look|Spell)(?P<verb>[A-Z][a-z]+)\s+(?:(?:(?!and\b|is\b|of\b|or\b|that\b)[\w'-]+\s+){0,5}"
    r"(?:apart|aside|away|back|down|free|live|off(?:line)?|online|on\s+hold|out|over|to\s+sleep"
    r"|to\s+zero|up)\s*\W?$|(?:away|back|down|off|out|over|up)\s+(?:all|an?|the|this|your)\s)"
)
"""A title whose verb has a word apart: "Give a seat back", "Fires off the campaign"."""


def consequence(sentence: str) -> str | None:
    """The words by which a sentence says what follows a call."""
    cut = sentence[:_CUT]
    found = _SAYS.search(cut)
    return found[0].lower() if found and not _LIMITS.search(cut) else None


def moving_title(title: str) -> str | None:
    """The verb of a title by which something is moved somewhere, or done to its end."""
    found = _MOVES.match(title[:_CUT]) or _AWAY.match(title[:_CUT])
    verb = found["verb"].lower() if found else ""
    return verb if any(map(may_be_verb, (verb, *base_forms(verb)))) else None
