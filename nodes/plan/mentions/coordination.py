"""Coordination in the text: the conjuncts of "A, B and C"."""

from gretel.nodes.plan.mentions.document import Document, Token
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import word_set

_AND = word_set("and or & und oder et ou y o 和 与 及")
_BETWEEN = _AND | {","}
_QUOTES = word_set("\" ' “ ” ‘ ’")
_ALIKE = word_set("phrase proper id")
_MOST = 20


def is_coordinated(document: Document, span: MentionSpan) -> bool:
    """Whether a phrase reads like two conjuncts of a list: "comedy and drama"."""
    inner = document.tokens[span.first : span.last]
    return span.mention.kind == "phrase" and any(token.lower in _AND for token in inner)


def conjuncts(
    document: Document, chosen: MentionSpan, others: list[MentionSpan]
) -> list[MentionSpan]:
    """`chosen` and those of `others` that are coordinated with it, in the order of the text.

    Of several that begin or end at the same place, one of the kind of `chosen` is the conjunct,
    else the longest: "the entries Ada Lin and Bo Ek" has no "entries Ada Lin".
    """

    def rank(peer: MentionSpan) -> tuple[bool, int]:
        return peer.mention.kind == chosen.mention.kind, peer.last - peer.first

    peers = [other for other in others if _is_peer(document, chosen, other)]
    group = [chosen]
    while len(group) < _MOST:
        first, last = group[0], group[-1]
        after = [p for p in peers if _is_link(document.tokens[last.last : p.first])]
        before = [p for p in peers if _is_link(document.tokens[p.last : first.first])]
        if after:
            group.append(max(after, key=rank))
        elif before:
            group.insert(0, max(before, key=rank))
        else:
            break
    return group


def _is_peer(document: Document, chosen: MentionSpan, other: MentionSpan) -> bool:
    kinds = {chosen.mention.kind, other.mention.kind}
    return (len(kinds) == 1 or kinds <= _ALIKE) and not is_coordinated(document, other)


def _is_link(gap: tuple[Token, ...]) -> bool:
    """Whether only a comma, a conjunction or both stand between two conjuncts."""
    words = [token.lower for token in gap if token.lower not in _QUOTES]
    return 0 < len(words) <= 2 and all(word in _BETWEEN for word in words)
