"""That an artefact belongs to what a user gives with it."""

from pathlib import Path

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.artifact.manifest import Manifest
from gretel.nodes.retrieve.encoding.encoder import lasting


def check_belonging(
    manifest: Manifest, catalog: Catalog, encoder: str | None, folder: Path
) -> None:
    """That an artefact was trained on this catalogue, with this encoder where one is named.

    Raises:
        ConfigurationError: it was not.
    """
    _check_encoder(manifest, encoder, folder)
    _check_catalog(manifest, catalog, folder)


def _check_encoder(manifest: Manifest, wanted: str | None, folder: Path) -> None:
    """That nobody who names an encoder gets another one."""
    if wanted is None or lasting(wanted) == manifest.encoder:
        return
    own = "that of the install" if manifest.encoder is None else repr(manifest.encoder)
    raise ConfigurationError(
        f"{wanted!r} is not the encoder that {folder} was trained with ({own})",
        field="encoder",
        remedy="Leave it out, since the artefact names its encoder, or train one with yours.",
    )


def _check_catalog(manifest: Manifest, catalog: Catalog, folder: Path) -> None:
    """That an artefact and a catalogue have the same tools, with the same content."""
    if catalog.digest == manifest.catalog_digest:
        return
    said = {str(tool.tool_id): tool_digest(tool) for tool in catalog}
    new = sorted(said.keys() - manifest.tools.keys())
    gone = sorted(manifest.tools.keys() - said.keys())
    changed = sorted(k for k in said.keys() & manifest.tools.keys() if said[k] != manifest.tools[k])
    told = [
        f"{len(names)} {what} (as {names[0]})"
        for what, names in (("new", new), ("missing", gone), ("changed", changed))
        if names
    ]
    remedy = (
        "Add them with `gretel add-tools`."
        if not gone and not changed
        else ("Give the catalogue that it was trained on, or train it again.")
    )
    message = f"was trained on another catalogue: of its tools {', '.join(told)}"
    raise ConfigurationError(message, field=f"artifact {folder}", remedy=remedy)
