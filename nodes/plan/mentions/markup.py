"""What was pasted from pages and scripts: elements of HTML or XML, selectors, calls."""

import re
from collections.abc import Iterator

from gretel.nodes.plan.mentions.mention import Mention

SELECTOR = r"[a-z][\w-]*(?:[.#][A-Za-z_][\w-]*)*#[A-Za-z_][\w-]*(?:[.#][A-Za-z_][\w-]*)*"
"""An element of a page by its id, as style sheets name it: `iframe#consent`."""
CALL = r"[A-Za-z_$][\w$]*(?:\.[\w$]+)+\([^()\n]{0,200}\)(?:\.[\w$]+(?:\([^()\n]{0,200}\))?)*"
"""A call of a script: `document.querySelector('h1').textContent`."""
_WRITTEN = re.compile(rf"(?<![\w#./:@-])(?:{SELECTOR})(?![\w#])|(?<![\w.$])(?:{CALL})")
_ELEMENT = re.compile(r"<(?P<name>[A-Za-z][\w:-]{0,40})(?:\s[^<>]{0,400})?>")


def markup_mentions(text: str, segment: int) -> Iterator[Mention]:
    """The first element of HTML or XML, up to the last end of its kind, as a quotation; codes."""
    opened = _ELEMENT.search(text)
    closing = f"</{opened['name']}>" if opened else ""
    end = text.rfind(closing, opened.end()) + len(closing) if opened else 0
    if opened and end > opened.end():
        said = text[opened.start() : end]
        yield Mention("quoted", said, said, segment, opened.start(), end)
    for code in _WRITTEN.finditer(text):
        yield Mention("id", code.group(), code.group(), segment, *code.span())
