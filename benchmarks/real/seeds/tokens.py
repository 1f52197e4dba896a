"""Tokens that a service takes for its own, signed with the secret that we give it."""

import base64
import hmac
import json
from collections.abc import Mapping


def signed(secret: str, claims: Mapping[str, object], *, bits: int = 256) -> str:
    """A JSON web token (HS256, or HS512)."""
    head = {"alg": f"HS{bits}", "typ": "JWT"}
    text = b".".join(_packed(json.dumps(each).encode()) for each in (head, claims))
    return (text + b"." + _packed(hmac.digest(secret.encode(), text, f"sha{bits}"))).decode()


def _packed(content: bytes) -> bytes:
    return base64.urlsafe_b64encode(content).rstrip(b"=")
