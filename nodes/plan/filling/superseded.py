"""Codes of earlier turns that the latest turn has others for."""

import re

from gretel.nodes.plan.filling.followups import goes_on
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.spans import MentionSpan

_SIGN = 2
"""Characters of what is hardly the form of a code: `B2`."""
_HEX = re.compile(r"(?=[a-f-]*\d)(?:[\da-f]{4,}-)*[\da-f]{7,}", re.IGNORECASE)


def superseded(view: View) -> list[MentionSpan]:
    """The codes of earlier turns that the latest has others for: "array run_17", "and run_18?".

    Only where it goes on and says as many of their form as were said before.
    """
    last, forms = len(view.document.segments) - 1, dict[str, list[MentionSpan]]()
    for span in view.spans if goes_on(view) else ():
        form = _form(span.mention.text) if span.mention.kind == "id" else ""
        forms.setdefault(form, []).append(span)
    forms.pop("", None)
    old = []
    for spans in forms.values():
        before = {span.mention.text for span in spans if span.mention.segment < last}
        now = {span.mention.text for span in spans if span.mention.segment == last}
        if len(before) == len(now) and before.isdisjoint(now):
            old += [span for span in spans if span.mention.segment < last]
    return old


def _form(text: str) -> str:
    """What codes of one kind share: their length in hexadecimal digits, or all but their digits."""
    if _HEX.fullmatch(text):
        return f"{len(text)} hex"
    form = re.sub(r"\d+", "0", text)
    return form if form != text and len(form) > _SIGN else ""
