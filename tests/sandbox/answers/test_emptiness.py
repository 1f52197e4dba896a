"""Envelopes round nothing, and answers that only look so; both written from what public APIs send,
before the rules that read them."""

from typing import Any

import pytest

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, Tool
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.verdict import Verdict


def operation(name: str, path: str, *names: str) -> Tool:
    return tool(
        f"x.{name}",
        params=tuple(param(each, required=True) for each in names),
        binding=HttpBinding(method="GET", path=path, servers=("http://127.0.0.1:9",)),
    )


SEARCH = operation("searchArticles", "/articles/search", "q")
MATCHES = operation("getMatches", "/matches", "date", "league")
PLAYER = operation("getPlayer", "/players/{player_id}", "player_id")


def judged(asked: Tool, text: str, kind: str = "", **arguments: Any) -> Verdict:
    json_like = text[:1] in '{["' or text in ("null", "0")
    kind = kind or ("application/json" if json_like else "application/xml")
    return classify(read_answer("GET", 200, kind, text), asked, arguments)


@pytest.mark.parametrize(
    "body",
    [
        '{"status":"ok","totalResults":0,"articles":[]}',
        '{"count":0,"next":null,"previous":null,"results":[]}',
        '{"status":true,"timestamp":1690,"data":{"articles":[],"total_articles":0,"country":"US"}}',
        '{"code":0,"msg":"success","processed_time":0.1,"data":{"articles":[],"hasMore":false}}',
        '{"searchResults":{"results":[],"totalCount":0},"sortOptions":[{"value":"best"}]}',
        '{"result":{"articles":[],"total":0,"currency":"USD"},"locale":"en-us"}',
        '{"articles":[],"article_count":0,"last_updated":"2023-05-04"}',
        '{"explains":[],"count":0,"quotes":[],"news":[],"totalTime":22}',
        '{"articles":"None Found"}',
        '{"msg":"empty"}',
        '{"info":"no entry"}',
        '{"data":"No matching articles."}',
        '{"data":{"search":{"edges":[],"pageInfo":{"hasNextPage":false,"endCursor":null}}}}',
        '{"data":{"article":null},"extensions":{"is_final":true}}',
        '{"ok":true,"result":[],"api_calls_left":95}',
        '{"articles":[],"source":"geo","elapsed_ms":12}',
        '{"hits":{"total":{"value":0},"max_score":null,"hits":[]},"took":3,"timed_out":false}',
        '<?xml version="1.0"?><results total="0"/>',
        "<results></results>",
        '<rss version="2.0"><channel><title>news</title></channel></rss>',
    ],
)
def test_an_envelope_round_nothing_is_empty(body):
    assert judged(SEARCH, body, q="zzz").status == "empty"


@pytest.mark.parametrize(
    ("asked", "arguments", "body"),
    [
        (
            MATCHES,
            {"date": "2023-01-01", "league": "39"},
            '{"date":"2023-01-01","games":[],"num_games":0}',
        ),
        (PLAYER, {"player_id": "99999"}, '{"id":99999,"name":"","team":"","position":""}'),
        (PLAYER, {"player_id": "99999"}, '{"player":{"id":99999,"stats":{}}}'),
    ],
)
def test_what_only_repeats_its_arguments_is_empty(asked, arguments, body):
    assert judged(asked, body, **arguments).status == "empty"


def test_the_head_of_a_table_alone_is_empty():
    assert judged(SEARCH, "id,name,date\n", "text/csv", q="zzz").status == "empty"
    assert judged(SEARCH, "id,name\n1,a\n", "text/csv", q="zzz").status == "succeeded"


@pytest.mark.parametrize(
    ("name", "path", "arguments", "body"),
    [
        ("getUser", "/users/{u}", {"u": "annab"}, '{"u":"annab","followers":[],"bio":"Hi"}'),
        ("getUser", "/users/{u}", {"u": "annab"}, '{"login":"annab","id":12,"followers":0}'),
        ("getWeather", "/weather", {"city": "Oslo"}, '{"city":"Oslo","alerts":[],"temp":3}'),
        ("getCountry", "/country", {"of": "NOK"}, '{"country":"Norway","languages":[]}'),
        ("getCurrency", "/currency", {"ip": "1.2.3.4"}, '{"currency":"NOK","data":[]}'),
        ("isPrime", "/prime", {"n": "7"}, '{"n":7,"is_prime":true,"factors":[]}'),
        ("getBalance", "/balance", {"of": "0xab"}, '{"of":"0xab","balance":0,"transactions":[]}'),
        ("getMatch", "/match/{id}", {"id": "44"}, '{"id":44,"home":0,"away":0,"events":[]}'),
        ("getOrder", "/orders/{id}", {"id": "44"}, '{"order":{"status":"open","items":[]}}'),
        ("searchUsers", "/users", {"q": "ann"}, '{"users":[{"name":"ann"}]}'),
        ("searchUsers", "/users", {"q": "ann"}, '["ann"]'),
        ("getAdvice", "/advice", {}, '{"slip":{"id":1,"advice":"Empty."}}'),
        ("getLyrics", "/lyrics", {"song": "x"}, '{"lyrics":"No data, no match"}'),
        ("getTeam", "/team/{id}", {"id": "42"}, '{"id":42,"country":"NO","players":[],"since":3}'),
        ("getPlaylist", "/list/{id}", {"id": "4"}, '{"name":"a","tracks":{"items":[],"total":0}}'),
        ("getRates", "/rates", {}, '<cube currency="USD" rate="1.09"/>'),
        ("getAddress", "/ip", {}, "<ip>1.2.3.4</ip>"),
        ("setFlag", "/flag", {}, "<success/>"),
    ],
)
def test_what_holds_an_answer_beside_an_empty_list_is_none(name, path, arguments, body):
    verdict = judged(operation(name, path, *arguments), body, **arguments)
    assert verdict.status == "succeeded" and not verdict.says_none


UNSEEN = ["\u200b", " \u2060 \u00ad", "\u2800\u3164", "\u202e\u202c", "\ufe0f" * 300, "\u200bnull"]


@pytest.mark.parametrize("text", UNSEEN, ids=ascii)
@pytest.mark.parametrize("form", ["%s", '"%s"', '{"player": "%s"}', '{"data": [{"name": "%s"}]}'])
def test_what_nobody_sees_is_no_content(form: str, text: str) -> None:
    assert judged(PLAYER, form % text, player_id="7").status == "empty"


@pytest.mark.parametrize("text", ["\uff25rror: denied", "\u0415rror: denied", "\u00e9rror: denied"])
def test_an_error_in_letters_that_look_like_others_is_one(text: str) -> None:
    assert judged(PLAYER, f'"{text}"', player_id="7").status == "failed"
    assert judged(PLAYER, text, "text/plain", player_id="7").status == "failed"
