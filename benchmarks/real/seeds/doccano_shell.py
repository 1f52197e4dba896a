"""Run by doccano's `manage.py shell` on an empty database."""

import os
import random

from django.contrib.auth.models import User
from examples.models import Comment, Example, ExampleState
from label_types.models import CategoryType, RelationType, SpanType
from labels.models import BoundingBox, Category, Relation, Span, TextLabel
from projects.models import (
    BoundingBoxProject,
    IntentDetectionAndSlotFillingProject,
    Member,
    Seq2seqProject,
    SequenceLabelingProject,
    Tag,
    TextClassificationProject,
)
from rest_framework.authtoken.models import Token
from roles.models import Role

# UUIDs are random: with a fixed source they are the same wherever this runs.
os.urandom = random.Random(18).randbytes

mira = User.objects.create_superuser("mira", "mira@harbour.example", os.environ["SEED_PASSWORD"])
jonas = User.objects.create_user("jonas", "jonas@harbour.example", "jonas-test-password")
aylin = User.objects.create_user("aylin", "aylin@harbour.example", "aylin-test-password")
pavel = User.objects.create_user("pavel", "pavel@harbour.example", "pavel-test-password")
Token.objects.create(user=mira, key=os.environ["SEED_TOKEN"])
ROLES = {role.name: role for role in Role.objects.all()}


def project(make, name, kind, words, members, tags, **more):
    """With its members and tags."""
    made = make.objects.create(
        name=name, project_type=kind, description=words, created_by=mira, **more
    )
    made.add_admin()
    for user, role in members:
        Member.objects.create(project=made, user=user, role=ROLES[role])
    for tag in tags:
        Tag.objects.create(project=made, text=tag)
    return made


def types(make, made, rows):
    """Label types by name."""
    found = {}
    for text, key, colour in rows:
        found[text] = make.objects.create(
            project=made, text=text, suffix_key=key, background_color=colour
        )
    return found


def example(made, text, **meta):
    """One text."""
    return Example.objects.create(project=made, text=text, meta=meta)


def span(where, user, label, words):
    """The first place of these words."""
    start = where.text.index(words)
    return Span.objects.create(
        example=where, user=user, label=label, start_offset=start, end_offset=start + len(words)
    )


def done(where, user):
    """Confirmed by this user."""
    ExampleState.objects.create(example=where, confirmed_by=user)


# 1: texts in classes
hotels = project(
    TextClassificationProject,
    "Hotel reviews",
    "DocumentClassification",
    "Guest reviews of the three harbour hotels, by mood",
    [(jonas, "annotator"), (aylin, "annotation_approver")],
    ["guests", "2026"],
    guideline="Judge the mood of the guest, not the facts. Mixed reviews are neutral.",
    collaborative_annotation=False,
)
moods = types(
    CategoryType,
    hotels,
    [("positive", "p", "#209cee"), ("negative", "n", "#ff3860"), ("neutral", "u", "#7a7a7a")],
)
REVIEWS = [
    ("The view from the balcony was worth every krone.", "Hotel Lanterna", "positive", 2),
    ("Cold coffee, cold shower, cold welcome.", "Hotel Lanterna", "negative", 2),
    ("Clean room. Street noise until two in the morning.", "Pier House", "neutral", 2),
    ("Staff found my lost ring within an hour, wonderful people!", "Pier House", "positive", 1),
    ("The lift was broken for the whole week.", "Gull's Rest", "negative", 1),
    ("Breakfast as one expects it.", "Gull's Rest", "neutral", 1),
    ("We shall come back next summer.", "Hotel Lanterna", "", 0),
    ("They charged us twice for parking.", "Pier House", "", 0),
]
reviews = []
for text, hotel, mood, annotators in REVIEWS:
    made = example(hotels, text, hotel=hotel)
    reviews.append(made)
    for user in [mira, jonas][:annotators]:
        Category.objects.create(example=made, user=user, label=moods[mood])
        done(made, user)
Category.objects.create(example=reviews[3], user=jonas, label=moods["neutral"])
reviews[0].annotations_approved_by = aylin
reviews[0].save()
for where, user, text in [
    (reviews[2], jonas, "Could also be negative, the noise was the worst part."),
    (reviews[2], mira, "Neutral it stays, see the guideline."),
    (reviews[7], aylin, "Is parking part of the stay?"),
]:
    Comment.objects.create(example=where, user=user, text=text)

