"""What lies on the shelf of a choir: scores, concerts, minutes, and who may see what."""

PASSWORD = "choir-root-password"
SETTINGS = """applications:
  - guillotina.contrib.swagger
  - guillotina.contrib.dbusers
  - guillotina.contrib.vocabularies
  - guillotina.contrib.dyncontent
  - guillotina.contrib.catalog.pg
load_utilities:
  catalog:
    provides: guillotina.interfaces.ICatalogUtility
    factory: guillotina.contrib.catalog.pg.utility.PGSearchUtility
databases:
  db:
    storage: postgresql
    dsn: postgresql://service@127.0.0.1:{database}/postgres
host: 127.0.0.1
port: {port}
root_user:
  password: {password}
jwt:
  secret: {secret}
  algorithm: HS256
  token_expiration: 3600
contents:
  Score:
    title: Score
    description: A piece of music
    inherited_interface: guillotina.interfaces.IItem
    inherited_class: guillotina.content.Item
    add_permission: guillotina.AddContent
    behaviors:
      - guillotina.behaviors.dublincore.IDublinCore
    properties:
      composer:
        type: guillotina.schema.TextLine
        title: Composer
      voices:
        type: guillotina.schema.TextLine
        title: Voices
      copies:
        type: guillotina.schema.Int
        title: Copies on the shelf
  Concert:
    title: Concert
    description: An evening with an audience
    inherited_interface: guillotina.interfaces.IFolder
    inherited_class: guillotina.content.Folder
    add_permission: guillotina.AddContent
    behaviors:
      - guillotina.behaviors.dublincore.IDublinCore
    properties:
      venue:
        type: guillotina.schema.TextLine
        title: Venue
      day:
        type: guillotina.schema.Date
        title: Day
"""

CHOIR = {
    "@type": "Container",
    "id": "choir",
    "title": "Saint Brannoc's Choir",
    "description": "Forty voices, Tuesdays at half past seven in the old school",
}
ADDONS = ("dbusers",)
GROUPS = (
    {
        "id": "librarians",
        "name": "Librarians",
        "description": "Lend scores and mend them",
        "user_roles": ["guillotina.Editor"],
        "users": ["wilf", "saoirse"],
    },
    {
        "id": "committee",
        "name": "Committee",
        "description": "Treasurer, chair, secretary",
        "user_roles": ["guillotina.Owner"],
        "users": ["ottoline"],
    },
    {
        "id": "altos",
        "name": "Altos",
        "description": "Second row on the left",
        "user_roles": ["guillotina.Reader"],
        "users": ["saoirse", "benedikt"],
    },
)
USERS = tuple(
    {
        "id": name,
        "username": name,
        "name": full,
        "email": f"{name}@brannoc-choir.example",
        "password": f"{name}-sings",
        "user_roles": [f"guillotina.{role}"],
        "disabled": off,
    }
    for name, full, role, off in (
        ("wilf", "Wilf Harrowgate", "Editor", False),
        ("saoirse", "Saoirse Kinsella", "Editor", False),
        ("ottoline", "Ottoline Pryce", "Manager", False),
        ("benedikt", "Benedikt Aumann", "Reader", False),
        ("gwen", "Gwen Tregear", "Member", True),
    )
)


def _score(name: str, title: str, composer: str, voices: str, copies: int) -> dict[str, object]:
    return {
        "@type": "Score",
        "id": name,
        "title": title,
        "composer": composer,
        "voices": voices,
        "copies": copies,
    }


ITEMS = (
    _score("locus-iste", "Locus iste", "Anton Bruckner", "SATB", 42),
    _score("ave-verum", "Ave verum corpus", "William Byrd", "SATB", 38),
    _score("sumer-is-icumen-in", "Sumer is icumen in", "anonymous", "TTTT BB", 12),
    _score("the-blue-bird", "The Blue Bird", "Charles Villiers Stanford", "SAATB", 40),
    _score("bogoroditse-devo", "Bogoroditse Devo", "Arvo Pärt", "SATB", 35),
    {
        "@type": "Concert",
        "id": "advent-2026",
        "title": "Advent by candlelight",
        "venue": "Saint Brannoc's, Braunton",
        "day": "2026-12-13",
    },
    {
        "@type": "Concert",
        "id": "harvest-2026",
        "title": "Harvest supper",
        "venue": "Village hall",
        "day": "2026-10-03",
    },
    {"@type": "Folder", "id": "minutes", "title": "Minutes of the committee"},
)
SHARING = {
    "roleperm": [],
    "prinperm": [],
    "prinrole": [
        {"principal": "librarians", "role": "guillotina.Editor", "setting": "Allow"},
        {"principal": "altos", "role": "guillotina.Reader", "setting": "Allow"},
        {"principal": "gwen", "role": "guillotina.Reader", "setting": "Deny"},
    ],
}
