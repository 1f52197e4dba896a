"""Assignment of values to slots: first what can be meant in one way only, then what is likely."""

from gretel.nodes.plan.filling import counts, ends, keywords, numbered, said, shaped
from gretel.nodes.plan.filling.fillings import Fillings, UsedTokens
from gretel.nodes.plan.filling.followups import renew
from gretel.nodes.plan.filling.named import named_values
from gretel.nodes.plan.filling.own_pattern import Pasted, fill_by_pattern
from gretel.nodes.plan.filling.searched import called, searched_place
from gretel.nodes.plan.filling.superseded import superseded
from gretel.nodes.plan.filling.weighing import fill_by_weight
from gretel.nodes.plan.matching.names import first_and_last
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.scoring import score_slots
from gretel.nodes.plan.matching.steps import joined_steps
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View
from gretel.text.identifiers import split_identifier
from gretel.text.words import concept

_NAMES = ("name", "title", "login")
"""How the names of parameters for a name end."""
_NAMED = ("text", "name", "id")
"""Kinds of slots that take a name."""


def assign(
    view: View, profile: Profile, skip: frozenset[int], pasted: Pasted | None = None
) -> Fillings:
    """Fill the tool's slots from the conversation, those in `skip` (filled already) left out.

    Nor those of a parameter that was pasted as a whole, from whose text no other slot is filled.
    """
    if pasted:
        inner = (i for i, c in enumerate(profile.cues) if c.slot.path[0] == pasted.name)
        skip = skip.union(inner)
    tokens = (pasted.filling.tokens if pasted else None) or (0, 0)
    result = Fillings(view, profile, skip, UsedTokens(tokens))
    _fill_certain(result)
    _fill_named(result)
    for span in superseded(view):
        result.used.add("id", span.first, span.last)
    for index, cues in sorted(result.free().items(), key=lambda item: _unsaid(view, item[1])):
        if cues.slot.kind in ("enum", "boolean"):
            result.choose(index, cues)
        elif not cues.slot.required or (cues.slot.kind == "query" and view.is_single):
            _fill_spoken(result, index, cues)
    free = result.free()
    scored = [
        each
        for each in score_slots(view, profile)
        if each.slot_index in free and not each.cues.is_credential and not _orders(each.cues)
    ]
    fill_by_weight(result, scored)
    bare = _bare_families(result)
    fill_by_weight(result, [each for each in scored if each.slot_index in bare], needed=bare)
    _fill_left_over(result)
    renew(result)
    _fill_lacking(result)
    return result


def _fill_certain(result: Fillings) -> None:
    """Give slots what can be meant in one way only: counts, ends of a span, moments, addresses."""
    view = result.view
    days = (ends.named_days, ends.time_ends, ends.parts_of_days)
    for rule in (counts.pages, counts.limits, *days, ends.compared):
        result.place_all(rule(view, result.free()), counts.CONFIDENCE)
    result.place_all(ends.unix_times(view, result.free()), shaped.SURE)
    for index, value, span in ends.before_now(view, result.free()):
        if result.put(index, [span], value, shaped.SURE):
            # its number means nothing else
            result.used.add("number", span.first, span.last)
    result.found |= keywords.keyword_values(view, result.free())
    for index, span in keywords.file_formats(view, result.profile.tool.description, result.free()):
        result.put(index, [span], str(span.mention.value), keywords.CONFIDENCE)
    result.place_all(shaped.addresses(view, result.used, result.free()), shaped.SURE)
    result.place_all(shaped.coordinates(view, result.free()), shaped.SURE)
    result.place_all(shaped.wildcards(view, result.free()), shaped.SURE)


def _fill_named(result: Fillings) -> None:
    """Give slots what stands beside their noun, or is the one code that is built as theirs."""
    view, profile = result.view, result.profile
    for named in named_values(view, profile, result.free()):
        if result.place(named.slot, named.span, named.sure):
            result.used.add(profile.cues[named.slot].group, *named.noun)
    numbers = (numbered.numbered_values, numbered.counted_values, numbered.number_ranges)
    for rule in (first_and_last, *numbers):
        for index, span in rule(view, result.free()):
            result.place_unused(index, span, numbered.CONFIDENCE)
    ordered = numbered.numbers_in_order(view, result.used, profile.cues, result.free())
    result.place_all(ordered, numbered.CONFIDENCE)
    _fill_steps(result)
    labelled = shaped.labelled(view, result.used, result.free(), profile.vocabulary)
    result.place_all(labelled, shaped.CONFIDENCE)
    _fill_searched_place(result)
    _fill_called(result)
    for index, span in keywords.listed_values(view, profile, result.free()):
        result.place_unused(index, span, keywords.CONFIDENCE)
    result.place_all(shaped.like_samples(view, result.used, result.free()), shaped.SURE)


def _fill_steps(result: Fillings) -> None:
    """Give the steps of the path the parts of a text that slashes join, or codes that are left."""
    view = result.view
    steps = {i: cues for i, cues in result.free().items() if cues.in_path and cues.slot.required}
    parts = joined_steps(view, steps)
    if not any(result.used.cost("id", span) for _, span in parts):
        result.place_all(parts, shaped.SURE)
    steps = {i: cues for i, cues in steps.items() if i not in result.found}
    left = shaped.shaped_values(view, result.used, steps, result.profile)
    result.place_all(left, shaped.CONFIDENCE)


