"""Requests as people ask services they run: what they name arrives exactly, or not at all.

The tools are invented, and so is all that is asked of them.
"""

from functools import partial

import pytest

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, Location, NoBinding, Parameter, Tool
from lanes import every
from service_tools import planned_arguments


def http(path: str, *parameters: Parameter, about: str = "") -> Tool:
    """A GET whose path names its path parameters."""
    named = [
        given.model_copy(update={"location": "path", "required": True})
        if "{" + given.name + "}" in path
        else given
        for given in parameters
    ]
    binding = HttpBinding(method="GET", path=path)
    return tool(f"svc.get_{path}", about, params=named, binding=binding)


def local(name: str, about: str, *parameters: Parameter) -> Tool:
    """A tool that is called by its arguments' names."""
    given = [each.model_copy(update={"location": "argument"}) for each in parameters]
    return tool(f"box.{name}", about, params=given, binding=NoBinding())


def opt(name: str, about: str = "", kind: str = "string", **schema: object) -> Parameter:
    full = {"type": kind, **schema}
    return param(name, full, description=about)  # type: ignore[arg-type]


def req(name: str, about: str = "", kind: str = "string", **schema: object) -> Parameter:
    location: Location = "query"
    full = {"type": kind, **schema}
    return param(name, full, required=True, location=location, description=about)  # type: ignore[arg-type]