# 2: words in texts, and what links them
ferries = project(
    SequenceLabelingProject,
    "Ferry incident reports",
    "SequenceLabeling",
    "Vessels, places and causes in the reports of the coast guard",
    [(jonas, "annotator"), (pavel, "annotator"), (aylin, "annotation_approver")],
    ["coast guard"],
    guideline="Mark the vessel without its type.",
    use_relation=True,
    collaborative_annotation=True,
)
spans = types(
    SpanType,
    ferries,
    [("VESSEL", "v", "#3273dc"), ("PLACE", "l", "#23d160"), ("CAUSE", "c", "#ffdd57")],
)
links = types(
    RelationType, ferries, [("happened at", "h", "#363636"), ("caused by", "b", "#b5651d")]
)
REPORTS = [
    ("Ferry Marigold ran aground off Skarholm in thick fog.", "Marigold", "Skarholm", "thick fog"),
    (
        "The Dolphin lost its rudder near Pier 4 after hitting driftwood.",
        "Dolphin",
        "Pier 4",
        "driftwood",
    ),
    (
        "Engine fire aboard the Corsair at Ekvik; a fuel leak is suspected.",
        "Corsair",
        "Ekvik",
        "fuel leak",
    ),
    ("Albatross drifted towards Skarholm with a dead battery.", "", "", ""),
]
for number, (text, vessel, place, cause) in enumerate(REPORTS):
    made = example(ferries, text, report=f"CG-2026-{number + 11}")
    if vessel:
        who = pavel if number % 2 else jonas
        first = span(made, who, spans["VESSEL"], vessel)
        second = span(made, who, spans["PLACE"], place)
        third = span(made, who, spans["CAUSE"], cause)
        for to, kind in ((second, "happened at"), (third, "caused by")):
            Relation.objects.create(
                example=made, user=who, from_id=first, to_id=to, type=links[kind]
            )
        done(made, who)

# 3: texts for texts
recipes = project(
    Seq2seqProject,
    "Recipe translation",
    "Seq2seq",
    "Norwegian kitchen phrases into English",
    [(pavel, "annotator")],
    [],
)
for text, translations in [
    ("Kok opp vannet.", [(mira, "Bring the water to a boil."), (pavel, "Boil the water.")]),
    ("La deigen heve i en time.", [(pavel, "Let the dough rise for an hour.")]),
    ("Ha i en klype salt.", []),
]:
    made = example(recipes, text)
    for user, words in translations:
        TextLabel.objects.create(example=made, user=user, text=words)
        done(made, user)
Comment.objects.create(example=made, user=pavel, text="pinch or dash?")

# 4: boxes in pictures
buoys = project(
    BoundingBoxProject,
    "Buoy photos",
    "BoundingBox",
    "Where the buoys are in the pictures of the drone",
    [(aylin, "annotator")],
    ["drone", "2025"],
)
colours = types(CategoryType, buoys, [("red buoy", "r", "#ff3860"), ("green buoy", "g", "#23d160")])
for name, boxes in [
    ("skarholm-01.jpg", [("red buoy", 40, 62, 18, 30), ("green buoy", 210, 80, 16, 28)]),
    ("skarholm-02.jpg", [("red buoy", 12, 15, 22, 35)]),
    ("ekvik-07.jpg", []),
]:
    made = Example.objects.create(project=buoys, filename=name, upload_name=name)
    for colour, x, y, width, height in boxes:
        BoundingBox.objects.create(
            example=made,
            user=aylin,
            label=colours[colour],
            x=x,
            y=y,
            width=width,
            height=height,
        )
    if boxes:
        done(made, aylin)

# 5: what a sentence wants, and its parts
desk = project(
    IntentDetectionAndSlotFillingProject,
    "Ticket desk intents",
    "IntentDetectionAndSlotFilling",
    "What people ask at the ferry ticket desk",
    [],
    ["chatbot"],
)
intents = types(CategoryType, desk, [("buy ticket", "t", "#209cee"), ("refund", "f", "#ff3860")])
slots = types(SpanType, desk, [("destination", "d", "#23d160"), ("day", "y", "#ffdd57")])
for text, intent, parts in [
    (
        "Two tickets to Ekvik on Friday please",
        "buy ticket",
        {"destination": "Ekvik", "day": "Friday"},
    ),
    ("I want my money back for Sunday", "refund", {"day": "Sunday"}),
]:
    made = example(desk, text)
    Category.objects.create(example=made, user=mira, label=intents[intent])
    for slot, words in parts.items():
        span(made, mira, slots[slot], words)
    done(made, mira)
