"""Documents → Tools: loaders, identity, retrieval text, argument validation, digest."""

from gretel.catalog.collection import Catalog
from gretel.catalog.report import Note, Skipped

__all__ = ["Catalog", "Note", "Skipped"]
