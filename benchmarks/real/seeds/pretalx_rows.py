"""Run by the Python of pretalx on a migrated data folder: two conferences by the shore."""

import datetime as dt
import os
import random
from zoneinfo import ZoneInfo

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pretalx.settings")
import django

django.setup()

from django.utils import crypto  # noqa: E402
from django_scopes import scope, scopes_disabled  # noqa: E402
from pretalx.event.models import Event, Team  # noqa: E402
from pretalx.event.utils import create_organiser_with_team  # noqa: E402
from pretalx.person.models import SpeakerInformation, SpeakerProfile, User, UserApiToken  # noqa: E402
from pretalx.person.models.auth_token import ENDPOINTS, READ_PERMISSIONS  # noqa: E402
from pretalx.schedule.models import Room  # noqa: E402
from pretalx.submission.models import (  # noqa: E402
    Answer,
    AnswerOption,
    Question,
    Review,
    Submission,
    SubmissionType,
    SubmitterAccessCode,
    Tag,
    Track,
)

# Codes and ids are random: with fixed sources they are the same wherever this runs.
crypto.secrets.choice = random.Random(37).choice
os.urandom = random.Random(41).randbytes

OSLO = ZoneInfo("Europe/Oslo")
SPEAKERS = {
    "OKAFR3": ("Ines Okafor", "Counts limpets at Gull Rock since 2014."),
    "NVKPV7": ("Pavel Novak", "Builds tide gauges out of what others throw away."),
    "MEYTN8": ("Mei Tan", "Runs the shore lab and its crab traps."),
    "SLBRG9": ("Ruth Solberg", "Harbour warden; likes ledgers that add up."),
    "HDDAD3": ("Amir Haddad", "Teaches children to read a tide table."),
}
ORGANISERS = {
    "ruth": ("Ruth Lund", "LVNDR7"),
    "amir": ("Amir Berg", "BERGA3"),
    "lena": ("Lena Moe", "MXELN9"),
}
TRACKS = {"Tides": "#1f6f8b", "Algae": "#3d8b37", "Citizen science": "#b5651d"}
ROOMS = {
    "Lighthouse Hall": (220, "Ground floor, step-free."),
    "Boat House": (60, "Bring a coat, it is not heated."),
    "Net Loft": (25, "Two flights of stairs, no lift."),
}
TAGS = {"beginner": "#88c0d0", "hands-on": "#d08770", "needs-boat": "#bf616a"}
# code, title, speakers, track, type, state, tags, abstract, (room, day, hour, minute)
TALKS = (
    ("KRAB37", "What the crab traps told us", ["MEYTN8"], "Citizen science", "Talk", "confirmed",
     ["beginner"], "Six traps, three winters.", ("Lighthouse Hall", 4, 10, 0)),
    ("GAVGE8", "A tide gauge for forty euros", ["NVKPV7"], "Tides", "Workshop", "confirmed",
     ["hands-on"], "Build one and take it home.", ("Boat House", 4, 13, 30)),
    ("KELP9W", "Kelp is coming back", ["MEYTN8", "OKAFR3"], "Algae", "Talk", "confirmed",
     [], "Ten sites, counted twice.", ("Lighthouse Hall", 4, 11, 0)),
    ("LMPT7Q", "Counting limpets without going mad", ["OKAFR3"], "Citizen science", "Talk",
     "confirmed", ["beginner"], "Quadrats, clickers, patience.", ("Net Loft", 5, 9, 30)),
    ("LEDGR8", "The harbour's ledger since 1893", ["SLBRG9"], "Tides", "Talk", "confirmed",
     [], "Water levels between the fees.", ("Lighthouse Hall", 5, 10, 30)),
    ("NGHT3F", "Night walk on Mill Sands", ["HDDAD3"], "Citizen science", "Workshop", "accepted",
     ["needs-boat"], "Lamps are provided.", None),
    ("FGSTR9", "Fog, stars and buoys", ["HDDAD3"], "Tides", "Talk", "submitted",
     [], "How we found home before radar.", None),
    ("DRNES7", "Drones over the algae", ["NVKPV7"], "Algae", "Talk", "rejected",
     [], "Pictures from 60 m.", None),
)  # fmt: skip
# talk, reviewer, score, text
REVIEWS = (
    ("KRAB37", "ruth", 2, "Clear, funny, and the numbers hold."),
    ("KRAB37", "amir", 1, "Good, a bit long."),
    ("FGSTR9", "ruth", 2, "Please take this one, we have too little on navigation."),
    ("DRNES7", "amir", 0, "We cannot fly drones over the reserve."),
    ("GAVGE8", "ruth", 1, "Costs should be stated."),
)


