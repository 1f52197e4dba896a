"""Retrievers out of an artefact, as the documentation opens them."""

from pathlib import Path

import pytest

from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.masstool.retriever import MassToolRetriever
from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever


@pytest.mark.parametrize("kind", [MassToolRetriever, ToolGenRetriever])
async def test_a_folder_is_a_path_or_its_text(
    kind: type[MassToolRetriever | ToolGenRetriever], tmp_path: Path
) -> None:
    for folder in (tmp_path, str(tmp_path)):
        with pytest.raises(ConfigurationError, match="is not an artefact"):
            await kind.open(folder, Catalog())
