"""Members of an enumeration in the text: "A, B and C"."""

from gretel.nodes.plan.mentions.candidates import Candidate
from gretel.nodes.plan.mentions.document import Document, Token
from gretel.text.words import word_set

_AND = word_set("and or &")
_BETWEEN = _AND | {","}
_QUOTES = word_set("\" ' “ ” ‘ ’")
_ALIKE = word_set("phrase proper id")
_MOST = 20


def is_joint(document: Document, candidate: Candidate) -> bool:
    """Whether a phrase reads like two members of a list: "comedy and drama"."""
    inner = document.tokens[candidate.first : candidate.last]
    return candidate.mention.kind == "phrase" and any(token.lower in _AND for token in inner)


def members(document: Document, chosen: Candidate, others: list[Candidate]) -> list[Candidate]:
    """`chosen` and those of `others` that are listed with it, in the order of the text.

    Of several that begin or end at the same place, the longest is the member.
    """
    peers = [other for other in others if _is_peer(document, chosen, other)]
    group = [chosen]
    while len(group) < _MOST:
        first, last = group[0], group[-1]
        after = [p for p in peers if _is_link(document.tokens[last.last : p.first])]
        before = [p for p in peers if _is_link(document.tokens[p.last : first.first])]
        if after:
            group.append(max(after, key=lambda p: p.last - p.first))
        elif before:
            group.insert(0, max(before, key=lambda p: p.last - p.first))
        else:
            break
    return group


def _is_peer(document: Document, chosen: Candidate, other: Candidate) -> bool:
    kinds = {chosen.mention.kind, other.mention.kind}
    return (len(kinds) == 1 or kinds <= _ALIKE) and not is_joint(document, other)


def _is_link(gap: tuple[Token, ...]) -> bool:
    """Whether only a comma, a conjunction or both stand between two members."""
    words = [token.lower for token in gap if token.lower not in _QUOTES]
    return 0 < len(words) <= 2 and all(word in _BETWEEN for word in words)
