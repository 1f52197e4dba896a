"""The ablation of MassTool: what each part gives, beside baselines, over three seeds.

It is measured on the development part, never on test: whoever looks at forty variants on test has
chosen by it. Each seed draws a development part of its own. The first stage is done once a seed;
it, and every finished row, stay in the folder, so that an ablation cut short goes on.

A part left out is left out of training and model alone. The released code of the paper does it
otherwise: its "w/o AdaKT" takes the whole detection task away with the transfer. Here that is
`without detection` and `without transfer` apart.
"""

from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from gretel.contracts.errors import InputError
from gretel.files import make_inner, write_whole
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Told
from gretel.training.masstool.prepared import prepare
from gretel.training.masstool.resume import key_of
from gretel.training.masstool.train import Settings, encoder_digest, make_folder
from gretel.training.masstool.variants import Row, variants

SEEDS = 3
ROWS = "rows.jsonl"


def ablate(
    read: Callable[[int], Examples], settings: Settings, folder: Path, told: Told
) -> list[Row]:
    """All rows of `SEEDS` seeds, from the settings' own on; seed after seed, in table order.

    Args:
        read: the examples of a seed.
        settings: of the whole model.
        folder: what was done is kept there, and not done again for the same data and settings.
        told: told what is going on.

    Raises:
        ConfigurationError: the encoder cannot be loaded, or the folder not written.
        InputError: the kept rows cannot be read.
    """
    make_folder(make_inner(folder))
    kept = _Kept(folder / ROWS)
    rows: list[Row] = []
    for seed in range(settings.first.seed, settings.first.seed + SEEDS):
        rows += _rows_of(read(seed), seeded(settings, seed), kept, folder, told)
    return rows


def _rows_of(
    examples: Examples, settings: Settings, kept: "_Kept", folder: Path, told: Told
) -> list[Row]:
    seed, key = settings.first.seed, _key(examples, settings)
    wanted = variants(settings, detects=bool(examples.no_tool))
    missing = [each for each in wanted if (key, seed, each.name) not in kept.rows]
    if missing:
        prepared = prepare(examples, settings, folder, _about(told, f"seed {seed}"))
    for variant in missing:
        measures = variant.measure(prepared, _about(told, f"seed {seed}, {variant.name}"))
        kept.add(
            Row(
                key=key,
                seed=seed,
                group=variant.group,
                name=variant.name,
                at=variant.at,
                requests=len(examples.dev.texts),
                measures=measures,
            )
        )
    return [kept.rows[key, seed, each.name] for each in wanted]


def seeded(settings: Settings, seed: int) -> Settings:
    """The same with another seed in both stages."""
    return settings._replace(
        first=settings.first.model_copy(update={"seed": seed}),
        second=settings.second.model_copy(update={"seed": seed}),
    )


def _key(examples: Examples, settings: Settings) -> str:
    """The device may change."""
    plain = seeded(settings, 0)
    stages = plain.first.model_dump(mode="json"), plain.second.model_dump(mode="json")
    return key_of(examples.digest, encoder_digest(plain.encoder), plain.transfer, *stages)


def _about(told: Told, name: str) -> Told:
    return lambda done, total, what: told(done, total, f"{what} ({name})")


class _Kept:
    """Rows on disk, those of other data and settings among them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_bytes().splitlines() if path.is_file() else []
        try:
            found = [Row.model_validate_json(line) for line in lines]
        except ValidationError as error:
            remedy = "Delete the file; its rows are measured again."
            raise InputError("cannot be read", field=str(path), remedy=remedy) from error
        self.rows = {(row.key, row.seed, row.name): row for row in found}

    def add(self, row: Row) -> None:
        """Keep a row at once; the file is there as a whole at any time."""
        self.rows[row.key, row.seed, row.name] = row
        lines = [each.model_dump_json() + "\n" for each in self.rows.values()]
        write_whole(self._path, "".join(lines))
