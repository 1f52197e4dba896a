"""Four vocabularies of a society that looks after windmills and watermills."""

URI = "https://words.mills.example"
SCHEMES = (  # number, short name, labels, note, subjects, language
    (
        1,
        "MILLTYPES",
        {"en": "Types of mills", "nl": "Molentypes", "de": "Mühlentypen", "fr": "Types de moulins"},
        "What a mill is called after how it is built.",
        ("buildings",),
        "en",
    ),
    (
        2,
        "PARTS",
        {"en": "Parts of mills", "nl": "Molenonderdelen", "de": "Mühlenteile"},
        "From the cap down to the stones.",
        ("objects",),
        "nl",
    ),
    (
        3,
        "MATERIALS",
        {"en": "Materials", "nl": "Materialen", "fr": "Matériaux"},
        "What mills are made of.",
        ("objects", "buildings"),
        "en",
    ),
    (
        4,
        "PERIODS",
        {"en": "Periods", "nl": "Dateringen"},
        "When a mill was built or moved.",
        ("time",),
        "en",
    ),
)
LANGUAGES = (("fy", "Frisian"), ("la", "Latin"))

Row = tuple[int, dict[str, str], dict[str, tuple[str, ...]], tuple[int, ...], str]
CONCEPTS: dict[int, tuple[Row, ...]] = {
    # scheme: (number, preferred labels, other labels, broader, definition)…
    1: (
        (1, {"en": "mill", "nl": "molen", "de": "Mühle", "fr": "moulin"}, {}, (), "A building."),
        (
            2,
            {"en": "windmill", "nl": "windmolen", "de": "Windmühle", "fr": "moulin à vent"},
            {"fy": ("mûne",)},
            (1,),
            "Driven by the wind.",
        ),
        (
            3,
            {"en": "watermill", "nl": "watermolen", "de": "Wassermühle", "fr": "moulin à eau"},
            {},
            (1,),
            "Driven by falling or flowing water.",
        ),
        (
            4,
            {"en": "post mill", "nl": "standerdmolen", "de": "Bockwindmühle", "fr": "moulin pivot"},
            {"nl": ("staakmolen",), "de": ("Kastenmühle",)},
            (2,),
            "The whole body turns on a single upright post.",
        ),
        (
            5,
            {"en": "smock mill", "nl": "achtkante molen", "de": "Achtkantmühle"},
            {"en": ("octagonal mill",)},
            (2,),
            "A tapering wooden tower of eight sides; only the cap turns.",
        ),
        (
            6,
            {"en": "tower mill", "nl": "torenmolen", "de": "Turmwindmühle"},
            {"en": ("stone mill",)},
            (2,),
            "A tower of brick or stone; only the cap turns.",
        ),
        (
            7,
            {"en": "tide mill", "nl": "getijdenmolen", "fr": "moulin à marée"},
            {},
            (3,),
            "Keeps the water of high tide behind a gate.",
        ),
        (
            8,
            {"en": "ship mill", "nl": "schipmolen", "de": "Schiffmühle"},
            {"en": ("boat mill",)},
            (3,),
            "Swims on the river and is moored there.",
        ),
        (
            9,
            {"en": "hollow post mill", "nl": "wipmolen", "de": "Kokermühle"},
            {},
            (4,),
            "The drive goes down through the post, mostly to a pump.",
        ),
    ),
    2: (
        (1, {"en": "cap", "nl": "kap", "de": "Haube"}, {}, (), "The part on top that turns."),
        (2, {"en": "sail", "nl": "wiek", "de": "Flügel"}, {"nl": ("zeil",)}, (), "Takes the wind."),
        (
            3,
            {"en": "windshaft", "nl": "bovenas", "de": "Flügelwelle"},
            {},
            (1,),
            "Holds the sails.",
        ),
        (
            4,
            {"en": "brake wheel", "nl": "bovenwiel"},
            {"nl": ("aswiel",)},
            (3,),
            "On the windshaft.",
        ),
        (5, {"en": "wallower", "nl": "bonkelaar"}, {}, (), "Driven by the brake wheel."),
        (6, {"en": "millstone", "nl": "molensteen", "de": "Mühlstein"}, {}, (), "Grinds."),
        (7, {"en": "runner stone", "nl": "loper"}, {}, (6,), "The upper of two, which turns."),
        (8, {"en": "bedstone", "nl": "ligger"}, {}, (6,), "The lower of two, which lies still."),
        (9, {"en": "tailpole", "nl": "staart"}, {}, (), "Turns the mill into the wind by hand."),
    ),
    3: (
        (1, {"en": "wood", "nl": "hout", "fr": "bois"}, {"la": ("lignum",)}, (), "Of trees."),
        (2, {"en": "oak", "nl": "eik", "fr": "chêne"}, {"la": ("quercus",)}, (1,), "For posts."),
        (3, {"en": "pitch pine", "nl": "grenen"}, {}, (1,), "For sail stocks until 1900."),
        (4, {"en": "thatch", "nl": "riet", "fr": "chaume"}, {}, (), "Of reed, on smock mills."),
        (
            5,
            {"en": "basalt", "nl": "basalt", "fr": "basalte"},
            {},
            (),
            "For millstones of the Eifel.",
        ),
        (
            6,
            {"en": "cast iron", "nl": "gietijzer", "fr": "fonte"},
            {},
            (),
            "For windshafts since 1840.",
        ),
    ),
    4: (
        (1, {"en": "early modern period", "nl": "nieuwe tijd"}, {}, (), "1500 to 1800."),
        (2, {"en": "Eighty Years' War", "nl": "Tachtigjarige Oorlog"}, {}, (1,), "1568 to 1648."),
        (3, {"en": "industrial age", "nl": "industriële tijd"}, {}, (), "1800 to 1914."),
        (4, {"en": "interwar years", "nl": "interbellum"}, {}, (), "1918 to 1939."),
    ),
}
COLLECTIONS = (  # scheme, number, labels, members, above it
    (1, 20, {"en": "mills by what drives them", "nl": "molens naar aandrijving"}, (2, 3), 1),
    (1, 21, {"en": "windmills by how they turn", "nl": "windmolens naar kruiwijze"}, (4, 5, 6), 2),
    (2, 20, {"en": "driving gear", "nl": "gaande werk"}, (3, 4, 5), 0),
)
RELATED = ((1, 7, 8), (2, 4, 5), (3, 2, 3))
"""Scheme, and two concepts of it."""
NOTES = (  # scheme, concept, kind, language, words
    (1, 4, "historyNote", "en", "The oldest kind of windmill in Flanders, known since 1183."),
    (1, 5, "scopeNote", "en", "Use only where the body is of wood; otherwise tower mill."),
    (2, 7, "editorialNote", "en", "Check the plural in Frisian before the next edition."),
    (3, 5, "scopeNote", "en", "Also for stones from Volvic if nothing better is known."),
)
SOURCES = (
    (1, 4, "Van Holten, J. (1987). De standerdmolen. Gent: Molenpers."),
    (3, 6, "Brand, A. (2004). Cast iron in the mills of Kent."),
)
MATCHES = (
    (1, 2, "exactMatch", "http://vocab.getty.edu/aat/300006199"),
    (1, 4, "closeMatch", "http://vocab.getty.edu/aat/300006201"),
    (3, 2, "exactMatch", "http://vocab.getty.edu/aat/300012264"),
)
