"""Two vaults of notes: of a household, and of a choir."""


def _note(tags: str, body: str) -> str:
    return f"---\ntags: [{tags}]\n---\n{body}\n"


HOUSE = {
    "Boiler.md": _note(
        "house, repairs",
        "# Boiler\n\nInstalled 2019 by Falk Heating. Next service: March 2027.\n"
        "Pressure should be between 1.2 and 1.8 bar. Error E28: bleed the radiators first.\n",
    ),
    "Insurance.md": _note(
        "house, money",
        "# Insurance\n\nHousehold contents: Safeharbour, policy 77-20418, renews 1 April.\n"
        "Excess is 200 euros. See also [[Boiler]].\n",
    ),
    "Passwords hint.md": "The hint is on the back of the [[Recipes/Plum jam]] card.\n",
    "Trips/Lofoten 2027.md": _note(
        "travel, plans",
        "# Lofoten 2027\n\n- Ferry from Bodo on 12 June\n- Cabin in Reine, three nights\n"
        "- Pack: head torches are not needed, it stays light\n",
    ),
    "Trips/Ghent weekend.md": _note(
        "travel, done",
        "# Ghent weekend\n\nTrain from Brussels, 32 minutes. Stayed near Sint-Pieters.\n"
        "The waffles by the castle were the best of the trip.\n",
    ),
    "Recipes/Plum jam.md": _note(
        "food, autumn",
        "# Plum jam\n\n2 kg plums, 1 kg jam sugar, a stick of cinnamon. Makes 9 jars.\n"
        "Boil four minutes once it rolls.\n",
    ),
    "Recipes/Fish soup.md": _note(
        "food, quick",
        "# Fish soup\n\nLeek, carrot, 600 g cod, 400 ml cream, dill. Half an hour in all.\n",
    ),
    "Recipes/Rye bread.md": _note(
        "food, weekend",
        "# Rye bread\n\nFeed the sourdough the evening before. 500 g rye, 420 ml water, 11 g salt."
        "\n"
        "Bake at 230 degrees for 15 minutes, then at 190 for 45.\n",
    ),
    "Garden/Apple trees.md": _note(
        "garden",
        "# Apple trees\n\nBoskoop by the fence, Gravenstein by the shed. Prune in February.\n"
        "Canker on the Gravenstein, seen in October.\n",
    ),
    "Journal/2026-11-08.md": "Jam set well. Ordered a new lid for the rain barrel.\n",
    "Journal/2026-11-15.md": "Radiators cold, boiler showed E28. Bled them, fine since.\n",
}
CHOIR = {
    "Members.md": _note(
        "people",
        "# Members\n\n- Soprano: Celine, Ruth, Ines\n- Alto: Miriam, Eva\n- Tenor: Amir, Jonas\n"
        "- Bass: Tomas, Peter\n",
    ),
    "Programme spring.md": _note(
        "concert, plans",
        "# Spring concert, 17 April 2027\n\n1. Bruckner, Locus iste\n2. Stanford, The Blue Bird\n"
        "3. Folk songs, arranged by Jonas\n\nVenue: St Olaf. Fee 350 euros.\n",
    ),
    "Minutes/2026-09-21.md": _note(
        "minutes",
        "# Meeting of 21 September\n\nNew music stands: 12, bought. Fee stays at 15 a month.\n",
    ),
    "Minutes/2026-11-02.md": _note(
        "minutes",
        "# Meeting of 2 November\n\nVenue of the spring concert is St Olaf. Amir asks about a "
        "piano tuner.\nEva looks after the sheet music from January.\n",
    ),
    "Scores/Locus iste.md": _note(
        "score, sacred", "Four voices, in C. Copies: 14. Watch the low C.\n"
    ),
    "Scores/The Blue Bird.md": _note("score, secular", "Copies: 11, three to be ordered.\n"),
}
VAULTS = {"house": HOUSE, "choir": CHOIR}