def people() -> dict[str, User]:
    """Organisers and speakers; speakers by their code."""
    found = {}
    for short, (name, code) in ORGANISERS.items():
        found[short] = User.objects.create_user(
            name=name, email=f"{short}@shore.example", code=code, is_administrator=short == "lena"
        )
    for code, (name, _) in SPEAKERS.items():
        mail = f"{name.split()[0].lower()}@speakers.example"
        found[code] = User.objects.create_user(name=name, email=mail, code=code)
    return found


def teams(organiser, team, users, events) -> None:
    """Who may do what, and the token that reads all."""
    for name in (
        "can_change_event_settings",
        "can_change_submissions",
        "is_reviewer",
        "all_events",
    ):
        setattr(team, name, True)
    team.save()
    reviewers = Team.objects.create(organiser=organiser, name="Reviewers", is_reviewer=True)
    reviewers.limit_events.set(events)
    reviewers.members.set([users["ruth"], users["amir"]])
    desk = Team.objects.create(organiser=organiser, name="Front desk", can_change_submissions=True)
    desk.limit_events.set(events[:1])
    desk.members.add(users["amir"])
    token = UserApiToken.objects.create(
        name="benchmark",
        token=os.environ["SEED_TOKEN"],
        user=users["lena"],
        endpoints={each: list(READ_PERMISSIONS) + ["actions"] for each in ENDPOINTS},
        version="v1",
    )
    token.events.set(events)


def programme(event, users) -> None:
    """Tracks, rooms, proposals, reviews, questions and the rest of this year's event."""
    talk = event.cfp.default_type
    talk.name, talk.default_duration = "Talk", 30
    talk.save()
    types = {
        "Talk": talk,
        "Workshop": SubmissionType.objects.create(
            event=event, name="Workshop", default_duration=90
        ),
        "Lightning talk": SubmissionType.objects.create(
            event=event, name="Lightning talk", default_duration=10
        ),
    }
    tracks = {
        name: Track.objects.create(event=event, name=name, color=color, position=place)
        for place, (name, color) in enumerate(TRACKS.items())
    }
    rooms = {
        name: Room.objects.create(
            event=event, name=name, capacity=seats, description=words, position=place
        )
        for place, (name, (seats, words)) in enumerate(ROOMS.items())
    }
    tags = {
        name: Tag.objects.create(event=event, tag=name, color=color, is_public=True)
        for name, color in TAGS.items()
    }
    said = {"person": users["lena"], "orga": True}
    rooms["Boat House"].log_action("pretalx.room.update", **said)
    tracks["Algae"].log_action("pretalx.track.create", **said)
    tags["needs-boat"].log_action("pretalx.tag.create", **said)
    for code, (_, words) in SPEAKERS.items():
        SpeakerProfile.objects.create(user=users[code], event=event, biography=words)
    talks = {}
    for code, title, speakers, track, kind, state, named, words, _ in TALKS:
        row = Submission.objects.create(
            event=event,
            code=code,
            title=title,
            track=tracks[track],
            submission_type=types[kind],
            abstract=words,
            content_locale="en",
        )
        row.speakers.set([users[each] for each in speakers])
        row.tags.set([tags[each] for each in named])
        row.log_action("pretalx.submission.create", person=users[speakers[0]])
        if state in ("accepted", "confirmed"):
            row.accept(person=users["lena"])
        if state == "confirmed":
            row.confirm(person=users[speakers[0]])
        if state == "rejected":
            row.reject(person=users["lena"])
        talks[code] = row
    for code, who, score, words in REVIEWS:
        Review.objects.create(submission=talks[code], user=users[who], score=score, text=words)
    _questions(event, talks, users)
    _papers(event, tracks, types)
    for code, *_, where in TALKS:
        if where:
            room, day, hour, minute = where
            slot = talks[code].slots.filter(schedule=event.wip_schedule).first()
            slot.room = rooms[room]
            slot.start = dt.datetime(2026, 12, day, hour, minute, tzinfo=OSLO)
            slot.end = slot.start + dt.timedelta(minutes=talks[code].get_duration())
            slot.save()
    quietly = {"user": users["lena"], "notify_speakers": False}
    event.wip_schedule.freeze("0.1", comment="First draft", **quietly)
    late = talks["LEDGR8"].slots.filter(schedule=event.wip_schedule).first()
    late.room = rooms["Boat House"]
    late.save()
    event.wip_schedule.freeze("1.0", comment="The ledger moves to the Boat House", **quietly)


