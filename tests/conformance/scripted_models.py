"""A model of its own for one test, behind a scripted server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gretel.llm.model import StructuredModel, open_model
from llm_server import LlmServer, Script


@asynccontextmanager
async def scripted_model(**scripts: Script) -> AsyncIterator[StructuredModel]:
    """A model that answers each step by its script, else as any catalogue can be answered."""
    with LlmServer() as server:
        for step, script in scripts.items():
            server.script(step, script)
        model = open_model("openai:test", base_url=server.url, api_key=server.api_key)
        try:
            yield model
        finally:
            await model.aclose()
