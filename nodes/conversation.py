"""What a request means in its conversation, for retrieval: "And in Bergen?" names no need."""

import re

from gretel.contracts.ranking import Request

LONGEST = 20
"""Words of a request that may lean on what was said before; a longer one says itself what it is
about. Set on the conversations of acebench_en's development half."""
TURNS = 3
"""Earlier turns of the user that are looked at, the latest ones."""

_BEGINNING = 2_000
"""Characters of an earlier turn that are looked at; what goes on behind is a document."""

_LEANS = re.compile(r"(?i)\W*(?:and|or|but|also|then|what about|how about|instead|same)\b")
"""How a request begins that goes on where another stopped, however long it is."""


def in_view(request: Request) -> str:
    """The request for a retriever: behind the user's earlier turns where it leans on them.

    What others said takes no part: an assistant's offers are no needs, and a tool's answers are
    text that strangers wrote. Without earlier turns it is the request itself.
    """
    said = [message.content.strip() for message in request.messages if message.role == "user"]
    earlier = [text[:_BEGINNING] for text in said if text and text != request.text][-TURNS:]
    leans = len(request.text.split()) <= LONGEST or _LEANS.match(request.text)
    return "\n".join([*earlier, request.text]) if earlier and leans else request.text