PAGE = (opt("limit", "", "integer"), opt("offset", "", "integer"))
TOOLS = {
    "read": local(
        "read_file",
        "Read a file as text",
        req("path"),
        opt("head", "Only the first N lines", "number"),
        opt("tail", "Only the last N lines", "number"),
    ),
    "list": local("list_dir", "List a directory", req("directory", "Directory to list")),
    "move": local("move", "Move or rename a file", req("source"), req("destination")),
    "glob": local(
        "find_files", "Search for files below a folder", req("path"), req("pattern", "Glob pattern")
    ),
    "write": local("write_file", "Create or overwrite a file", req("path"), req("content")),
    "several": local(
        "read_files",
        "Read several files",
        param("paths", {"type": "array", "items": {"type": "string"}}, required=True),
    ),
    "run": http("/flows/{flow}/deployments/{name}", opt("flow"), opt("name")),
    "tenant": http("/tenants/{tenant}", opt("tenant"), about="Read one tenant"),
    "owner": http(
        "/owners/{owner}/boxes",
        opt("owner", "Owner UUID").model_copy(
            update={"examples": ("5b1f6c0e-3d52-4c8b-9a07-2e4d81f0b6aa",)}
        ),
        about="List the boxes of an owner",
    ),
    "ticket": http(
        "/tickets/{ticket_id}",
        opt("ticket_id", "Ticket id").model_copy(update={"examples": ("TCK-4821",)}),
        about="Read one ticket",
    ),
    "variable": http(
        "/variables/name/{name}", opt("name", "The name of the variable"), about="Read a variable"
    ),
    "process": http("/processes/{processId}", opt("processId"), about="Describe one process"),
    "processes": http("/processes", *PAGE, about="List the processes"),
    "plugin": http("/plugins/{plugin}/stats", opt("plugin"), about="Statistics of a plugin"),
    "record": http(
        "/buckets/{bucket_id}/collections/{collection_id}/records/{id}",
        opt("bucket_id"),
        opt("collection_id"),
        opt("id"),
        about="Read one record",
    ),
    "zone": http("/zones/{zoneName}", opt("zoneName", "Name of the DNS zone"), about="Read a zone"),
    "user": http("/users/{user_id}", opt("user_id"), about="Read one user"),
    "project": http("/projects/{projectId}/branches", opt("projectId", "", "integer"), *PAGE),
    "jobs": http(
        "/jobs",
        opt("status", "Filter by status", enum=["queued", "running", "failed", "done"]),
        opt("queue", "Name of the queue"),
        opt("since", "Jobs created after this moment", format="date-time"),
        opt("until", "Jobs created before this moment", format="date-time"),
        opt("order", "Sort order", enum=["asc", "desc"]),
        *PAGE,
        about="List jobs",
    ),
    "search": http(
        "/articles",
        opt("search", "Text to search for"),
        opt("author"),
        opt("state"),
        *PAGE,
        about="List articles",
    ),
    "decode": local("decode", "Decode base64", req("data", "Base64 text to decode")),
    "host": http("/hosts/{hostname}", opt("hostname"), about="Read one host"),
    "key": http("/keys/{key}", opt("key"), about="Read the value of a key"),
    "sql": local("query", "Run SQL on the database", req("query", "SQL to execute")),
    "table": local("describe", "Columns of a table", req("table_name", "Name of the table")),
    "rate": http("/rates/{currency}", opt("currency", "Currency code"), about="Exchange rate"),
    "quote": http("/quote", req("symbol", "Stock ticker symbol, e.g. AAPL"), about="Stock quote"),
    "clock": local("clock", "Time in a zone", req("timezone", "IANA name, e.g. 'Europe/Rome'")),
    "convert": local(
        "convert",
        "Convert a time",
        req("source_timezone", "IANA name"),
        req("time", "24-hour time (HH:MM)"),
        req("target_timezone", "IANA name"),
    ),
    "page": http("/pages/by-title", req("title", "Title of the page"), about="Read a page"),
    "event": http("/events/{id}", opt("id", "", format="uuid"), about="Read one event"),
    "issue": http("/events", req("issue", "Id of the issue"), *PAGE, about="Events of an issue"),
    "mail": http("/accounts", req("email", "Address of the account"), about="Find an account"),
    "image": http("/images/{image}/tags/{tag}", opt("image"), opt("tag"), about="Read an image"),
    "log": http(
        "/services/{serviceName}/log",
        opt("serviceName"),
        opt("lines", "Number of lines to return", "integer"),
        opt("level", "Lowest level", enum=["debug", "info", "warning", "error"]),
        about="Log of a service",
    ),
    "sensor": http(
        "/sensors/{sensor}/readings",
        opt("sensor"),
        opt("date", "Day, YYYY-MM-DD"),
        opt("max_value", "", "number"),
        about="Readings of a sensor",
    ),
    "price": http(
        "/price",
        req("amount", "Amount to convert", "number"),
        req("from", "Currency code"),
        req("to", "Currency code"),
    ),
    "topic": http("/topics/{topicName}", opt("topicName"), about="Describe a topic"),
    "map": http(
        "/trees",
        param("bbox", {"type": "array", "items": {"type": "number"}, "minItems": 4}),
        *PAGE,
        about="Trees within a box",
    ),
    "net": http("/lookup", req("ip", "Address to look up"), about="Who has an address"),
    "branch": http(
        "/repos/{owner}/{repo}/branches/{branch}", opt("owner"), opt("repo"), opt("branch")
    ),
    "note": http("/notes/{noteId}", opt("noteId"), about="Text of a note"),
    "noterev": http(
        "/notes/{noteId}/revisions/{rev}",
        opt("noteId"),
        opt("rev", "", "integer"),
        about="A revision of a note",
    ),
    "dns": http(
        "/servers/{server_id}/zones/{zone_id}",
        opt("server_id"),
        opt("zone_id", "The id of the zone"),
    ),
    "gitlog": local(
        "git_log", "Shows the commit logs", req("repo_path"), opt("max_count", "", "integer")
    ),
    "gitshow": local(
        "git_show", "Shows the contents of a commit", req("repo_path"), req("revision")
    ),
    "gitdiff": local(
        "git_diff", "Shows differences between branches or commits", req("repo_path"), req("target")
    ),
    "nodes": local(
        "open_nodes",
        "Open specific nodes by their names",
        param(
            "names",
            {"type": "array", "items": {"type": "string"}},
            required=True,
            description="Names of the nodes",
        ),
    ),
    "watch": http("/watch/{uuid}", opt("uuid", "", format="uuid"), about="Read one watch"),
    "watches": http(
        "/watch", opt("tag", "Tag name to filter by"), opt("recheck_all"), about="List watches"
    ),
    "invoc": http(
        "/invocations/{invocation_id}", opt("invocation_id"), about="Describe an invocation"
    ),
    "svc": http("/services/{service}/handlers/{handler}", opt("service"), opt("handler")),
    "group": http("/groups/{group_id}/members", opt("group_id"), opt("limit", "", "integer")),
    "metric": http(
        "/metrics",
        req("metric_name", "Metric"),
        opt("from", "Start time", format="date-time"),
        opt("to", "End time", format="date-time"),
        opt("step", "Seconds between points", "integer"),
    ),
    "cfg": http("/config/{section}/{option}", opt("section"), opt("option")),
    "obj": http(
        "/buckets/{bucket}/objects/{key}", opt("bucket"), opt("key"), about="Download an object"
    ),
    "acct": http(
        "/accounts/{account}/statement",
        opt("account"),
        opt("month", "YYYY-MM"),
        opt("currency", "ISO code"),
    ),
    "nodes_like": local(
        "search_nodes", "Search for nodes", req("query", "What to match against names and types")
    ),
    "raster": http("/raster/info", req("url", "Dataset URL"), opt("expression")),
    "layer": http("/raster/layers", req("url", "Dataset URL"), req("variable", "Its variable")),
    "point": http(
        "/raster/point/{lon},{lat}",
        opt("lon", "Longitude", "number"),
        opt("lat", "Latitude", "number"),
        req("url", "Dataset URL"),
    ),
    "grid": local(
        "read_grid",
        "Read cells",
        req("path"),
        req("tab"),
        opt("range", "e.g. 'A1:D20'"),
    ),
    "talklog": http(
        "/summits/{summit}/talks/{code}/log",
        opt("code"),
        opt("summit", "Slug"),
        about="Changes of a talk",
    ),
    "rooms": http("/summits/{summit}/rooms", opt("summit", "Slug"), opt("q", "A search term")),
    "release": http(
        "/summits/{summit}/by-version",
        opt("summit", "Slug"),
        opt("version", "Version, e.g. '1.0', 'Final'"),
    ),
    "perms": http("/members/{id}/rights", opt("id", "", "integer"), opt("space")),
    "logged": http("/queries/{queryId}", opt("queryId"), about="One query that was logged"),
    "states": http(
        "/proposals",
        opt("next_state", enum=["accepted", "rejected"]),
        opt("state", enum=["accepted", "rejected"]),
        about="List proposals",
    ),
    "joined": http("/runs", opt("operator", enum=["and_", "or_"]), opt("tag"), about="List runs"),
    "cont": http(
        "/containers/{id}/logs",
        opt("id", "Name or id of the container"),
        opt("tail", "Number of lines from the end", "string"),
        opt("timestamps", "", "boolean"),
    ),
    "vol": http("/volumes/{name}", opt("name", "Volume name or ID")),
    "chk": http(
        "/checks",
        opt("state", enum=["up", "down", "paused"]),
        opt("type"),
        opt("page", "", "integer"),
        opt("per_page", "", "integer"),
    ),
    "pr": http("/repos/{repo}/pulls/{number}", opt("repo"), opt("number", "", "integer")),
    "weather": http(
        "/weather",
        req("city", "City name"),
        opt("units", enum=["metric", "imperial"]),
        opt("days", "", "integer"),
        about="Weather",
    ),
    "flight": http(
        "/flights",
        req("origin", "Origin airport IATA code"),
        req("destination", "Destination airport IATA code"),
        req("date", "Departure date", format="date"),
    ),
    "holidays": http(
        "/holidays",
        req("country", "ISO country code"),
        req("year", "", "integer"),
        about="Holidays",
    ),
    "menu": http("/menu", req("date", "Day, YYYY-MM-DD"), about="Menu of a day"),
    "loan": http(
        "/loan", req("amount", "", "number"), req("years", "", "integer"), about="Payment"
    ),
    "near": http("/near", req("lat", "Latitude", "number"), req("lon", "Longitude", "number")),
    "artist": http("/artists", req("name", "Name of the artist"), about="Find an artist"),
}
WATCH = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
CLUSTER = "0b7f3c1e-9d52-4c0e-8a44-5f1d2e3c4b5a"