def _fill_searched_place(result: Fillings) -> None:
    """Give the only text that is needed beside a query what is searched: "search house for cod"."""
    free = result.free()
    needed = [i for i, cues in free.items() if cues.slot.required and cues.group != "closed"]
    texts = [i for i in needed if free[i].group in ("text", "name", "id")]
    open_ = [i for i in texts if free[i].slot.kind != "query" and not free[i].slot.many]
    searches = any(cues.slot.kind == "query" for cues in result.profile.cues)
    if len(open_) == 1 and searches:
        span = searched_place(result.view, result.profile)
        result.place_unused(open_[0], span, said.CONFIDENCE)


def _fill_called(result: Fillings) -> None:
    """Give the only name that is needed what something is called: "an account called kiosk"."""
    needed = {i: cues for i, cues in result.free().items() if cues.slot.required}
    names = [i for i, cues in needed.items() if cues.slot.name.lower().endswith(_NAMES)]
    if len(names) == 1 and result.view.is_single:
        result.place_unused(names[0], called(result.view, result.profile), said.CONFIDENCE)


def _fill_spoken(result: Fillings, index: int, cues: SlotCues) -> None:
    """Give a slot what the request speaks of in words of its own, or a row of numbers."""
    view = result.view
    spoken = said.spoken_filter(view, result.profile, cues)
    placed = result.place_unused(index, spoken, said.CONFIDENCE)
    if not placed and (row := said.spoken_numbers(view, cues)):
        values = [to_value(cues.slot, span.mention, view.today) for span in row]
        result.put(index, row, values, said.CONFIDENCE)


def _fill_left_over(result: Fillings) -> None:
    """Give optional slots what nothing that is needed has taken, and dates the only year."""
    for index, cues in result.free().items():
        if not cues.slot.required or cues.slot.kind == "date":
            result.place_unused(index, said.left_over(result.view, cues), said.CONFIDENCE)
    quoted = said.quoted_text(result.view, result.used, result.free())
    result.place_all(quoted, said.CONFIDENCE)
    optional = {i: cues for i, cues in result.free().items() if not cues.slot.required}
    told = {span.mention.text for span in result.spans.values()}  # what is said twice is one thing
    code = said.only_code(result.view, result.used, optional, result.profile)
    result.place_all((each for each in code if each[1].mention.text not in told), said.CONFIDENCE)


def _orders(cues: SlotCues) -> bool:
    """Whether nobody need say by what results are sorted or grouped: no likeliest word is that."""
    return not cues.slot.required and keywords.orders_by(cues)


def _unsaid(view: View, cues: SlotCues) -> int:
    """How many words of a slot's name nobody said: `state` is meant before `pending_state`."""
    return sum(concept(word) not in view.positions for word in split_identifier(cues.slot.name))


def _fill_lacking(result: Fillings) -> None:
    """Give keys and required slots what can be nothing else, by its shape or pattern."""
    lacking = {
        i: cues
        for i, cues in result.free().items()
        if (cues.slot.required or cues.is_key) and not cues.is_credential
    }
    left = shaped.shaped_values(result.view, result.used, lacking, result.profile)
    result.place_all(left, shaped.CONFIDENCE)
    lacking = {i: cues for i, cues in lacking.items() if i not in result.found}
    number = said.long_number(result.view, result.used, lacking)
    result.place_all(number, shaped.CONFIDENCE)
    for index, cues in lacking.items():
        if cues.slot.kind == "query" and index not in result.found and result.view.language:
            _fill_spoken(result, index, cues)
    _fill_container(result)
    for index, cues in lacking.items():
        if index not in result.found and (own := fill_by_pattern(result.view, cues)):
            result.found[index] = own


def _fill_container(result: Fillings) -> None:
    """Give the only name that is lacking beside others the only one that something is in."""
    view, profile = result.view, result.profile
    needed = {i: c for i, c in enumerate(profile.cues) if c.slot.required and c.group != "closed"}
    lacking = [i for i in needed if i not in result.found and i not in result.skip]
    if len(lacking) != 1 or len(needed) < 2 or needed[lacking[0]].slot.kind not in _NAMED:
        return
    if not needed[lacking[0]].in_path and not view.is_single:
        return
    names = [
        span
        for span in said.containers(view, profile)
        if result.used.cost(needed[lacking[0]].group, span) == 0
    ]
    if len(names) == 1:
        result.place(lacking[0], names[0], shaped.CONFIDENCE)


def _bare_families(result: Fillings) -> frozenset[int]:
    """Optional slots of required objects in which nothing was found at all."""
    cues = result.profile.cues
    full = {cues[index].slot.path for index in result.found.keys() | result.skip}
    return frozenset(
        index
        for index, each in enumerate(cues)
        if (family := each.slot.family) and not any(path[: len(family)] == family for path in full)
    )
