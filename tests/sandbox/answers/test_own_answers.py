"""What is the answer of one operation and of no other: a documented status, a health check."""

import json

import pytest
from sandbox_runs import judged

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.tool import HttpBinding, Response, Tool, VirtualBinding
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.judge import judge
from gretel.sandbox.answers.verdict import Verdict
from gretel.sandbox.http.stabletoolbench import read_relayed


def documented(
    *statuses: int, method: str = "GET", path: str = "/a", description: str = ""
) -> Tool:
    return tool(
        "a.b",
        binding=HttpBinding(method=method, path=path, servers=("http://a",)),
        response=Response(statuses=statuses, description=description),
    )


def test_a_documented_status_is_success():
    assert judged(documented(302), "", 302) == Verdict("succeeded")
    assert judged(documented(401), "", 401) == Verdict("succeeded")
    assert judged(documented(204), "", 204) == Verdict("succeeded")
    assert judged(documented(description="Redirects to the list"), "", 302).status == "succeeded"
    assert judged(documented(), "", 302).status == "failed"
    assert judged(documented(), "", 401).status == "failed"
    assert judged(documented(), "", 204).status == "empty"
    assert judged(documented(), "", 418, status_code=418).status == "succeeded"
    assert judged(documented(path="/status/{codes}"), "", 401, codes="401").status == "succeeded"
    assert judged(documented(), "", 418, size=418).status == "failed"
    assert judged(documented(path="/coupons/{code}"), "", 418, code=418).status == "failed"
    assert judged(documented(method="DELETE"), "", 204).status == "succeeded"


def test_the_words_beside_a_documented_status_make_it_no_other_answer():
    asked = documented(401).model_copy(
        update={"response": Response(json_schema={"type": "object"}, statuses=(401,))}
    )
    answer = read_answer("GET", 401, "application/json", '{"detail": "Not logged in"}')
    vocabulary = Catalog.from_tools([asked]).vocabulary
    assert judge(answer, asked, {}, vocabulary) == Verdict("succeeded")


@pytest.mark.parametrize("body", ["OK", "pong", "true", '"ok"', '{"message": "pong"}', ""])
def test_a_health_check_says_little(body):
    asked = documented(path="/api/healthz")
    vocabulary = Catalog.from_tools([asked]).vocabulary
    answer = read_answer("GET", 200, "application/json", body)
    assert judge(answer, asked, {}, vocabulary) == Verdict("succeeded")


def test_a_web_page_is_no_answer_of_a_relayed_api():
    page = json.dumps({"error": "", "response": "<!DOCTYPE html><html><title>Hi</title></html>"})
    answer = read_relayed("POST", 200, "application/json", page)
    other = tool(
        "air.search_flights", binding=VirtualBinding(category="", tool_name="", api_name="")
    )
    assert classify(answer, other, {}).status == "failed"
    scraper = other.model_copy(update={"operation": "get_page_html"})
    assert classify(answer, scraper, {}).status == "succeeded"
