"""How many GETs of real documents are kept from trials: they say that they change something.

    python benchmarks/catalog/effects.py --data DIR [--list]

Reads the OpenAPI documents of DIR/openapi and the operations of DIR/arazzo; `--list` prints each
GET that is kept, with the verb. Costs are processor time of this thread. Of names that begin with a
noun (`account_roles_create`) it says how many tell by themselves of a change: of operations that
are no GET, which do change something, and of GETs.
"""

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from shared import documents, file_digest

from gretel.catalog import Catalog
from gretel.catalog.effects.changes import SAFE_METHODS, may_change, method_of
from gretel.catalog.effects.english import may_be_verb
from gretel.catalog.effects.reading_verbs import READ
from gretel.catalog.effects.unread import unread_verb
from gretel.catalog.effects.verb_lists import VERBS
from gretel.catalog.effects.verbs import bare, verb_of_name, words_of
from gretel.contracts.tool import Tool


def main() -> None:
    """Judge all, print a line a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--list", action="store_true", help="print each that is kept")
    options = parser.parse_args()
    index = options.data / "openapi" / "index.jsonl"
    corpus = options.data / "arazzo" / "corpus.jsonl"
    show("openapi", index, documents(index), each=options.list)
    show("arazzo", corpus, Catalog.from_jsonl(corpus), each=options.list)


def show(name: str, source: Path, tools: Iterable[Tool], *, each: bool) -> None:
    """Print how many of the GETs are kept, and what judging one costs."""
    every = [*tools]
    gets = [tool for tool in every if method_of(tool) == "GET"]
    began = time.thread_time()
    kept = [(tool, why) for tool in gets if (why := may_change(tool))]
    spent = time.thread_time() - began
    print(
        f"{name} ({file_digest(source)}): {len(kept)} of {len(gets)} GETs kept, "
        f"{len(kept) / len(gets):.2%}; {spent / len(gets) * 1e6:.0f} us each"
    )
    rest = [tool for tool in every if method_of(tool) not in SAFE_METHODS]
    print(f"  told by a name that begins with a noun: {told(rest)} of no GET, {told(gets)} GETs")
    for tool, why in kept if each else ():
        print(f"  {tool.tool_id}: {why}")


def told(tools: Iterable[Tool]) -> str:
    """How many operations say by a name of a noun and more that they change something."""
    names = [tool.operation for tool in tools if _begins_with_noun(tool.operation)]
    found = [name for name in names if verb_of_name(name) or unread_verb(name, "/", declared=True)]
    return f"{len(found)} of {len(names)}"


def _begins_with_noun(name: str) -> bool:
    first, *rest = bare(words_of(name)) or ("",)
    return bool(rest) and not (first in VERBS or first in READ or may_be_verb(first))


if __name__ == "__main__":
    main()
