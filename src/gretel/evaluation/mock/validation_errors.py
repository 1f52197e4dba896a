"""Validation errors (400, 422): what an API answers to arguments that break its contract."""

from collections.abc import Callable, Sequence

from gretel.catalog.arguments import ArgumentProblem
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool
from gretel.evaluation.mock.faults import seeded_choice
from gretel.evaluation.mock.replies import Reply, json_reply

Problems = Sequence[ArgumentProblem]


def validation_error(tool: Tool, problems: Problems, *, seed: int) -> Reply:
    """The answer to arguments with `problems`, in the shape that the toolkit keeps to."""
    return seeded_choice(_STYLES, seed, "rejection", tool.toolkit)(tool, problems)


def _fastapi(tool: Tool, problems: Problems) -> Reply:
    places = {parameter.name: parameter.location for parameter in tool.parameters}
    detail: list[JsonValue] = [
        {
            "type": "missing" if _missing(each) else "value_error",
            "loc": [places.get(each.field, "body"), _wire(tool, each)],
            "msg": "Field required" if _missing(each) else each.detail,
        }
        for each in problems
    ]
    return json_reply(422, {"detail": detail})


def _express(tool: Tool, problems: Problems) -> Reply:
    return json_reply(400, {"error": _sentence(tool, problems[0])})


def _spring(tool: Tool, problems: Problems) -> Reply:
    name = _wire(tool, problems[0])
    if _missing(problems[0]):
        message = f"Required request parameter '{name}' is not present"
    else:
        message = f"Failed to convert value of parameter '{name}': {problems[0].detail}"
    return json_reply(400, {"status": 400, "error": "Bad Request", "message": message})


def _google(tool: Tool, problems: Problems) -> Reply:
    violations: list[JsonValue] = [
        {"field": _wire(tool, each), "description": _sentence(tool, each)} for each in problems
    ]
    error: JsonObject = {
        "code": 400,
        "message": f"Invalid argument: {_sentence(tool, problems[0])}",
        "status": "INVALID_ARGUMENT",
        "details": [{"fieldViolations": violations}],
    }
    return json_reply(400, {"error": error})


def _json_api(tool: Tool, problems: Problems) -> Reply:
    errors: list[JsonValue] = [
        {
            "status": "422",
            "source": {"parameter": _wire(tool, each)},
            "detail": _sentence(tool, each),
        }
        for each in problems
    ]
    return json_reply(422, {"errors": errors})


def _problem_details(tool: Tool, problems: Problems) -> Reply:
    """RFC 9457."""
    errors: JsonObject = {_wire(tool, each): [_sentence(tool, each)] for each in problems}
    title = "One or more validation errors occurred."
    body: JsonObject = {"type": "about:blank", "title": title, "status": 400, "errors": errors}
    return json_reply(400, body)._replace(media_type="application/problem+json")


_STYLES: tuple[Callable[[Tool, Problems], Reply], ...] = (
    _fastapi,
    _express,
    _spring,
    _google,
    _json_api,
    _problem_details,
)


def _missing(problem: ArgumentProblem) -> bool:
    return problem.kind == "missing_required"


def _sentence(tool: Tool, problem: ArgumentProblem) -> str:
    name = _wire(tool, problem)
    if _missing(problem):
        return f"Missing required parameter: {name}"
    return f"Invalid value for parameter {name}: {problem.detail}"


def _wire(tool: Tool, problem: ArgumentProblem) -> str:
    """The field as the server knows it."""
    named = (each for each in tool.parameters if each.name == problem.field)
    parameter: Parameter | None = next(named, None)
    return parameter.wire_name if parameter else problem.field