ASKED: list[tuple[str, str, dict[str, object] | None]] = [
    # paths and file names, whole
    ("show me /etc/hosts", "read", {"path": "/etc/hosts"}),
    ("What is in /var/log/nginx/access.log?", "read", {"path": "/var/log/nginx/access.log"}),
    ("print the file ./notes/to-do.txt, please", "read", {"path": "./notes/to-do.txt"}),
    ("Could you open ~/.ssh/config for me", "read", {"path": "~/.ssh/config"}),
    ("List everything under /srv/data.", "list", {"directory": "/srv/data"}),
    ("what does C:\\Users\\ada\\report.docx say", "read", {"path": "C:\\Users\\ada\\report.docx"}),
    ("the last 20 lines of /var/log/syslog", "read", {"path": "/var/log/syslog", "tail": 20}),
    ("First 5 lines of data.csv", "read", {"path": "data.csv", "head": 5}),
    ("Read me the file", "read", None),
    (
        "move /srv/a.txt to /srv/b.txt",
        "move",
        {"source": "/srv/a.txt", "destination": "/srv/b.txt"},
    ),
    ("find **/*.py under /srv/app", "glob", {"path": "/srv/app", "pattern": "**/*.py"}),
    (
        'Write "buy milk" into /srv/list.txt',
        "write",
        {"path": "/srv/list.txt", "content": "buy milk"},
    ),
    (
        "compare /etc/hosts and /etc/hostname",
        "several",
        {"paths": ["/etc/hosts", "/etc/hostname"]},
    ),
    ("Zeig mir /etc/fstab", "read", {"path": "/etc/fstab"}),
    ("请打开 /etc/passwd 这个文件", "read", {"path": "/etc/passwd"}),
    ("读取/opt/app/config.yaml的内容", "read", {"path": "/opt/app/config.yaml"}),
    ('show me "/home/ann/my file.txt"', "read", {"path": "/home/ann/my file.txt"}),
    ("what is in `~/My Papers/a b.pdf`", "read", {"path": "~/My Papers/a b.pdf"}),
    (
        'move "/srv/a b.txt" to "/srv/c d.txt"',
        "move",
        {"source": "/srv/a b.txt", "destination": "/srv/c d.txt"},
    ),
    # a file may stand where an address is asked for, and serves no other parameter
    ("What is in /srv/map.tif?", "raster", {"url": "/srv/map.tif"}),
    ("Bounds of s3://tiles/map.tif, please", "raster", {"url": "s3://tiles/map.tif"}),
    (
        "Values of the variable height in /srv/sea.zarr",
        "layer",
        {"url": "/srv/sea.zarr", "variable": "height"},
    ),
    (
        "What is at 5.23 east and 60.1 north in /srv/map.tif?",
        "point",
        {"lon": 5.23, "lat": 60.1, "url": "/srv/map.tif"},
    ),
    (
        "what is at 60.1 N, 5.2 W of /srv/map.tif",
        "point",
        {"lon": -5.2, "lat": 60.1, "url": "/srv/map.tif"},
    ),
    # a code like a slot's samples, and a tab's name with its capital
    (
        "B2:C7 on the tab Winter of costs.xlsx",
        "grid",
        {"path": "costs.xlsx", "tab": "Winter", "range": "B2:C7"},
    ),
    (
        "Under which address is version 0.3 of summit26?",
        "release",
        {"summit": "summit26", "version": "0.3"},
    ),
    # the inner step of a path is said first
    (
        "Who accepted QRZ37 at summit26, and when?",
        "talklog",
        {"summit": "summit26", "code": "QRZ37"},
    ),
    (
        "Who changed it in summit26, I mean QRZ37?",
        "talklog",
        {"summit": "summit26", "code": "QRZ37"},
    ),
    ("what is in the folder surveys/data?", "read", {"path": "surveys/data"}),
    # names like ordinary words, and questions whose verb is no name
    ("What may member 5 do in space default?", "perms", {"id": 5, "space": "default"}),
    ("Show me the default tenant", "tenant", {"tenant": "default"}),
    ("Is it live? My tenant is default.", "tenant", {"tenant": "default"}),
    ("What exactly did that one logged query contain, headers and all?", "logged", None),
    ("How is my event doing?", "event", None),
    ("How is event 3 doing?", "event", None),
    ("Which have been rejected? I mean the state.", "states", {"state": "rejected"}),
    ("the runs, and their tags", "joined", {}),
    # what a thing is found by
    ("is there a room called Nansen at summit26?", "rooms", {"summit": "summit26", "q": "Nansen"}),
    ('look for "bowls" among them', "search", {"search": "bowls"}),
    ("the one about parking", "search", {"search": "parking"}),
    ("What do people say about themselves?", "search", {}),
    (
        "Is there one already? Search for ferry before I add another one",
        "search",
        {"search": "ferry"},
    ),
    # names beside their nouns
    (
        "Start deployment prod of the flow nightly-etl",
        "run",
        {"flow": "nightly-etl", "name": "prod"},
    ),
    (
        "In the flow daily_sync, what is the deployment called staging doing?",
        "run",
        {"flow": "daily_sync", "name": "staging"},
    ),
    ("tenant default_tenant", "tenant", {"tenant": "default_tenant"}),
    ("Show me the tenant acme", "tenant", {"tenant": "acme"}),
    # a sample that a machine made does not keep names out; a short code does
    ("Which boxes does the owner main_owner have?", "owner", {"owner": "main_owner"}),
    ("Show me the ticket printer", "ticket", None),
    ("How is the acme tenant set up?", "tenant", {"tenant": "acme"}),
    ("What is the variable region set to?", "variable", {"name": "region"}),
    ("value of the variable MAX_RETRIES", "variable", {"name": "MAX_RETRIES"}),
    ("Tell me about one process", "process", None),
    ("Describe process buffer", "process", {"processId": "buffer"}),
    ('Describe the process "hello-world"', "process", {"processId": "hello-world"}),
    ("Which process?", "process", None),
    ("Give me the tenant", "tenant", None),
    ("Show the topic orders.v1", "topic", {"topicName": "orders.v1"}),
    ("topic 'payments', please", "topic", {"topicName": "payments"}),
    ("What is in zone example.org.?", "zone", {"zoneName": "example.org."}),
    ("user 42", "user", {"user_id": "42"}),
    ("Show the branches of project 17", "project", {"projectId": 17}),
    (
        "record r-9 of collection boats in bucket harbour",
        "record",
        {"bucket_id": "harbour", "collection_id": "boats", "id": "r-9"},
    ),
    (
        "From the bucket harbour, collection boats, read the record with id kestrel_1",
        "record",
        {"bucket_id": "harbour", "collection_id": "boats", "id": "kestrel_1"},
    ),
    ("tag 3.12-slim of the image python", "image", {"image": "python", "tag": "3.12-slim"}),
    ("the key user:1001", "key", {"key": "user:1001"}),
    ("Read the key session/ab12", "key", {"key": "session/ab12"}),
    ("is host db-01.internal.lan up", "host", {"hostname": "db-01.internal.lan"}),
    ("host web1:8443 please", "host", {"hostname": "web1:8443"}),
    ("Que dit le plugin cpu ?", "plugin", {"plugin": "cpu"}),
    ("Welche Werte hat der Sensor t-101?", "sensor", {"sensor": "t-101"}),
    ('Öffne die Seite "Erste Schritte"', "page", {"title": "Erste Schritte"}),
    ('¿Qué dice la página "Preguntas frecuentes"?', "page", {"title": "Preguntas frecuentes"}),
    ("Open the page titled 'Release notes 4.2'", "page", {"title": "Release notes 4.2"}),
    # codes, exactly
    ("decode aGVsbG8gd29ybGQ=", "decode", {"data": "aGVsbG8gd29ybGQ="}),
    ("what is dGVzdA== in plain text?", "decode", {"data": "dGVzdA=="}),
    (f"Show event {CLUSTER}", "event", {"id": CLUSTER}),
    ("Show event TILL-1", "event", {"id": "TILL-1"}),
    (f"Everything of issue {CLUSTER}", "issue", {"issue": CLUSTER}),
    (f"事件 {CLUSTER} 的详情", "event", {"id": CLUSTER}),
    ("Who is ops+alerts@mail.example.org?", "mail", {"email": "ops+alerts@mail.example.org"}),
    ("who owns 2001:db8::7", "net", {"ip": "2001:db8::7"}),
    (
        "SELECT name FROM users WHERE id = 3",
        "sql",
        {"query": "SELECT name FROM users WHERE id = 3"},
    ),
    (
        "Please run select count(*) from orders where state = 'open'",
        "sql",
        {"query": "select count(*) from orders where state = 'open'"},
    ),
    (
        "Execute this: DELETE FROM logs WHERE day < '2026-01-01'",
        "sql",
        {"query": "DELETE FROM logs WHERE day < '2026-01-01'"},
    ),
    ("Which columns does the table invoices have?", "table", {"table_name": "invoices"}),
    ("describe the invoices table", "table", {"table_name": "invoices"}),
    ("Describe that table", "table", None),
    # currencies and symbols
    ("What is 50 EUR worth?", "rate", {"currency": "EUR"}),
    ("How many people use it?", "rate", None),
    ("convert 50 EUR to USD", "price", {"amount": 50, "from": "EUR", "to": "USD"}),
    ("What is Google trading at?", "quote", None),
    ("quote for MSFT", "quote", {"symbol": "MSFT"}),
    # zones
    ("What time is it in Europe/Oslo?", "clock", {"timezone": "Europe/Oslo"}),
    ("¿Qué hora es en America/Bogota?", "clock", {"timezone": "America/Bogota"}),
    (
        "When it is 09:30 in Asia/Tokyo, how late is it in Europe/Paris?",
        "convert",
        {"source_timezone": "Asia/Tokyo", "time": "09:30", "target_timezone": "Europe/Paris"},
    ),
    # limits and filters; what nobody asked for stays out
    ("List the processes, no more than 4", "processes", {"limit": 4}),
    ("at most 3 processes", "processes", {"limit": 3}),
    ("print 2 processes", "processes", {"limit": 2}),
    ("The last 3 jobs", "jobs", {"limit": 3}),
    ("Show up to 10 failed jobs", "jobs", {"status": "failed", "limit": 10}),
    ("Which jobs are running?", "jobs", {"status": "running"}),
    ("jobs in the queue mail", "jobs", {"queue": "mail"}),
    ("List all jobs", "jobs", {}),
    ("no more than six processes", "processes", {"limit": 6}),
    ("the last three jobs", "jobs", {"limit": 3}),
    ("the last one of the jobs", "jobs", {}),
    ("trees within 5.3, 60.39, 5.312, 60.395", "map", {"bbox": [5.3, 60.39, 5.312, 60.395]}),
    ("trees within 5 km of 60.39, 5.3", "map", {}),
    ("Which jobs are there, oldest first?", "jobs", {"order": "asc"}),
    (
        "jobs between 2026-10-05T11:00:00Z and 2026-10-05T12:00:00Z",
        "jobs",
        {"since": "2026-10-05T11:00:00Z", "until": "2026-10-05T12:00:00Z"},
    ),
    (
        "Jobs since 2026-10-05T09:00:00+02:00",
        "jobs",
        {"since": "2026-10-05T09:00:00+02:00"},
    ),
    (
        "skip the first 20 processes and give me the next 10",
        "processes",
        {"offset": 20, "limit": 10},
    ),
    ("Search the articles for honey", "search", {"search": "honey"}),
    ("articles by the author Ada Byron", "search", {"author": "Ada Byron"}),
    ("Show me the articles", "search", {}),
    ("I am looking for the articles", "search", {}),
    ("Search all the articles for articles", "search", {}),
    ("Open articles, please: which are still open?", "search", {"state": "open"}),
    (
        "the last 50 lines of the log of nginx.service",
        "log",
        {"serviceName": "nginx.service", "lines": 50},
    ),
    (
        "errors of the service billing-api",
        "log",
        {"serviceName": "billing-api", "level": "error"},
    ),
    ("Log der Dienste von billing-api", "log", {"serviceName": "billing-api"}),
    (
        "What did sensor t-101 read on 3 March 2026?",
        "sensor",
        {"sensor": "t-101", "date": "2026-03-03"},
    ),
    (
        "Was hat t-101 am 3. März 2026 gemessen?",
        "sensor",
        {"sensor": "t-101", "date": "2026-03-03"},
    ),
    (
        "¿Qué midió t-101 el 3 de marzo de 2026?",
        "sensor",
        {"sensor": "t-101", "date": "2026-03-03"},
    ),
    ("Les mesures de t-101 du 3 mars 2026", "sensor", {"sensor": "t-101", "date": "2026-03-03"}),
    # written when the rules for those above stood
    (
        "What is on branch release/2.1 of the repo api by owner acme?",
        "branch",
        {"owner": "acme", "repo": "api", "branch": "release/2.1"},
    ),
    ("Read the note shopping", "note", {"noteId": "shopping"}),
    ("What does the note g.s8oes9dhwrvt0zif say?", "note", {"noteId": "g.s8oes9dhwrvt0zif"}),
    ("Revision 12 of the note minutes-2026", "noterev", {"noteId": "minutes-2026", "rev": 12}),
    (
        "Which records are in the zone example.com. on the server localhost?",
        "dns",
        {"server_id": "localhost", "zone_id": "example.com."},
    ),
    ("last 5 commits of /srv/git/site", "gitlog", {"repo_path": "/srv/git/site", "max_count": 5}),
    (
        "What changed in commit 9f8e7d6 of /srv/git/site?",
        "gitshow",
        {"repo_path": "/srv/git/site", "revision": "9f8e7d6"},
    ),
    ("Open the nodes Ada and Grace_Hopper", "nodes", {"names": ["Ada", "Grace_Hopper"]}),
    (f"Show me watch {WATCH}", "watch", {"uuid": WATCH}),
    (f"Zeig mir die Überwachung {WATCH}", "watch", {"uuid": WATCH}),
    ("Which watches have the tag news?", "watches", {"tag": "news"}),
    ("invocation inv_1hGkzv4Qx0aB3", "invoc", {"invocation_id": "inv_1hGkzv4Qx0aB3"}),
    (
        "Tell me about the handler greet of the service Greeter",
        "svc",
        {"service": "Greeter", "handler": "greet"},
    ),
    ("Members of the group admins, at most 20", "group", {"group_id": "admins", "limit": 20}),
    (
        "metric cpu_load from 2026-11-01T00:00:00Z to 2026-11-02T00:00:00Z",
        "metric",
        {"metric_name": "cpu_load", "from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z"},
    ),
    (
        "What is the option port in the section server?",
        "cfg",
        {"section": "server", "option": "port"},
    ),
    (
        "Download the object reports/2026/q3.pdf from the bucket finance",
        "obj",
        {"bucket": "finance", "key": "reports/2026/q3.pdf"},
    ),
    ("Statement of account DE89370400440532013000", "acct", {"account": "DE89370400440532013000"}),
    ("search the nodes for lighthouse", "nodes_like", {"query": "lighthouse"}),
    ('Find everything about "Port of Bergen"', "nodes_like", {"query": "Port of Bergen"}),
    ("the last 100 log lines of container web-1", "cont", {"id": "web-1", "tail": "100"}),
    ("logs of the container nginx", "cont", {"id": "nginx"}),
    ("logs of the container nginx as well", "cont", {"id": "nginx"}),
    ("In bucket harbour look at the object chart", "obj", {"bucket": "harbour", "key": "chart"}),
    ("How big is the volume pgdata?", "vol", {"name": "pgdata"}),
    ("Which checks are down?", "chk", {"state": "down"}),
    ("Which checks are there?", "chk", {}),
    ("Is pull request 421 of the repo website merged?", "pr", {"repo": "website", "number": 421}),
    ('¿Qué contiene la nota "lista de compras"?', "note", {"noteId": "lista de compras"}),
    ("Que contient le volume pgdata ?", "vol", {"name": "pgdata"}),
    ("Zeig mir die letzten 50 Zeilen vom Container web-1", "cont", {"id": "web-1", "tail": "50"}),
    ("显示容器 web-1 的日志", "cont", {"id": "web-1"}),
    ("Show me the note", "note", None),
    ("Which volume is the biggest?", "vol", None),
    ("Show one invocation", "invoc", None),
    ("show me the pull request", "pr", None),
    ("What is in the volume?", "vol", None),
]

