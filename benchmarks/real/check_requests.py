"""Whether `requests.jsonl` fits the documents, and whether the gold calls succeed.

    python benchmarks/real/check_requests.py            # the file against the documents; counts
    python benchmarks/real/check_requests.py --call     # also makes each answerable gold call
    python benchmarks/real/check_requests.py --call --show git  # prints what git's answered

Needs what `start.py` leaves below `build/real`; `--call` needs the services running. It shares
nothing with GRETEL: it reads the documents and makes the calls itself.
"""

import argparse
import asyncio
import collections
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calls import Answer, asked, called, http_client
from judged import KINDS, LANGUAGES, OUT, Call, Request, requests
from listing import saved_as, session
from operations import Operation, operations
from service import PARTS, Service
from services import SERVICES

CHANGING = ("POST", "PUT", "PATCH", "DELETE")


def literally(value: object, words: str) -> bool:
    """Whether a value, or each part of it, stands in the words as it is."""
    if isinstance(value, list):
        return all(literally(each, words) for each in value)
    if isinstance(value, bool | dict):
        return False
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(str(value))}(?![A-Za-z0-9])", words) is not None


def faults(request: Request, known: Mapping[str, Operation]) -> Iterator[str]:
    """What does not fit."""
    if request.kind not in KINDS or request.language not in LANGUAGES:
        yield "unknown kind or language"
    if bool(request.gold) == (request.kind == "nothing_serves"):
        yield "gold and kind contradict each other"
    for call in [*request.gold, *request.also_right]:
        if call.operation not in known:
            yield f"no operation {call.operation}"
            continue
        yield from _faults_of_call(request, call, known[call.operation])
    gold = {name: value for call in request.gold for name, value in call.arguments.items()}
    expected = sorted(name for name, value in gold.items() if literally(value, request.words))
    if sorted(request.said) != expected:
        yield f"said should be {expected}"
    if not set(request.free) <= set(gold):
        yield "a free argument that gold has not"


def _faults_of_call(request: Request, call: Call, operation: Operation) -> Iterator[str]:
    given = {*call.arguments, *request.context}
    unknown = set(call.arguments) - set(operation.places)
    if unknown and not operation.any_body:
        yield f"{operation.name} takes no {sorted(unknown)}"
    missing = sorted(operation.required - given)
    method = call.operation.partition(" /")[0]
    if request.kind == "answerable" and call in request.gold and method in CHANGING:
        yield f"{operation.name} changes something"
    if request.kind == "missing_argument":
        if not missing and call in request.gold:
            yield f"{operation.name} misses nothing"
        if not request.note:
            yield "the note does not name what is missing"
    elif missing:
        yield f"{operation.name} misses {missing}"


def answers(service: Service, chosen: Sequence[Request]) -> Iterator[tuple[Request, Call, Answer]]:
    """What each gold call, and each other right one that reads, is answered with."""
    place = service.place(OUT)
    known = operations(saved_as(service, place))
    calls = [(row, call) for row in chosen for call in [*row.gold, *row.also_right]]
    if service.kind == "mcp":
        yield from asyncio.run(_tool_answers(service, known, calls))
        return
    with http_client(service, place) as client:
        for row, call in calls:
            if call.operation.startswith("GET "):
                arguments = {**_context(row, known[call.operation]), **call.arguments}
                yield row, call, called(client, service, known[call.operation], arguments)


async def _tool_answers(
    service: Service, known: Mapping[str, Operation], calls: Sequence[tuple[Request, Call]]
) -> list[tuple[Request, Call, Answer]]:
    async with session(service, service.place(OUT), "check.log") as client:
        return [
            (
                row,
                call,
                await asked(
                    client,
                    known[call.operation],
                    {**_context(row, known[call.operation]), **call.arguments},
                ),
            )
            for row, call in calls
        ]


def _context(request: Request, operation: Operation) -> dict[str, Any]:
    return {name: value for name, value in request.context.items() if name in operation.places}


def table(rows: Sequence[Request]) -> str:
    """Counts by service and part, kind, language."""
    head = ["", "part", *KINDS, *LANGUAGES, "follow-up", "all"]
    lines = [head]
    named = [(each.name, each.part, each.name) for each in SERVICES]
    for name, part, service in [*named, *((each, "", "") for each in PARTS), ("all", "", "")]:
        chosen = [row for row in rows if name == "all" or name in (row.part, row.service)]
        kinds = collections.Counter(row.kind for row in chosen)
        languages = collections.Counter(row.language for row in chosen)
        counts = [kinds[each] for each in KINDS] + [languages[each] for each in LANGUAGES]
        counts += [sum(bool(row.history) for row in chosen), len(chosen)]
        lines.append([service or name, part, *map(str, counts)])
    lines.insert(1, ["---"] * len(head))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> int:
    """Say what is wrong; 0 where nothing is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [each.name for each in SERVICES]
    parser.add_argument("--call", action="store_true", help="make the gold calls")
    parser.add_argument("--show", nargs="*", default=[], choices=names, metavar="NAME")
    options = parser.parse_args()
    rows = requests()
    wrong = _wrong_rows(rows)
    if options.call:
        wrong += _wrong_calls(rows, options.show)
    print(table(rows))
    print(f"{wrong} faults")
    return 1 if wrong else 0


def _wrong_rows(rows: Sequence[Request]) -> int:
    wrong = 0
    known = {each.name: operations(saved_as(each, each.place(OUT))) for each in SERVICES}
    parts = {each.name: each.part for each in SERVICES}
    for name, times in collections.Counter(row.id for row in rows).items():
        if times > 1:
            wrong += 1
            print(f"{name}: {times} times")
    for row in rows:
        found = list(faults(row, known[row.service]))
        if row.part != parts[row.service]:
            found.append("its service is of another part")
        wrong += len(found)
        for each in found:
            print(f"{row.id}: {each}")
    return wrong


def _wrong_calls(rows: Sequence[Request], shown: Sequence[str]) -> int:
    made = wrong = 0
    for service in SERVICES:
        chosen = [row for row in rows if row.service == service.name and row.kind == "answerable"]
        for row, call, answer in answers(service, chosen):
            made += 1
            wrong += not answer.good
            if not answer.good or service.name in shown:
                mark = "" if answer.good else "FAILED "
                sent = json.dumps(call.arguments, ensure_ascii=False)
                print(f"{mark}{row.id}: {call.operation} {sent}\n    {answer.text[:300]!r}")
    print(f"{made} calls made, {wrong} without success")
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
