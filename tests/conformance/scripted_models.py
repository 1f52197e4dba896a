"""A model of its own for one test, behind a scripted server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gretel.llm.model import StructuredModel
from llm_server import LlmServer, Script


@asynccontextmanager
async def scripted_model(**scripts: Script) -> AsyncIterator[StructuredModel]:
    """A model that answers each step by its script, else as any catalogue can be answered."""
    with LlmServer() as server:
        for step, script in scripts.items():
            server.script(step, script)
        model = server.model()
        try:
            yield model
        finally:
            await model.aclose()
