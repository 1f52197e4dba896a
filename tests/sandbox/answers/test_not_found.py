"""Whose fault it is that nothing is there: the endpoint is gone, or our value is not known."""

import pytest
from sandbox_runs import judged

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, Response

FLOW = tool(
    "flows.get_deployment",
    params=(
        param("deployment", location="path", required=True),
        param("flow_name", location="path", required=True),
        param("page", location="query"),
    ),
    binding=HttpBinding(
        method="GET", path="/flows/{flow_name}/{deployment}", servers=("http://a",)
    ),
)


@pytest.mark.parametrize(
    ("body", "status", "kind", "expected", "fields"),
    [
        ({"detail": "Deployment not found"}, 404, "empty", "request", ("deployment",)),
        ({"detail": "No nightly-etl here"}, 404, "empty", "request", ("flow_name",)),
        ({"message": "Flow 'nightly-etl' does not exist"}, 200, "empty", "request", ("flow_name",)),
        ({"code": 1, "message": "no prod"}, 200, "rejected_arguments", "request", ("deployment",)),
        ("deployment prod not found", 404, "empty", "request", ("deployment",)),
        ({"detail": "prod is not allowed"}, 403, "rejected_arguments", "request", ("deployment",)),
        (
            {"detail": "Page not found", "page": 1},
            404,
            "drift",
            "request",
            ("deployment", "flow_name"),
        ),
        ({"detail": "Not Found"}, 404, "drift", "request", ("deployment", "flow_name")),
        ("<html>Not Found</html>", 404, "drift", "request", ("deployment", "flow_name")),
        ("Cannot GET /flows/nightly-etl/prod", 404, "drift", "tool", ()),
        ({"message": "Endpoint /flows/nightly-etl/prod not found"}, 404, "drift", "tool", ()),
        ({"detail": "prod not found"}, 500, "rejected_arguments", "request", ("deployment",)),
        ({"detail": "No such file: 'prod'"}, 500, "rejected_arguments", "request", ("deployment",)),
        ({"detail": "404: Nobody here"}, 500, "empty", "request", ("deployment", "flow_name")),
        ({"detail": "422: no such day"}, 500, "rejected_arguments", "request", ()),
        ({"detail": "404 hosts are down"}, 500, "server_error", "tool", ()),
        (
            "Invalid deployment name specified",
            500,
            "rejected_arguments",
            "request",
            ("deployment",),
        ),
        ({"detail": "No such file: 'x.cfg'"}, 500, "server_error", "tool", ()),
        ({"detail": "crashed on prod"}, 500, "server_error", "tool", ()),
        ({"detail": "You may not"}, 403, "permission", "tool", ()),
    ],
)
def test_whose_fault_it_is_that_nothing_is_there(body, status, kind, expected, fields):
    verdict = judged(
        FLOW,
        body,
        status,
        "text/plain" if isinstance(body, str) else "application/json",
        deployment="prod",
        flow_name="nightly-etl",
    )
    failure = verdict.failure
    assert failure is not None
    assert (failure.kind, failure.fault, set(failure.fields)) == (kind, expected, set(fields))


def test_the_reason_names_what_is_not_known():
    failure = judged(FLOW, {"detail": "Deployment not found"}, 404, deployment="prod").failure
    assert failure is not None
    assert failure.detail == "HTTP 404: knows no prod (deployment): Deployment not found"


def test_a_service_or_a_page_may_be_what_is_not_found():
    asked = FLOW.model_copy(update={"parameters": (param("service", location="path"),)})
    failure = judged(asked, {"message": "service 'mail' not found"}, 404, service="mail").failure
    assert failure is not None and (failure.kind, failure.fault) == ("empty", "request")
    failure = judged(asked, {"message": "the service is not found"}, 404).failure
    assert failure is not None and (failure.kind, failure.fault) == ("drift", "tool")


def test_a_page_in_place_of_data_may_be_the_fault_of_what_stands_in_the_path():
    """Web applications answer each path that they do not know with their own page."""
    promising = FLOW.model_copy(update={"response": Response(json_schema={"type": "object"})})
    page = "<!doctype html><html><title>App</title></html>"
    found = judged(promising, page, 200, "text/html", deployment="prod", flow_name="x").failure
    assert (found.kind, found.fault, found.fields) == (
        "protocol",
        "request",
        ("deployment", "flow_name"),
    )
    whole = promising.model_copy(
        update={"binding": HttpBinding(method="GET", path="/flows", servers=("http://a",))}
    )
    bare = judged(whole, page, 200, "text/html").failure
    assert (bare.kind, bare.fault) == ("protocol", "tool")
