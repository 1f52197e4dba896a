"""Whole answers of a hostile server, by name; each says how the executor must take it.

`BODIES` and `HEADS` map a name to the bytes that are sent and to the outcome that is due: a status,
or a kind of failure.
"""

import gzip
import json
import zlib
from typing import NamedTuple

from hostile_server import FOUND, answer, encoded

METADATA = "http://169.254.169.254/latest/meta-data/"
BIG = bytes(2_000_000)
NOISE = b"".join(zlib.crc32(bytes([i % 251, i // 251])).to_bytes(4) for i in range(20_000))
"""80 KB that do not shrink."""


class Case(NamedTuple):
    """What is sent, and what must come of it."""

    sent: bytes
    expected: str


def raw(*lines: str, body: bytes = b"") -> bytes:
    """An answer of hand-made lines."""
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "surrogateescape") + body


def chunked(body: bytes, *headers: str) -> bytes:
    """A chunked answer whose chunks are as given."""
    return raw("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", *headers, body=body)


def brackets(count: int) -> bytes:
    """So many nested lists."""
    return b"[" * count + b"1" + b"]" * count


def last_step() -> bytes:
    """Compressed text whose end is still inside the decoder when all input is taken."""
    return zlib.compress(json.dumps({"a": "x" * (4 * 65_536 - 9) + "end"}).encode(), 9)


BODIES = {
    # Compression: bombs, layers, lies. 300,000 bytes may come, on the wire and decoded.
    "gzip-bomb": Case(encoded(gzip.compress(BIG), "gzip"), "protocol"),
    "gzip-bomb-upper-case": Case(encoded(gzip.compress(BIG), "GZIP"), "protocol"),
    "x-gzip-bomb": Case(encoded(gzip.compress(BIG), "x-gzip"), "protocol"),
    "deflate-bomb": Case(encoded(zlib.compress(BIG), "deflate"), "protocol"),
    "chunked-gzip-bomb": Case(
        chunked(
            b"%x\r\n%s\r\n0\r\n\r\n" % (len(gzip.compress(BIG)), gzip.compress(BIG)),
            "Content-Encoding: gzip",
        ),
        "protocol",
    ),
    "gzip-in-gzip": Case(encoded(gzip.compress(gzip.compress(FOUND)), "gzip, gzip"), "protocol"),
    "gzip-in-gzip-once": Case(encoded(gzip.compress(gzip.compress(BIG)), "gzip"), "protocol"),
    "br": Case(encoded(b"\x0b\x02\x80{}\x03", "br"), "protocol"),
    "zstd": Case(encoded(b"\x28\xb5\x2f\xfd\x04\x00\x11\x00\x00{}", "zstd"), "protocol"),
    "compress": Case(encoded(b"\x1f\x9d\x90", "compress"), "protocol"),
    "unknown-coding": Case(encoded(FOUND, "rot13"), "protocol"),
    "list-of-codings": Case(encoded(FOUND, "identity, br"), "protocol"),
    "comma": Case(encoded(FOUND, ","), "protocol"),
    "no-gzip": Case(encoded(FOUND, "gzip"), "protocol"),
    "no-deflate": Case(encoded(FOUND, "deflate"), "protocol"),
    "empty-gzip": Case(encoded(b"", "gzip"), "empty"),
    "cut-gzip": Case(encoded(gzip.compress(FOUND)[:-9], "gzip"), "protocol"),
    "cut-deflate": Case(encoded(zlib.compress(NOISE)[:-1], "deflate"), "protocol"),
    "bad-checksum": Case(encoded(gzip.compress(FOUND)[:-8] + bytes(8), "gzip"), "protocol"),
    "gzip-and-junk": Case(encoded(gzip.compress(FOUND) + b"junk", "gzip"), "succeeded"),
    "identity": Case(encoded(FOUND, "identity"), "succeeded"),
    "fine-gzip": Case(encoded(gzip.compress(FOUND), "gzip"), "succeeded"),
    "fine-deflate": Case(encoded(zlib.compress(FOUND), "deflate"), "succeeded"),
    "deflate-to-the-last-step": Case(encoded(last_step(), "deflate"), "succeeded"),
    # Sizes.
    "too-long": Case(answer(b'"' + b"a" * 400_000 + b'"'), "protocol"),
    "length-too-long": Case(answer(FOUND, length=10**12), "protocol"),
    "length-too-short": Case(answer(b'{"a": 1}' + b"x" * 500_000, length=8), "succeeded"),
    "no-length": Case(
        raw("HTTP/1.1 200 OK", "Content-Type: application/json", body=FOUND), "succeeded"
    ),
    "no-length-too-long": Case(raw("HTTP/1.1 200 OK", body=bytes(400_000)), "protocol"),
    "head-without-body": Case(raw("HTTP/1.1 200 OK", "Content-Length: 0"), "empty"),
    "blanks": Case(answer(b" \r\n\t" * 1000), "empty"),
    "body-of-204": Case(raw("HTTP/1.1 204 No Content", body=FOUND), "empty"),
    "body-of-304": Case(raw("HTTP/1.1 304 Not Modified", body=FOUND), "protocol"),
    # Chunks.
    "chunk-size-no-number": Case(chunked(b"zz\r\n{}\r\n0\r\n\r\n"), "protocol"),
    "chunk-size-negative": Case(chunked(b"-1\r\n{}\r\n0\r\n\r\n"), "protocol"),
    "chunk-size-huge": Case(chunked(b"f" * 40 + b"\r\n{}"), "protocol"),
    "chunk-without-end": Case(chunked(b"2\r\n{}\r\n"), "protocol"),
    "chunk-too-short": Case(chunked(b"ff\r\n{}\r\n0\r\n\r\n"), "protocol"),
    "chunk-extension-long": Case(chunked(b"2;" + b"a" * 200_000 + b"\r\n{}\r\n"), "protocol"),
    "trailers-long": Case(chunked(b"2\r\n{}\r\n0\r\nX: " + b"a" * 200_000), "protocol"),
    "chunks-of-one": Case(chunked(b"1\r\n \r\n" * 5_000 + b"0\r\n\r\n"), "empty"),
    # JSON.
    "deep": Case(answer(brackets(100_000)), "protocol"),
    "rather-deep": Case(answer(brackets(250)), "protocol"),
    "not-too-deep": Case(answer(brackets(150)), "succeeded"),
    "deep-objects": Case(answer(b'{"a":' * 20_000 + b"1" + b"}" * 20_000), "protocol"),
    "deep-unclosed": Case(answer(b"[" * 200_000), "protocol"),
    "unclosed": Case(answer(b'{"a": [1, 2'), "protocol"),
    "many-digits": Case(answer(b'{"n": ' + b"9" * 100_000 + b"}"), "protocol"),
    "many-digits-negative": Case(answer(b"[-" + b"1" * 5_000 + b"]"), "protocol"),
    "some-digits": Case(answer(b'{"n": ' + b"9" * 4_000 + b"}"), "succeeded"),
    "many-decimals": Case(answer(b'{"n": 0.' + b"3" * 100_000 + b"}"), "succeeded"),
    "float-overflow": Case(answer(b'{"n": 1e999, "m": -1e999, "o": 1}'), "succeeded"),
    "exponent-long": Case(answer(b'{"n": 1e' + b"9" * 10_000 + b"}"), "empty"),
    "nan": Case(answer(b'{"a": NaN, "b": Infinity, "c": 1}'), "succeeded"),
    "only-nan": Case(answer(b"[NaN, -Infinity]"), "empty"),
    "same-keys": Case(answer(b'{"a": 1, "a": {"b": 2}, "a": 3}'), "succeeded"),
    "proto": Case(answer(b'{"__proto__": {"x": 1}, "constructor": 1}'), "succeeded"),
    "constructor": Case(
        answer(b'{"lc": 1, "type": "constructor", "id": ["os", "system"], "kwargs": {}}'),
        "succeeded",
    ),
    "two-values": Case(answer(b"{} {}"), "protocol"),
    "comment": Case(answer(b'{"a": 1} // b'), "protocol"),
    "python": Case(answer(b"__import__('os').system('id')"), "protocol"),
    "xml-bomb": Case(
        answer(b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'), "protocol"
    ),
    # Text.
    "broken-utf8": Case(answer(b'{"name": "caf\xe9 \xff\xfe", "id": 1}'), "succeeded"),
    "overlong-utf8": Case(answer(b'{"name": "\xc0\xaf\xe0\x80\xaf", "id": 1}'), "succeeded"),
    "cut-utf8": Case(answer(b'{"name": "\xf0\x9f\x98", "id": 1}'), "succeeded"),
    "encoded-surrogate": Case(answer(b'{"name": "\xed\xa0\x80", "id": 1}'), "succeeded"),
    "half-character": Case(answer(b'{"name": "half \\ud800 x", "id": 1}'), "succeeded"),
    "half-key": Case(answer(b'{"half \\udfff": "x", "id": 1}'), "succeeded"),
    "halves-reversed": Case(answer(b'["\\ude00\\ud83d", 1]'), "succeeded"),
    "half-in-error": Case(
        answer(b'{"error": "bad \\ud800 value"}', status="400 Bad Request"), "rejected_arguments"
    ),
    "null-characters": Case(answer(b'{"a": "x\\u0000y", "b": 1}'), "succeeded"),
    "unseen": Case(answer('{"a": "\u202e\u200b\U000e0041", "b": 1}'.encode()), "succeeded"),
    "byte-order-mark": Case(answer(b'\xef\xbb\xbf{"a": 1}'), "succeeded"),
    "utf16": Case(
        answer('{"a": 1}'.encode("utf-16"), kind="application/json; charset=utf-16"), "succeeded"
    ),
    "odd-charset": Case(
        answer(b'{"a": 1}', kind="application/json; charset=unicode_escape"), "succeeded"
    ),
    "codec-charset": Case(answer(b'{"a": 1}', kind="application/json; charset=zip"), "succeeded"),
    "null-charset": Case(answer(b'{"a": 1}', kind='text/json; charset="a\\b"'), "succeeded"),
    "long-charset": Case(
        answer(b'{"a": 1}', kind=f"application/json; charset={'a' * 9_000}"), "succeeded"
    ),
}

OK = b'{"a": 1}'
HEADS = {
    "big-header": Case(answer(OK, "X-Big: " + "a" * 1_000_000), "protocol"),
    "rather-big-header": Case(answer(OK, "X-Big: " + "a" * 70_000), "protocol"),
    "big-name": Case(answer(OK, "X" * 90_000 + ": a"), "protocol"),
    "many-headers": Case(answer(OK, *(f"X-{i}: a" for i in range(300))), "protocol"),
    "very-many-headers": Case(answer(OK, *(f"X-{i}: a" for i in range(20_000))), "protocol"),
    "some-headers": Case(answer(OK, *(f"X-{i}: a" for i in range(150))), "succeeded"),
    "two-lengths": Case(answer(OK, "Content-Length: 3"), "protocol"),
    "length-negative": Case(raw("HTTP/1.1 200 OK", "Content-Length: -1", body=OK), "protocol"),
    "length-no-number": Case(raw("HTTP/1.1 200 OK", "Content-Length: 1e3", body=OK), "protocol"),
    "length-plus": Case(raw("HTTP/1.1 200 OK", "Content-Length: +8", body=OK), "protocol"),
    "length-digits": Case(
        raw("HTTP/1.1 200 OK", "Content-Length: " + "9" * 5_000, body=OK), "protocol"
    ),
    "length-list": Case(raw("HTTP/1.1 200 OK", "Content-Length: 8, 9", body=OK), "protocol"),
    "unknown-transfer": Case(raw("HTTP/1.1 200 OK", "Transfer-Encoding: gzip"), "protocol"),
    "two-transfers": Case(
        raw("HTTP/1.1 200 OK", "Transfer-Encoding: chunked, chunked", body=OK), "protocol"
    ),
    "length-and-chunks": Case(
        chunked(b"8\r\n" + OK + b"\r\n0\r\n\r\n", "Content-Length: 3"), "succeeded"
    ),
    "null-in-header": Case(answer(OK, "X: a\0b"), "protocol"),
    "blank-in-name": Case(answer(OK, "X Y: a"), "protocol"),
    "blank-before-colon": Case(answer(OK, "X : a"), "protocol"),
    "no-colon": Case(answer(OK, "nonsense"), "protocol"),
    "empty-name": Case(answer(OK, ": a"), "protocol"),
    "folded": Case(answer(OK, "X: a", " b"), "succeeded"),
    "latin-header": Case(answer(OK, "X: café"), "succeeded"),
    "version-two": Case(raw("HTTP/2.0 200 OK", body=OK), "succeeded"),
    "version-nine": Case(raw("HTTP/9.9 200 OK", body=OK), "succeeded"),
    "version-none": Case(OK, "connection"),
    "lower-case": Case(raw("http/1.1 200 OK", body=OK), "protocol"),
    "http-1.0": Case(raw("HTTP/1.0 200 OK", "Content-Type: text/json", body=OK), "succeeded"),
    "no-reason": Case(raw("HTTP/1.1 200", "Content-Length: 8", body=OK), "succeeded"),
    "long-reason": Case(raw("HTTP/1.1 200 " + "a" * 200_000, body=OK), "protocol"),
    "status-word": Case(raw("HTTP/1.1 two OK", body=OK), "protocol"),
    "status-zero": Case(raw("HTTP/1.1 000 Zero", body=OK), "protocol"),
    "status-short": Case(raw("HTTP/1.1 20 OK", body=OK), "protocol"),
    "status-long": Case(raw("HTTP/1.1 2000 OK", body=OK), "protocol"),
    "status-999": Case(answer(OK, status="999 Denied"), "protocol"),
    "status-600": Case(answer(OK, status="600 What"), "protocol"),
    "switching": Case(
        raw("HTTP/1.1 101 Switching Protocols", "Upgrade: x", "Connection: upgrade"), "protocol"
    ),
    "ssh": Case(b"SSH-2.0-OpenSSH_9.6\r\n", "connection"),
    "mail": Case(b"220 mail.example ESMTP\r\n\r\n", "protocol"),
    "redis": Case(b"-ERR wrong number of arguments for 'get' command\r\n", "connection"),
    "tls-alert": Case(b"\x15\x03\x01\x00\x02\x02\x46", "protocol"),
    "http2-settings": Case(b"\0\0\0\x04\0\0\0\0\0", "protocol"),
    "zeros": Case(bytes(200_000), "protocol"),
    "line-feeds": Case(b"\n" * 200_000, "protocol"),
    "line-without-end": Case(b"H" * 200_000, "protocol"),
    "head-cut": Case(b"HTTP/1.1 200 OK\r\nContent-Le", "connection"),
    "nothing": Case(b"", "connection"),
    "cookies": Case(answer(OK, *("Set-Cookie: a=b; Path=/" for _ in range(50))), "succeeded"),
    "two-types": Case(answer(OK, "Content-Type: text/html"), "succeeded"),
    "two-codings": Case(answer(OK, "Content-Encoding: br", "Content-Encoding: gzip"), "protocol"),
    "retry-after": Case(
        answer(b"", "Retry-After: 99999999999", status="429 Too Many Requests"), "rate_limit"
    ),
    "auth-bomb": Case(
        answer(b"", "WWW-Authenticate: Basic " + "a" * 50_000, status="401 No"), "auth"
    ),
}

ANSWERS = {
    name.replace("-", "_"): case.sent for cases in (BODIES, HEADS) for name, case in cases.items()
}
