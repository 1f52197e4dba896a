"""The client of OpenAI-compatible endpoints."""

from gretel.llm.connections import Client


def connect_openai(name: str, *, base_url: str | None, api_key: str, request_s: float) -> Client:
    """A client of its own for the event loop that uses it first; call in a thread, imports block.

    It does not retry, for that is `Sender`'s, and does not stream, for half a JSON object is of
    no use to anybody, also where LangGraph streams messages.
    """
    import openai
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    http = openai.DefaultAsyncHttpxClient(timeout=request_s)
    chat = ChatOpenAI(
        model=name,
        base_url=base_url,
        api_key=SecretStr(api_key),
        timeout=request_s,
        max_retries=0,
        disable_streaming=True,
        http_async_client=http,
    )
    return Client(chat, http.aclose)
