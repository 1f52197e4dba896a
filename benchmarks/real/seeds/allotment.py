"""Invented data of the MCP servers: an allotment club, its people, its books and its diary."""

FILES = {
    "minutes/2026-09-14.md": "# Committee, 14 September 2026\n\n"
    "Present: Ruth Solberg, Amir Haddad, Bea Quist.\n"
    "The water meter reads 4821. The gate is to be mended by Amir.\n"
    "Next meeting: 12 October 2026.\n",
    "minutes/2026-10-12.md": "# Committee, 12 October 2026\n\nPresent: Ruth Solberg, Bea Quist.\n"
    "The water meter reads 4907. Rent for 2027 stays at 85 EUR a plot.\n",
    "plots.csv": "plot,tenant,square_metres,crop\n"
    "1,Ruth Solberg,120,potatoes\n2,Amir Haddad,95,beans\n"
    "3,Bea Quist,110,pumpkins\n4,,100,\n5,Tomas Lind,80,raspberries\n",
    "recipes/pumpkin-soup.txt": "Pumpkin soup for 6\n1.2 kg pumpkin, 2 onions, 1 l stock, nutmeg.\n"
    "Simmer for 35 minutes.\n",
    "recipes/bean-salad.txt": "Bean salad for 4\n500 g beans, 1 red onion, mustard, vinegar.\n",
    "letters/surveyor.txt": "Dear Ms Nilsen,\n"
    "the north fence stands 40 cm on our side.\nYours, Ruth Solberg\n",
    "config/settings.json": '{"club": "Fjordside Allotments", '
    '"rent_eur": 85, "water_limit_m3": 60}\n',
}

_PEOPLE = {
    "Ruth Solberg": ["chairs the club since 2019", "grows potatoes on plot 1", "speaks Norwegian"],
    "Amir Haddad": ["mends the gate", "is allergic to bee stings", "grows beans on plot 2"],
    "Bea Quist": ["keeps the accounts", "lives in Sandviken", "grows pumpkins on plot 3"],
    "Tomas Lind": ["joined in March 2026", "grows raspberries on plot 5"],
}
_OTHERS = {
    "Fjordside Allotments": ("club", ["founded in 1974", "has five plots"]),
    "Autumn market": (
        "event",
        ["on 17 October 2026 at 11:00", "takes place at the harbour square"],
    ),
    "Water pump": ("equipment", ["bought in 2021 for 640 EUR", "stored in shed B"]),
}
_RELATIONS = [
    ("Ruth Solberg", "Fjordside Allotments", "chairs"),
    ("Bea Quist", "Fjordside Allotments", "keeps the accounts of"),
    ("Amir Haddad", "Water pump", "maintains"),
    ("Bea Quist", "Autumn market", "organises"),
    ("Tomas Lind", "Ruth Solberg", "is a neighbour of"),
]
KNOWLEDGE = [
    *(
        {"type": "entity", "name": name, "entityType": "person", "observations": facts}
        for name, facts in _PEOPLE.items()
    ),
    *(
        {"type": "entity", "name": name, "entityType": kind, "observations": facts}
        for name, (kind, facts) in _OTHERS.items()
    ),
    *(
        {"type": "relation", "from": start, "to": end, "relationType": kind}
        for start, end, kind in _RELATIONS
    ),
]

LIBRARY = """
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT, year INTEGER, shelf TEXT);
CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, joined TEXT);
CREATE TABLE loans (id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES books(id),
  member_id INTEGER REFERENCES members(id), due TEXT, returned TEXT);
INSERT INTO books VALUES (1, 'Potatoes on Heavy Soil', 'I. Aas', 1988, 'A1'),
  (2, 'The Quiet Hedge', 'M. Okafor', 2004, 'A1'),
  (3, 'Beans Without Poles', 'L. Prieto', 2016, 'A2'),
  (4, 'A Pump for Every Well', 'S. Grimm', 1997, 'B1'),
  (5, 'Keeping Bees in Towns', 'H. Dupont', 2021, 'B2');
INSERT INTO members VALUES (1, 'Ruth Solberg', '2012-04-01'), (2, 'Amir Haddad', '2018-09-15'),
  (3, 'Bea Quist', '2020-02-20'), (4, 'Tomas Lind', '2026-03-03');
INSERT INTO loans VALUES (1, 3, 2, '2026-10-20', NULL), (2, 1, 1, '2026-09-30', '2026-09-28'),
  (3, 5, 4, '2026-11-02', NULL), (4, 4, 2, '2026-08-15', NULL);
"""

# moment, branch, message, files
DIARY = [
    (
        "2026-10-01T08:00:00+00:00",
        "main",
        "Begin the club diary",
        {"README.md": "# Diary of Fjordside Allotments\n", "todo.md": "- order seed potatoes\n"},
    ),
    (
        "2026-10-03T17:30:00+00:00",
        "main",
        "Note the first frost",
        {"weather.md": "3 October: first frost, minus 2 degrees.\n"},
    ),
    (
        "2026-10-06T12:00:00+00:00",
        "market-stall",
        "Plan the stall for the autumn market",
        {"market.md": "Stall 14, two tables, pumpkins and soup.\n"},
    ),
    (
        "2026-10-09T19:45:00+00:00",
        "main",
        "Add the gate to the list of repairs",
        {"todo.md": "- order seed potatoes\n- mend the gate\n"},
    ),
]
