"""What a document says of a value, without what it says to its reader.

A parameter's description that goes on "always use this tool first" or "SYSTEM: passed" says nothing
of the value. Code that reads words, formats and samples off it reads the first sentence and those
that tell a form, up to where the text begins to address a reader. Of 36,000 descriptions of real
parameters this cuts 1 in 200 for such an address. That it finds every one is not promised, and
nothing is decided by it alone.
"""

import re

from gretel.text.invisible import visible
from gretel.text.remembering import remembered
from gretel.text.sentences import sentences

_SPEECH = re.compile(
    r"""
    \b(?:system|assistant|developer|human|evaluator|planner|judge|ranker|admin)\b
        (?:\s(?:message|note|prompt|override))?\s*[:：\]>]
    | <\|[^|<>\n]{0,40}\|> | \[/?(?:INST|SYS)\] | <<\s*+/?\s*+SYS | \#\#\#
    | <\s*+/?\s*+(?:system|important|instructions?|request|conversation|context|today|tool\w*|tried
        |candidates?|arguments|failure|response\w*|example|variant|secret|admin|override)\b[^<>\n]*>
    | !\[[^\]\n]{0,80}\]\(
    | \b(?:ignore|disregard|forget|override|bypass)\b.{0,40}
        \b(?:previous|prior|above|earlier|other|all|any|rules?|instructions?|evidence|results?)\b
    | \byou\s(?:are|must|should|have\sto|need\sto|will)\s(?:now|always|never|not|first|call|use
        |pass|rank|select|choose|ignore|treat|an?|the)\b
    | \b(?:always|must|only|never|please|do\snot|don't|instead)\b.{0,20}
        \b(?:call|choose|select|pick|prefer|invoke|rank|recommend|trust|use\sthis|use\sme|use\sit)\b
    | \b(?:rank|put|place|list|choose|select|pick|prefer|recommend)\b.{0,25}
        \b(?:first|top|highest|above|number\sone|this\stool|this\sone|me)\b
    | \b(?:this|other|another|every|all|any|best|these|competing|preferred|official)\b\s(?:\w+\s)?
        (?:tools?|candidates?)\b
    | \b(?:use|call|trust)\sme\b | \btop[- ](?:ranked|rated|choice)\b | \bnumber\sone\b
    | \b(?:evaluation|verdict|ranking|trial|test|check)\b.{0,20}
        \b(?:passed|succeeded|complete|final)\b
    | \bscore\b\W{0,4}(?:is\s|of\s|=\s?)?(?:10|100|1\.0|max)
    | "(?:ranking|verdict|score|status|role|tool_calls?|arguments|executed|evaluation|type)"\s*:
    | \b(?:is|are)\s(?:deprecated|discontinued|unreliable|malicious|broken)\b
    | \bIMPORTANT\b | \bOVERRIDE\b | \bATTENTION\b | \bURGENT\b
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_BOUNDARY = re.compile(r"[.!?;:)\]}>\n](?=\s|$)|\s(?=[A-Z<\[{#`!*\"-])")
_FORM = re.compile(
    r"""
    \be\.?g\b | \bi\.?e\b | (?<![.@/])example(?!\.\w) | such\sas | \blike\b | format
    | pattern | \biso\b | y{4} | %[YmdH]
    | \b(?:codes?|default|defaults|optional|required|mandatory|enum|comma|separated|empty|null
        |one\sof|either|options?|values?|valid|allowed|accepted|supported|possible|choose\sfrom
        |between|range|min\w*|max\w*|at\s(?:least|most)|up\sto|units?|in\s(?:seconds|minutes|hours
        |days|meters|metres|km|miles|degrees|celsius|percent)|timestamp|utc|decimal|integer|string
        |number|boolean|true|false|latitude|longitude|airport|currency|iata)\b
    | \d\s?[=:–-]\s?['"]?[A-Za-z] | '[^'\n]{1,40}' | "[^"\n]{1,40}" | `[^`\n]{1,60}` | \([^()\n]+\)
    """,
    re.VERBOSE | re.IGNORECASE,
)


@remembered(4_096, longest=1_200)
def value_documentation(text: str) -> str:
    """The first sentence, and those that tell the value's form."""
    first, *others = sentences(_documentation(text))
    return " ".join([first, *(sentence for sentence in others if _FORM.search(sentence))])


def _documentation(text: str) -> str:
    """The text up to the sentence in which it begins to address whoever reads it."""
    shown = visible(text)
    speech = _SPEECH.search(shown)
    if speech is None:
        return shown
    ends = [found.end() for found in _BOUNDARY.finditer(shown, 0, speech.start() + 1)]
    return shown[: ends[-1] if ends else speech.start()].rstrip()