FOLLOWED: list[tuple[str, str, str, dict[str, object]]] = [
    (
        "What does the cpu plugin say?",
        "and now the same for the mem plugin",
        "plugin",
        {"plugin": "mem"},
    ),
    ("Show me the plugin cpu", "and mem?", "plugin", {"plugin": "mem"}),
    ("print /srv/app/main.py", "now /srv/app/util.py", "read", {"path": "/srv/app/util.py"}),
    ("Which columns does the table loans have?", "and books?", "table", {"table_name": "books"}),
    ("Show user 42", "And user 43?", "user", {"user_id": "43"}),
    (
        f"Show event {CLUSTER}",
        "and aaaaaaaa-9d52-4c0e-8a44-5f1d2e3c4b5a?",
        "event",
        {"id": "aaaaaaaa-9d52-4c0e-8a44-5f1d2e3c4b5a"},
    ),
    ("Zeig mir den Sensor t-101", "Und t-102?", "sensor", {"sensor": "t-102"}),
    (
        "Failed jobs in the queue mail",
        "and in the queue reports?",
        "jobs",
        {"status": "failed", "queue": "reports"},
    ),
    ("The failed jobs, please", "And the ones that are done?", "jobs", {"status": "done"}),
    ("What time is it in Europe/Oslo?", "And in Asia/Tokyo?", "clock", {"timezone": "Asia/Tokyo"}),
    (
        "Show the branches of project 17",
        "only the last 5",
        "project",
        {"projectId": 17, "limit": 5},
    ),
    ("logs of the container web-1", "and of web-2?", "cont", {"id": "web-2"}),
    ("How big is the volume pgdata?", "and redis?", "vol", {"name": "redis"}),
    (
        "Members of the group admins",
        "now the same for the group editors",
        "group",
        {"group_id": "editors"},
    ),
    ("Read the note shopping", "and minutes?", "note", {"noteId": "minutes"}),
    # values of every kind, not names alone
    ("Weather in Rome", "Weather in Oslo", "weather", {"city": "Oslo"}),
    ("Weather in Oslo", "Weather in Rome", "weather", {"city": "Rome"}),
    ("Weather in Oslo for 3 days", "And in Lima?", "weather", {"city": "Lima", "days": 3}),
    ("Weather in Oslo", "Sorry, I meant Madrid", "weather", {"city": "Madrid"}),
    ("Weather in Oslo", "How about Tokyo instead?", "weather", {"city": "Tokyo"}),
    ("Wie ist das Wetter in Berlin?", "und in Hamburg?", "weather", {"city": "Hamburg"}),
    ("Weather in Oslo", "for 5 days", "weather", {"city": "Oslo", "days": 5}),
    ("Holidays of France in 2026", "and for Japan?", "holidays", {"country": "JP", "year": 2026}),
    ("Holidays of France in 2026", "and in 2027?", "holidays", {"country": "FR", "year": 2027}),
    ("What is the menu on 2026-11-25?", "and tomorrow?", "menu", {"date": "2026-11-21"}),
    (
        "flights from Rome to Madrid on 2026-12-24",
        "and to Lisbon?",
        "flight",
        {"origin": "FCO", "destination": "LIS", "date": "2026-12-24"},
    ),
    (
        "flights from Rome to Madrid on 2026-12-24",
        "flights from Oslo to Paris on 2026-12-01",
        "flight",
        {"origin": "OSL", "destination": "CDG", "date": "2026-12-01"},
    ),
    (
        "loan of 9000 over 7 years",
        "loan of 5000 over 4 years",
        "loan",
        {"amount": 5000, "years": 4},
    ),
    ("loan of 9000 over 7 years", "and over 10 years?", "loan", {"amount": 9000, "years": 10}),
    ("near 48.85, 2.35", "near 60.39, 5.32", "near", {"lat": 60.39, "lon": 5.32}),
    ("quote for AAPL", "quote for MSFT", "quote", {"symbol": "MSFT"}),
    ("Find the artist Nina Simone", "and Miles Davis?", "artist", {"name": "Miles Davis"}),
    ("Show me the plugin cpu", "repeat it for disk", "plugin", {"plugin": "disk"}),
    ("logs of the container web_1", "hm and of web_2?", "cont", {"id": "web_2"}),
    (
        "Show me the default tenant",
        "and which stages has it been through so far, with all of its dates?",
        "tenant",
        {"tenant": "default"},
    ),
    (
        "last 5 commits of /srv/git/site",
        "and of /srv/git/blog",
        "gitlog",
        {"repo_path": "/srv/git/blog", "max_count": 5},
    ),
]


planned = partial(planned_arguments, TOOLS)


@pytest.mark.parametrize(("text", "name", "arguments"), every(2, ASKED))
async def test_what_is_named_arrives_and_nothing_else(
    text: str, name: str, arguments: dict[str, object] | None
) -> None:
    assert await planned(text, name) == arguments


@pytest.mark.parametrize(("earlier", "text", "name", "arguments"), FOLLOWED)
async def test_what_is_said_now_beats_what_was_said_before(
    earlier: str, text: str, name: str, arguments: dict[str, object]
) -> None:
    assert await planned(text, name, earlier) == arguments
