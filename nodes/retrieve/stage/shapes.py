"""The shapes of a catalogue's tools, read when they are first asked for."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from gretel.catalog import Catalog
from gretel.catalog.ownership import owner_of
from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.odds import Array
from gretel.nodes.retrieve.stage.shape import Asked, Shape, by_shape, features
from gretel.nodes.retrieve.stage.toolkits import ToolkitWords

NO_SHAPE = Shape("", frozenset(), one=False, itself=False)
"""Of a tool that the catalogue lacks."""


class Shapes:
    """Weighs candidates by what the catalogue's tools are made of."""

    def __init__(self, catalog: Catalog, later: AbstractSet[ToolId] = frozenset()) -> None:
        """Of `catalog`; tools that came `later` take no part in what toolkits speak of."""
        self._catalog = catalog
        self._toolkits = ToolkitWords(tool for tool in catalog if tool.tool_id not in later)
        self._known: dict[ToolId, Shape] = {}

    def weighed(self, text: str, found: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """The candidates of a request, best first; see `by_shape`."""
        return by_shape(found, self.values(text, found)) if found else ()

    def values(self, text: str, found: Sequence[Candidate]) -> Array:
        """The `FEATURES` of the candidates of a request."""
        asked = Asked.of(text)
        names = [each.tool_id for each in found]
        owners = [
            owner_of(self._catalog[name]) if name in self._catalog else None for name in names
        ]
        toolkits = self._toolkits.speak_of(asked.words, owners)
        return features(asked, [self._shape(name) for name in names], toolkits)

    def _shape(self, name: ToolId) -> Shape:
        if name not in self._known and name in self._catalog:
            self._known[name] = Shape.of(self._catalog[name])
        return self._known.get(name, NO_SHAPE)
