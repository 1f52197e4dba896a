"""Documents of one title: each has a toolkit of its own, whatever their order."""

import itertools
import json

import pytest
from catalog_documents import document

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError


def fastapi(path="/a", title="FastAPI", **root):
    return document({}, path=path, info={"title": title}, **root)


def toolkits(catalog):
    return sorted({tool.toolkit for tool in catalog})


def ids(catalog):
    return [tool.tool_id for tool in catalog]


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def joined(catalogs):
    return sum(catalogs, Catalog())


def test_files_tell_titles_apart(tmp_path):
    for name, path in (("bugs", "/a"), ("maps", "/b")):
        write(tmp_path / f"{name}.json", fastapi(path))
    names = ["FastAPI@bugs", "FastAPI@maps"]
    assert toolkits(Catalog.from_path(tmp_path)) == names
    each = [Catalog.from_path(path) for path in sorted(tmp_path.glob("*.json"))]
    assert [toolkits(catalog) for catalog in each] == [["FastAPI"], ["FastAPI"]]
    assert toolkits(each[0] + each[1]) == names
    assert ids(each[1] + each[0]) == ids(Catalog.from_path(tmp_path))
    assert ids(each[0] + each[1]) == ["FastAPI@bugs.find", "FastAPI@maps.find"]
    details = [note.detail for note in (each[0] + each[1]).notes]
    assert details == [f"several documents are 'FastAPI': this one is {name!r}" for name in names]


def test_folders_tell_files_of_one_name_apart(tmp_path, monkeypatch):
    for name in ("bugs", "maps"):
        write(tmp_path / name / "openapi.json", fastapi(f"/{name}"))
    both = joined(Catalog.from_path(tmp_path / each / "openapi.json") for each in ("bugs", "maps"))
    assert toolkits(both) == ["FastAPI@bugs/openapi", "FastAPI@maps/openapi"]
    monkeypatch.chdir(tmp_path / "bugs")
    typed = joined(map(Catalog.from_path, ("openapi.json", "../maps/openapi.json")))
    assert ids(typed) == ids(both)


def test_servers_tell_documents_without_a_file_apart():
    catalogs = [
        Catalog.from_openapi(fastapi(), base_url=f"http://127.0.0.1:{port}/v1")
        for port in (8000, 8001)
    ]
    assert toolkits(joined(catalogs)) == ["FastAPI@127.0.0.1:8000", "FastAPI@127.0.0.1:8001"]
    named = [Catalog.from_openapi(fastapi(servers=[{"url": f"https://{h}.x"}])) for h in "ab"]
    assert toolkits(joined(named)) == ["FastAPI@a.x", "FastAPI@b.x"]


def test_else_a_hash_does():
    one, two = Catalog.from_openapi(fastapi("/a")), Catalog.from_openapi(fastapi("/b"))
    first, second = toolkits(one + two)
    assert toolkits(two + one) == [first, second]
    assert {name.partition("@")[0] for name in (first, second)} == {"FastAPI"}
    assert all(len(name) == len("FastAPI@12345678") for name in (first, second))


def test_the_names_do_not_depend_on_the_order(tmp_path):
    files = [write(tmp_path / f"{name}.json", fastapi(f"/{name}")) for name in "abc"]
    catalogs = [Catalog.from_path(file) for file in files]
    other = Catalog.from_openapi(fastapi(title="Other"))
    found = {tuple(ids(joined(order))) for order in itertools.permutations([*catalogs, other])} | {
        tuple(ids(catalogs[0] + (catalogs[1] + (other + catalogs[2]))))
    }
    assert found == {("FastAPI@a.find", "FastAPI@b.find", "FastAPI@c.find", "Other.find")}


def test_the_same_document_twice_is_one():
    one, same = Catalog.from_openapi(fastapi()), Catalog.from_openapi(fastapi())
    assert ids(one + same) == ["FastAPI.find"]
    other = Catalog.from_openapi(fastapi("/b"))
    assert len((one + other) + same) == 2


def test_ids_that_were_told_apart_keep_what_told_them_apart():
    paths = {f"/{name}": {"get": {"operationId": "x", "tags": [name]}} for name in "ab"}
    one = Catalog.from_openapi(document({}, paths=paths, servers=[{"url": "https://x"}]))
    two = Catalog.from_openapi(document({}, servers=[{"url": "https://y"}]))
    assert ids(one + two) == ["Shop@x.x@a", "Shop@x.x@b", "Shop@y.find"]


def test_a_name_that_the_user_gave_stays_his():
    named = Catalog.from_openapi(fastapi("/a"), toolkit="FastAPI")
    titled = Catalog.from_openapi(fastapi("/b", servers=[{"url": "https://x"}]))
    for both in (named + titled, titled + named):
        assert ids(both) == ["FastAPI.find", "FastAPI@x.find"]


def test_names_that_the_user_gave_twice_are_one_toolkit():
    one, two = (
        Catalog.from_openapi({**fastapi(), "paths": {path: {"get": {}}}}, toolkit="Mine")
        for path in ("/a", "/b")
    )
    assert ids(one + two) == ["Mine.get_a", "Mine.get_b"]
    twice = [Catalog.from_openapi(fastapi(path), toolkit="M") for path in ("/a", "/b")]
    assert {each.toolkit for each in joined(twice)} == {"M"}
    assert len({*ids(joined(twice))} - {"M.find"}) == 2


def test_no_title_takes_the_place_that_a_mark_makes():
    """A rival may guess how two others are told apart."""
    victims = [Catalog.from_openapi(fastapi(f"/{h}", servers=[{"url": h}])) for h in ("//a", "//b")]
    rival = Catalog.from_openapi(fastapi("/c", title="FastAPI@a"))
    for order in itertools.permutations([*victims, rival]):
        assert toolkits(joined(order)) == ["FastAPI@a", "FastAPI@b", "FastAPI_a"]
        assert joined(order)["FastAPI@a.find"].binding.servers == ("//a",)


def test_a_second_document_of_the_title_takes_no_id_of_the_first():
    """What was marked safe under an id fits nothing any more, rather than a stranger's tool."""
    sky = fastapi("/search", title="Sky", servers=[{"url": "https://sky.example"}])
    evil = {**fastapi("/everything", title="Sky"), "servers": [{"url": "https://evil.example"}]}
    both = Catalog.from_openapi(sky) + Catalog.from_openapi(evil)
    assert "Sky.find" not in both
    assert both["Sky@sky.example.find"].binding.path == "/search"


def test_a_path_may_be_named(tmp_path):
    file = write(tmp_path / "openapi.json", fastapi())
    assert ids(Catalog.from_path(file, toolkit="Bug tracker")) == ["Bug_tracker.find"]
    write(tmp_path / "more.json", fastapi("/b", title="Other"))
    with pytest.raises(CatalogError, match="holds 2 toolkits, and one name"):
        Catalog.from_path(tmp_path, toolkit="Bug tracker")
