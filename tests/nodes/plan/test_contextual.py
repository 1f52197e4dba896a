"""Spans in their context: what is read, what is not, and that the words' weights stand beside."""

from dataclasses import replace

import numpy as np
import pytest

from gretel.contracts.ranking import Message, Request
from gretel.nodes.plan.matching.contextual import (
    LESS,
    TURNS,
    heard,
    in_english,
    load_projections,
    read_turns,
    said_input,
    slot_inputs,
    span_inputs,
    span_places,
)
from gretel.nodes.plan.matching.profile import read_profile
from gretel.nodes.plan.matching.scoring import score_slots, worded_slots
from gretel.nodes.plan.matching.view import View, read_view
from gretel.nodes.retrieve.encoding.encoder import Encoder
from service_tools import made

TODAY = "2026-11-28"
VISITS = made("Visits", patient="string", doctor="string", needs="patient")


def viewed(text: str, *before: str) -> View:
    said = tuple(Message(role="user", content=turn) for turn in before)
    return read_view(Request(text=text, messages=said, today=TODAY))


def test_places_of_tokens_are_those_of_the_text() -> None:
    text = "Reschedule Ms Okafor's visit"
    read = Encoder().tokens(text)
    words = [text[first:end] for first, end in read.places.tolist()]

    assert words[0] == words[-1] == ""
    assert "".join(words) == text.replace(" ", "")
    assert read.vectors.shape == (len(words), len(said_input([read])))


def test_a_spans_input_is_its_own_tokens_and_both_neighbours() -> None:
    view = viewed("visits of Okafor today")
    read = read_turns(view.document)
    name = next(span for span in view.spans if span.mention.text == "Okafor")
    places = span_places(read, [name])
    [inputs] = span_inputs(read, places)
    [tokens] = [each for each in read if each is not None]
    _, first, end = places[0]

    assert (
        view.document.segments[0].text[tokens.places[first][0] : tokens.places[end - 1][1]]
        == "Okafor"
    )
    width = tokens.vectors.shape[1]
    assert inputs[:width] == pytest.approx(tokens.vectors[first:end].mean(0), abs=1e-6)
    assert (inputs[width : 2 * width] == tokens.vectors[first - 1]).all()
    assert (inputs[2 * width :] == tokens.vectors[end]).all()


def test_turns_that_are_too_old_and_ends_of_long_ones_are_not_read() -> None:
    view = viewed("Okafor", *["visits of Lindqvist", *["go on"] * TURNS])
    old = [span for span in view.spans if span.mention.segment == 0]
    long = viewed("please " * 400 + "Okafor")
    last = [span for span in long.spans if span.mention.text == "Okafor"]

    assert old
    assert last
    assert (span_places(read_turns(view.document), old) == -1).all()
    assert (span_places(read_turns(long.document), last) == -1).all()
    assert not span_inputs(
        read_turns(long.document), span_places(read_turns(long.document), last)
    ).any()


def test_nothing_is_heard_where_nothing_is_said() -> None:
    view = viewed("")

    assert heard(view.document, view.spans).spans.shape == (
        0,
        load_projections().span.down.shape[1],
    )


def test_the_context_is_added_to_what_words_say() -> None:
    view, profile = viewed("Visits of Okafor with Lindqvist"), read_profile(VISITS)
    for words, both in zip(worded_slots(view, profile), score_slots(view, profile), strict=True):
        asked = profile.sought[words.slot_index]
        context = view.heard.spans[words.rows] @ asked
        names = [view.spans[row].mention.text for row in words.rows]
        alone = [n for n, name in enumerate(names) if name in ("Okafor", "Lindqvist")]

        assert both.rows == words.rows
        assert len(alone) >= 2
        assert (both.scores - words.scores)[alone] == pytest.approx(context[alone], abs=1e-4)
        none = float(view.heard.said @ asked) - LESS
        assert both.empty - words.empty == pytest.approx(none, abs=1e-4)


def test_words_choose_among_spans_that_overlap() -> None:
    view, profile = viewed("visits of Ada Okafor"), read_profile(VISITS)
    [words, *_], [both, *_] = worded_slots(view, profile), score_slots(view, profile)
    spans = [view.spans[row] for row in words.rows]
    context = view.heard.spans[words.rows] @ profile.sought[words.slot_index]
    best = [
        max(
            own
            for other, own in zip(spans, context, strict=True)
            if other.first < span.last and span.first < other.last
        )
        for span in spans
    ]

    assert best != pytest.approx(context.tolist(), abs=1e-4)
    assert both.scores - words.scores == pytest.approx(best, abs=1e-4)


def test_in_another_language_words_decide_alone() -> None:
    view, profile = viewed("Welche Termine hat Frau Okafor bei uns?"), read_profile(VISITS)

    assert view.language == "de"
    for words, both in zip(worded_slots(view, profile), score_slots(view, profile), strict=True):
        assert (both.scores == words.scores).all()
        assert both.empty == words.empty


def test_a_slot_is_read_alike_beside_any_number_of_others() -> None:
    profile = read_profile(VISITS)
    slots = [cues.slot for cues in profile.cues]
    others = [replace(slots[0], path=(f"field_{number}" * 30,)) for number in range(200)]
    alone, among = slot_inputs(VISITS, slots), slot_inputs(VISITS, [*slots, *others])

    assert among[: len(slots)] == pytest.approx(alone, abs=1e-6)
    assert among.shape[1] == load_projections().slot.up.shape[0]


def test_a_long_name_is_cut_and_no_description_is_read() -> None:
    slot = read_profile(VISITS).cues[0].slot
    some, more = (replace(slot, path=("x" * size,)) for size in (160, 1_000_000))
    told = replace(slot, description="Put what was said into this field first.")

    assert np.array_equal(slot_inputs(VISITS, [some]), slot_inputs(VISITS, [more]))
    assert np.array_equal(slot_inputs(VISITS, [slot]), slot_inputs(VISITS, [told]))


@pytest.mark.parametrize(
    ("names", "read"),
    [
        (["origen", "destino", "fecha"], ["source", "destination", "date"]),
        (["von", "nach", "datum"], ["of", "to", "date"]),
        (["barcode", "src", "page size"], ["barcode", "src", "page size"]),
        (["barcode"], ["barcode"]),
    ],
)
def test_names_in_another_language_are_read_in_english(names: list[str], read: list[str]) -> None:
    assert in_english(names) == read
