"""ToolGen as a plain model of Hugging Face with a longer vocabulary, and back.

Our own form keeps the tools' rows beside the base. Others want the classic one: a tokenizer that
knows a token a tool, and matrices that are longer by as many rows.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import nn

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import InputError
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.encoding.encoder import Encoder, lasting
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.toolgen.artifact import Artifact, Manifest, Shape
from gretel.nodes.retrieve.toolgen.documents import Middle, directions, hidden_of
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slot, Slots

NAMES = "tools.json"
"""Beside the model: which tool each token is."""
_PROBE = "find a tool"
_SAME = 1e-3
"""By how much a logit of the model that was written may differ, of those of one text."""


def export(model: ToolModel, slots: Slots, folder: Path) -> None:
    """Write a model with resized matrices and a tokenizer, which `transformers` opens by itself.

    Tokens are `<tool_000003>` and so on, special ones, so that no text becomes one by
    normalisation; tokens of a padded vocabulary are filled up before them. Nothing is left there
    where it says something else than the model did. The model in memory is then a plain one: open
    the artefact anew to go on with it.

    Raises:
        InputError: it says something else (of `_PROBE`).
    """
    base = model.base
    prompt = base.prompts([_PROBE])
    before = model.rows_read(prompt).scores[0]
    rows = Rows(*model.rows.tensors.values())
    model.extension.remove()
    fill = [f"<unused_{n:06d}>" for n in range(base.vocabulary - len(base.tokenizer))]
    tokens = [f"<tool_{slot:06d}>" for slot in range(len(rows))]
    _add(base.tokenizer, [*fill, *tokens])
    _resize(base.model, rows, base.vocabulary)
    codes = slots.codes()
    named = {
        "".join(tokens[row] for row in codes[slot]): slots.at(slot).tool_id
        for slot in slots.present()
    }
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="new-", dir=folder) as temporary:
        place = Path(temporary)
        base.model.save_pretrained(place)
        base.tokenizer.save_pretrained(place)
        (place / NAMES).write_text(json.dumps(named, indent=1) + "\n", encoding="utf-8")
        _check_same(place, prompt, before, folder)
        for path in [*place.iterdir()]:  # as names: no link in the folder is followed
            path.replace(folder / path.name)


def _check_same(
    place: Path, prompt: Sequence[Sequence[int]], before: torch.Tensor, folder: Path
) -> None:
    """Raise where the model in `place`, meant for `folder`, scores tools not as `before`."""
    again = CausalModel(str(place))
    written = again.forward(again.batch(prompt))[0, -1, -len(before) :]
    if float((written.detach() - before).abs().max()) > _SAME * max(1.0, float(before.abs().max())):
        raise InputError(
            "scores tools otherwise after it was written",
            field=str(folder),
            remedy="This base cannot be exported: keep the artefact.",
        )


def _add(tokenizer: Any, names: Sequence[str]) -> None:
    from tokenizers import AddedToken

    tokenizer.add_tokens(
        [AddedToken(name, special=True, normalized=False) for name in names], special_tokens=True
    )


def _resize(model: Any, rows: Rows, vocabulary: int) -> None:
    """Lengthen both matrices; a head that is tied to the embedding gets one of its own."""
    head = model.get_output_embeddings()
    bias = getattr(head, "bias", None)
    model.config.get_text_config().tie_word_embeddings = False
    model.config.tie_word_embeddings = False
    if head.weight is model.get_input_embeddings().weight:
        own = nn.Linear(head.in_features, head.out_features, bias=bias is not None)
        with torch.no_grad():
            own.weight.copy_(head.weight)
            if bias is not None:
                own.bias.copy_(bias)
        model.set_output_embeddings(own)
    model.resize_token_embeddings(vocabulary + len(rows), mean_resizing=False)
    embedding, head = model.get_input_embeddings(), model.get_output_embeddings()
    with torch.no_grad():
        embedding.weight[vocabulary:] = rows.into.to(embedding.weight.dtype)
        head.weight[vocabulary:] = rows.out.to(head.weight.dtype)
        if bias is not None:
            head.bias[vocabulary:] = rows.bias.to(head.bias.dtype)
            _told_apart(model, head)


def _told_apart(model: Any, head: Any) -> None:
    """BERT has its head's bias twice, and would save it once."""
    own = head.bias
    for module in model.modules():
        if module is not head and id(getattr(module, "bias", None)) == id(own):
            module.bias = nn.Parameter(own.detach().clone())


