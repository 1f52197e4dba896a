"""Files of multipart bodies."""

import pytest

from fakes import param, tool
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import MULTIPART
from gretel.sandbox.http.payload import encode_payload

FILE = {"type": "string", "contentMediaType": "application/octet-stream"}
BASE64 = {**FILE, "contentEncoding": "base64"}


@pytest.mark.parametrize(
    ("schema", "is_file"),
    [
        ({"type": "string", "format": "binary"}, True),
        (FILE, True),
        ({"anyOf": [FILE, {"type": "null"}]}, True),
        ({"type": "array", "items": FILE}, True),
        (BASE64, False),
        ({"type": "string"}, False),
    ],
)
def test_a_file_of_a_multipart_body_has_a_file_name(schema: JsonObject, is_file: bool) -> None:
    field = param("cargo", location="body").model_copy(update={"json_schema": schema})
    sent = encode_payload(tool("A.load"), [(field, "a,b")], MULTIPART).content or b""
    assert (b'name="cargo"; filename="cargo"\r\n' in sent) is is_file
    assert (b"Content-Type: application/octet-stream\r\n\r\na,b\r\n" in sent) is is_file
