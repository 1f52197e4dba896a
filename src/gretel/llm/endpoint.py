"""What a model is reached by: its name, key and URL, checked before anything is sent."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gretel.contracts.errors import ConfigurationError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


def openai_name(model: str) -> str:
    """The name behind `openai:`; raises ConfigurationError where there is none."""
    provider, _, name = model.partition(":")
    if provider != "openai" or not name.strip():
        raise ConfigurationError(
            f"{model!r} is not a model that can be opened",
            field="model",
            remedy="Write openai:NAME; OPENAI_BASE_URL may name any OpenAI-compatible endpoint",
        )
    return name.strip()


def present_key(model: str, key: str | None) -> str:
    """The key without blanks around it; raises ConfigurationError where it cannot be sent.

    A client repeats a header that it refuses, in errors and logs.
    """
    key = (key or "").strip()
    if not key.isascii() or not key.isprintable():
        remedy = "Write it again: it holds what no header can."
        raise ConfigurationError(
            f"no usable key for {model}", field="OPENAI_API_KEY", remedy=remedy
        )
    if not key:
        raise ConfigurationError(
            f"no API key for {model}",
            field="OPENAI_API_KEY",
            remedy="Set it; an endpoint that needs no key accepts any text",
        )
    return key


def checked_url(url: str | None) -> str | None:
    """The URL of an endpoint; raises ConfigurationError where it is none. None is OpenAI's own."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # its words repeat the URL, a password too
        usable = False
    # Behind a password that holds a sign of a URL another host would be asked.
    if not usable or "@" in f"{parts.path}{parts.query}{parts.fragment}" or "\\" in url:
        raise ConfigurationError(
            "is not an http(s) URL", field="OPENAI_BASE_URL", remedy="Write https://HOST/v1"
        )
    return url


def secrets_of(chat: "BaseChatModel") -> list[str]:
    """The keys that a model of the caller holds, as langchain marks them."""
    from pydantic import SecretStr

    held = [value for value in vars(chat).values() if isinstance(value, SecretStr)]
    return [value.get_secret_value() for value in held]