def imported(
    name: str, catalog: Catalog, tokens: Mapping[str, ToolId], encoder: str | None = None
) -> Artifact:
    """An artefact of a published checkpoint, whose tokenizer has tools such as `<<Tool&&API>>`.

    Its scores are taken as they are: nothing is calibrated, and a new tool is as strong as the
    mean of the others. Its own rows of these tokens stay where they are; only slots are scored.

    Args:
        name: folder or name of the checkpoint.
        catalog: its tools; each has a token.
        tokens: the tool of each token; `export` writes it as `tools.json`.
        encoder: by which tools that are added later are found, too.

    Raises:
        ConfigurationError: the checkpoint cannot be opened.
        InputError: a token is not in its tokenizer, or a tool of the catalogue has none.
    """
    base = CausalModel(name)
    tools = list(catalog)
    places = _places(base, tools, {tool_id: token for token, tool_id in tokens.items()})
    head, embedding = base.model.get_output_embeddings(), base.model.get_input_embeddings()
    bias = head.bias[places] if base.has_bias else torch.zeros(len(places))
    taken = (head.weight[places], bias, embedding.weight[places])
    out, bias, into = (each.detach().float().cpu() for each in taken)
    model = ToolModel(base, Rows.empty(RESERVED, base.d_in, base.d_out))
    hidden = hidden_of(model, tools)
    mean = hidden.mean(0)
    middle = Middle(mean, mean, out.norm(dim=1).mean(), (out @ mean + bias).mean())
    rows = model.rows.appended(Rows(out, bias, into, directions(hidden, mean)))
    digests = {tool.tool_id: tool_digest(tool) for tool in tools}
    slots = Slots(
        tools=tuple(Slot(tool_id=i, digest=said, status="trained") for i, said in digests.items())
    )
    texts = Encoder(encoder).documents([dense_text(tool) for tool in tools])
    manifest = Manifest(
        encoder=lasting(encoder),
        encoder_digest="",
        shape=Shape(
            base=lasting(name),
            base_digest=base.weights.digest,
            vocabulary=base.vocabulary,
            d_in=base.d_in,
            d_out=base.d_out,
            template=base.template,
            slots=slots,
        ),
        calibration=Calibration(),
        catalog_digest=catalog.digest,
        tools=dict(digests),
        files={},
        made={"imported": name},
    )
    return Artifact(manifest, rows, middle, {}, torch.from_numpy(texts))


def _places(base: CausalModel, tools: Sequence[Tool], tokens: Mapping[ToolId, str]) -> list[int]:
    """Rows of the tools' tokens in the checkpoint."""
    read = base.tokenizer
    names = [tokens.get(tool.tool_id) for tool in tools]
    places = [name and read.convert_tokens_to_ids(name) for name in names]
    strange = [
        str(tool.tool_id)
        for tool, name, place in zip(tools, names, places, strict=True)
        if place is None or read.convert_ids_to_tokens(place) != name
    ]
    if strange or len(set(places)) != len(places):
        problem = f"{len(strange)} tools have no token of their own (as {strange[:1]})"
        remedy = (
            "Give the token of each tool of the catalogue, as the checkpoint's tokenizer has it."
        )
        raise InputError(problem, field="tokens", remedy=remedy)
    return [int(place) for place in places if place is not None]
