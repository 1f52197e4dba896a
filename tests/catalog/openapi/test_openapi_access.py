import pytest
from catalog_documents import document, only_tool, swagger

from gretel.catalog import Catalog
from gretel.contracts.tool import SecurityScheme

KEY = SecurityScheme(name="key", kind="apiKey", location="header", parameter="X-Key")
SCHEMES = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "token": {"type": "http", "scheme": "Bearer"},
    "oauth": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": "https://t/", "scopes": {}}},
    },
}
COMPONENTS = {"components": {"securitySchemes": SCHEMES}}


def servers(operation=None, **root):
    return only_tool(document(operation or {}, **root)).binding.servers


def security(operation=None, **root):
    return only_tool(document(operation or {}, **COMPONENTS, **root)).binding.security


def test_the_nearest_servers_count():
    root = [{"url": "https://root"}]
    assert servers(servers=root) == ("https://root",)
    assert servers({"servers": [{"url": "https://own"}]}, servers=root) == ("https://own",)
    item = {"servers": [{"url": "https://path"}], "get": {"operationId": "x"}}
    assert servers(paths={"/x": item}, servers=root) == ("https://path",)


def test_variables_are_filled():
    variables = {"v": {"default": "2"}, "region": {"enum": ["eu", "us"]}, "port": {"default": 443}}
    server = {"url": "https://{region}.x:{port}/{v}/{tenant}", "variables": variables}
    assert servers(servers=[server]) == ("https://eu.x:443/2/{tenant}",)


@pytest.mark.parametrize("given", [None, [], [{}], [{"url": ""}], "https://x", [5]])
def test_without_a_usable_server_there_is_none(given):
    assert servers(servers=given) == ()


def test_relative_servers_stay_relative():
    assert servers(servers=[{"url": "/v1"}, {"url": "/v1"}]) == ("/v1",)


@pytest.mark.parametrize(
    ("root", "urls"),
    [
        ({"host": "x.org", "basePath": "/v1/"}, ("https://x.org/v1",)),
        ({"host": "x.org", "schemes": ["http", "https"]}, ("https://x.org", "http://x.org")),
        ({"host": "x.org", "schemes": ["ws"]}, ("https://x.org",)),
        ({"basePath": "/v1"}, ("/v1",)),
        ({}, ()),
    ],
)
def test_swagger_servers(root, urls):
    assert only_tool(swagger({}, **root)).binding.servers == urls


def test_security_of_the_document_holds_until_an_operation_says_otherwise():
    root = [{"key": []}]
    assert security(security=root) == ((KEY,),)
    assert security({"security": []}, security=root) == ((),)
    assert security({"security": [{}]}, security=root) == ((),)


def test_alternatives_and_combinations():
    both, alone = security({"security": [{"key": [], "token": []}, {"oauth": ["read"]}]})
    assert [scheme.name for scheme in both] == ["key", "token"]
    assert both[1].scheme == "bearer"
    assert (alone[0].token_url, alone[0].scopes) == ("https://t/", ("read",))


def test_an_undefined_scheme_drops_its_alternative():
    operation = {"security": [{"ghost": []}, {"key": []}]}
    catalog = Catalog.from_openapi(document(operation, **COMPONENTS))
    (tool,) = catalog
    assert tool.binding.security == ((KEY,),)
    assert "'ghost'" in catalog.notes[0].detail


def test_swagger_schemes():
    definitions = {
        "basic": {"type": "basic"},
        "app": {"type": "oauth2", "flow": "application", "tokenUrl": "https://t/"},
    }
    source = swagger({"security": [{"basic": []}, {"app": []}]}, securityDefinitions=definitions)
    (basic,), (app,) = only_tool(source).binding.security
    assert (basic.kind, basic.scheme) == ("http", "basic")
    assert (app.kind, app.token_url) == ("oauth2", "https://t/")


def test_schemes_that_are_never_asked_for_may_be_sent():
    """Authors define them and forget to say where."""
    *each, none = security()
    assert [scheme.name for (scheme,) in each] == ["key", "token", "oauth"] and none == ()


def test_an_operation_that_says_nothing_may_be_sent_what_most_others_ask_for():
    stated = {"open": [{}], "one": [{"key": []}], "two": [{"token": []}], "three": [{"key": []}]}
    paths = {
        f"/{name}": {"get": {"operationId": name, "security": stated[name]}} for name in stated
    }
    paths["/things"] = {"get": {"operationId": "find"}}
    catalog = Catalog.from_openapi(document({}, **COMPONENTS, paths=paths))
    assert catalog["Shop.find"].binding.security == ((KEY,), ())
    assert catalog["Shop.open"].binding.security == ((),)
    assert catalog["Shop.two"].binding.security[0][0].name == "token"


def test_one_that_is_open_says_nothing_of_the_others():
    paths = {"/open": {"get": {"operationId": "open", "security": [{}]}}}
    paths["/things"] = {"get": {"operationId": "find"}}
    catalog = Catalog.from_openapi(document({}, paths=paths))
    assert catalog["Shop.find"].binding.security == ()


@pytest.mark.parametrize("operation", [{}, {"security": [{"ghost": []}]}])
def test_a_document_without_schemes_says_nothing(operation):
    (tool,) = Catalog.from_openapi(document(operation))
    assert tool.binding.security == ()
    assert next(iter(Catalog.from_openapi(swagger(operation)))).binding.security == ()
