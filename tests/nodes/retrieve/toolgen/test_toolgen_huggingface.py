"""To a plain model with a longer vocabulary, and back."""

from pathlib import Path

import pytest
import torch

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import InputError
from gretel.contracts.tool import ToolId
from gretel.files import read_json
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.toolgen.coded import opened
from gretel.nodes.retrieve.toolgen.huggingface import NAMES, export, imported
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slot, Slots
from lanes import every
from toolgen_models import KINDS, WORDS, coded, random_model

NAMED = [ToolId(f"T.{letter}") for letter in "abcd"]
SLOTS = Slots(tools=tuple(Slot(tool_id=name, digest="") for name in NAMED))


@pytest.mark.parametrize("kind", every(3, KINDS))
def test_an_exported_model_reloads_with_the_same_scores(kind: str, tmp_path: Path) -> None:
    model = random_model(kind, len(NAMED))
    if not model.base.has_bias:
        model.rows.bias.zero_()
    (prompt,) = model.base.prompts(["find a flight"])
    wanted = model.read([prompt, [*prompt, WORDS + RESERVED]]).scores
    export(model, SLOTS, tmp_path)
    plain = CausalModel(str(tmp_path))
    found = [
        plain.forward(plain.batch([each]))[0, -1, WORDS:]
        for each in (prompt, [*prompt, WORDS + RESERVED])
    ]

    torch.testing.assert_close(torch.stack(found), wanted, atol=1e-4, rtol=1e-4)
    assert plain.tokenizer.convert_tokens_to_ids("<tool_000003>") == WORDS + RESERVED


@pytest.mark.slow
def test_an_exported_model_is_imported_with_the_same_scores(tmp_path: Path) -> None:
    model = random_model("llama", len(NAMED))
    model.rows.bias.zero_()
    wanted = model.texts(["find a flight"]).scores[:, RESERVED:]
    export(model, SLOTS, tmp_path)
    catalog = Catalog.from_tools(tool(name, f"Does {name}.") for name in NAMED)
    tokens = {token: ToolId(str(name)) for token, name in read_json(tmp_path / NAMES).items()}
    artifact = imported(str(tmp_path), catalog, tokens)
    found = opened(artifact).texts(["find a flight"]).scores

    torch.testing.assert_close(found[:, RESERVED:], wanted, atol=1e-4, rtol=1e-4)
    with pytest.raises(InputError, match="no token of their own"):
        imported(str(tmp_path), catalog, {"<tool_000003>": NAMED[0]})


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json", NAMES])
def test_no_link_in_the_folder_leads_an_export_elsewhere(name: str, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(tmp_path / "victim")
    model = random_model("llama", len(NAMED))
    model.rows.bias.zero_()
    export(model, SLOTS, tmp_path / "out")

    assert (tmp_path / "victim").read_text() == "mine"
    assert not (tmp_path / "out" / name).is_symlink()
    assert not [*(tmp_path / "out").glob("new-*")]


@pytest.mark.slow
def test_words_of_codes_are_tokens_of_a_plain_model(tmp_path: Path) -> None:
    artifact = coded([tool("Air.search", "Flights."), tool("Sea.find", "Ferries.")], "residual")
    export(opened(artifact), artifact.manifest.shape.slots, tmp_path)
    named = read_json(tmp_path / NAMES)

    assert sorted(named.values()) == ["Air.search", "Sea.find"]
    assert all(token.count("<tool_") == 3 for token in named)
