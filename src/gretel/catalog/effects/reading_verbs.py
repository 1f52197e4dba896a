"""Verbs of operations that only read, compute or tell: lists alone, no rules."""

from gretel.text.words import word_set

READING = word_set(
    """
    can check count describe download explain export fetch find get has head how is list load
    lookup may poll preview query read retrieve search show test validate verify view why
    """
)
"""Verbs behind which another one is what is read: `can_delete`, `get-order-cancel`."""
TELLING = word_set(
    """
    allow assume bring capture combine complete contain cover deliver draw enter exchange express
    fill give grab hold include indicate join keep let like make merge name need offer perform pick
    prepare present process produce propose provide pull reflect release repeat represent request
    require review share split state supply support take tell use work
    """
)
"""Verbs that begin the description of what an answer is, and elsewhere change something."""
READ = READING | word_set(
    """
    access advise aggregate align analyse analyze anonymize answer ask assess audit authenticate
    autocomplete benchmark blame blend browse calculate categorize choose cite classify cluster
    collate collect compare compile compress compute conjugate consult convert correlate crawl crop
    debug decide decode decompress decrypt deduce define deflate derive deserialize detect determine
    diagnose differentiate discover discuss display dissect distinguish do echo embed emit encode
    encrypt enhance enrich enumerate escape estimate evaluate examine expand expect explore expose
    extract factor factorize filter forecast format gather generate geocode geolocate go grade grep
    guess hash hear help highlight identify illustrate infer inflect inform inspect integrate
    interpolate interpret intersect introspect invert iterate judge learn lemmatize list listen
    locate look lowercase map match measure mix mock monitor multiply navigate normalize notice
    observe obtain optimize outline output paginate paraphrase parse peek ping plan plot poll
    predict print probe profile prompt pronounce quantify quote rank rate read recognize recommend
    reconcile redirect refine relate remember render resize resolve respond retreive return reveal
    reverse roll romanize rotate round route sample sanitize say scan score scrape screen search see
    segment select separate serialize serve shorten shuffle simplify simulate solve sort specify
    spell standardize stat stream subtract suggest sum summarize survey synthesize tabulate tail
    think tokenize total trace track transcribe transform translate transliterate traverse trim
    troubleshoot try tune turn unescape uppercase vectorize view visit visualize watch
    """
)
"""Verbs of what reads or computes, as far as words can say it."""