def _questions(event, talks, users) -> None:
    shirt = Question.objects.create(
        event=event, question="Which T-shirt size do you wear?", variant="choices", target="speaker"
    )
    sizes = {
        size: AnswerOption.objects.create(question=shirt, answer=size, position=place)
        for place, size in enumerate(("S", "M", "L", "XL"))
    }
    for code, size in {"OKAFR3": "M", "NVKPV7": "XL", "MEYTN8": "S"}.items():
        given = Answer.objects.create(question=shirt, person=users[code], answer=size)
        given.options.add(sizes[size])
    needs = Question.objects.create(
        event=event,
        question="Do you need anything on stage?",
        variant="text",
        target="submission",
        is_public=True,
    )
    for code, words in {
        "GAVGE8": "Twelve soldering irons and a bucket of sea water.",
        "KELP9W": "A table for the herbarium.",
        "KRAB37": "No, only the projector.",
    }.items():
        Answer.objects.create(question=needs, submission=talks[code], answer=words)
    Question.objects.create(
        event=event, question="Would you have lunch with it?", variant="boolean", target="reviewer"
    )


def _papers(event, tracks, types) -> None:
    for title, words, group in (
        ("How to get here", "Take the ferry at 8:10, the next one is too late.", "accepted"),
        ("Recording", "We film in the Lighthouse Hall only.", "confirmed"),
        ("Expenses", "Send your tickets to Lena before 20 December.", "submitters"),
    ):
        SpeakerInformation.objects.create(event=event, title=title, text=words, target_group=group)
    SubmitterAccessCode.objects.create(
        event=event, code="LATEALGAE", track=tracks["Algae"], maximum_uses=3, redeemed=1
    )
    SubmitterAccessCode.objects.create(
        event=event,
        code="WORKSHOPS26",
        submission_type=types["Workshop"],
        maximum_uses=10,
        redeemed=4,
        valid_until=dt.datetime(2026, 11, 30, 22, 0, tzinfo=OSLO),
    )


def main() -> None:
    """Write all rows."""
    with scopes_disabled():
        users = people()
        organiser, team = create_organiser_with_team(
            name="Fjordside Science", slug="fjordside", users=[users["lena"]]
        )
        events = [
            Event.objects.create(
                name=f"ShoreConf {year}",
                slug=f"shoreconf{year}",
                organiser=organiser,
                is_public=True,
                date_from=dt.date(year, 12, day),
                date_to=dt.date(year, 12, day + 1),
                timezone="Europe/Oslo",
                email="hello@shore.example",
                locale_array="en",
                locale="en",
            )
            for year, day in ((2026, 4), (2025, 5))
        ]
    for event in events:
        with scope(event=event):
            event.build_initial_data()
    with scopes_disabled():
        teams(organiser, team, users, events)
    with scope(event=events[0]):
        events[0].cfp.deadline = dt.datetime(2026, 10, 15, 23, 59, tzinfo=OSLO)
        events[0].cfp.save()
        programme(events[0], users)


main()
