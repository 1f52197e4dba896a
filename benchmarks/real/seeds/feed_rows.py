"""What a local radio's editor reads: feeds by subject, and what they brought in November 2026."""

import sqlite3
from pathlib import Path

SCHEMA = """
CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE feeds (
    id INTEGER PRIMARY KEY, url TEXT UNIQUE NOT NULL, title TEXT, site_url TEXT,
    category_id INTEGER REFERENCES categories(id) ON DELETE SET NULL, last_fetched TEXT,
    etag TEXT, last_modified TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now'))
);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, feed_id INTEGER NOT NULL REFERENCES feeds(id) ON DELETE CASCADE,
    guid TEXT NOT NULL, title TEXT, url TEXT, author TEXT, content TEXT, published TEXT,
    is_read INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE(feed_id, guid)
);
CREATE VIRTUAL TABLE entries_fts USING fts5(
    title, content, content=entries, content_rowid=id
);
CREATE TRIGGER entries_ai AFTER INSERT ON entries BEGIN
    INSERT INTO entries_fts(rowid, title, content) VALUES (new.id, new.title, new.content);
END;
"""
CATEGORIES = ("Harbour and sea", "Town hall", "Baking", "Radio craft", "To sort out")
FEEDS = """
1|harbourmaster.example/notices.xml|Harbourmaster's notices|2026-11-26T05:00:00+00:00
1|lifeboat-vik.example/feed|Lifeboat crew diary|2026-11-26T05:00:00+00:00
1|seabirds.example/rss|Seabird counts|2026-11-25T05:00:00+00:00
2|council.example/agenda.atom|Council agenda|2026-11-26T05:00:00+00:00
2|planning.example/applications.rss|Planning applications|2026-11-26T05:00:00+00:00
3|ryeandsalt.example/feed|Rye and Salt|2026-11-24T05:00:00+00:00
3|ovenspring.example/index.xml|Oven Spring|2026-11-26T05:00:00+00:00
4|tapeloop.example/rss|Tape Loop|2026-09-02T05:00:00+00:00
4|smallstations.example/atom.xml|Small Stations Network|2026-11-26T05:00:00+00:00
|oldmaps.example/feed|Old Maps Weekly|2026-11-22T05:00:00+00:00
"""
ENTRIES = """
1|11-25T07:10|0|O. Lind|Crane on the east quay out of use|The east quay crane stands still until \
4 December while its brake is replaced. Fishing boats unload at the ice house.
1|11-21T06:30|0|O. Lind|Dredging at the harbour mouth|Dredging from 23 to 27 November. Keep to the \
green buoys; depth at the bar is 3.4 metres.
1|11-14T08:00|1|O. Lind|New berth fees for 2027|Berth fees rise by six per cent on 1 January 2027. \
Residents keep their discount.
1|11-03T07:45|1|O. Lind|Fog horn tests|The fog horn sounds every Tuesday at noon in November.
2|11-24T19:20|0|Marit Vold|Night tow of the trawler Solveig|The trawler Solveig lost her rudder \
off Skarv point. We towed her in by four in the morning, nobody hurt.
2|11-17T18:00|0|Marit Vold|Three new volunteers|Three people finished their sea training, among \
them our first baker.
2|11-08T17:30|1|Marit Vold|Kite surfer found on the sandbank|A kite surfer waited two hours on the \
sandbank with a torch. Bring a torch.
2|10-30T20:15|1|Pelle Aas|Engine overhaul|Both engines were taken out and back in within nine days.
3|11-23T12:00|0|Dr. Ines Rocha|November count: fewer guillemots|We counted 1840 guillemots, a \
fifth fewer than last year. Eiders are up.
3|11-09T12:00|0|Dr. Ines Rocha|A white-billed diver|A white-billed diver stayed in the outer \
harbour for two days.
3|10-26T12:00|1|Ben Aker|How to join a count|Counts start at the lighthouse at eight. Bring \
binoculars and a flask.
4|11-25T15:00|0||Agenda, 3 December: ferry subsidy|Item 1: ferry subsidy for 2027. Item 2: the \
school kitchen. Item 3: street lamps in Nedre gate.
4|11-18T15:00|0||Minutes, 12 November|The council voted 14 to 7 for the new library roof. The bus \
to the airport stays.
4|11-05T15:00|1||Agenda, 12 November: library roof|Item 1: library roof. Item 2: airport bus.
5|11-26T04:10|0||2026/318: flat roof at Storgata 4|Change of a pitched roof to a flat one. \
Comments until 17 December.
5|11-20T09:00|0||2026/311: sauna raft in the inner harbour|A floating sauna for twelve people, \
moored at the old customs house. Comments until 11 December.
5|11-12T09:00|1||2026/302: solar panels on the church hall|Forty panels on the south side.
6|11-22T06:00|0|Hanne Bruun|Rye bread with barley malt|A dark loaf of rye with barley malt; it \
proves for fourteen hours and keeps a week.
6|11-15T06:00|0|Hanne Bruun|Why my crust went soft|Too much steam at the end. Open the door for \
the last ten minutes.
6|11-01T06:00|1|Hanne Bruun|Cardamom knots|Two dozen knots, cardamom crushed that morning.
7|11-26T04:30|0|Yusuf Demir|Sourdough at six degrees|A cold kitchen slows the sourdough; what to \
do when the starter sleeps.
7|11-19T04:30|0|Yusuf Demir|Baking on a boat|A gimballed oven, a lidded tin, and patience. The \
sourdough does not mind the waves.
7|11-11T04:30|1|Yusuf Demir|Flour from the island mill|The island mill grinds again on Saturdays.
8|08-30T10:00|0|Stella Okoro|Cutting tape with a blade|A last demonstration with razor blade and \
splicing block.
8|08-12T10:00|1|Stella Okoro|Microphones for wind|Fur, foam, and a jumper: three ways to record \
outdoors.
9|11-25T13:00|0|Network office|Licence renewals are due|Every small station must renew its licence \
by 31 December. The form has a new page on archives.
9|11-16T13:00|0|Network office|Shared programme on ferries|Six stations make a programme on \
ferries together; send sounds by 10 December.
9|11-02T13:00|1|Network office|Winners of the short documentary prize|The prize goes to a piece on \
a lighthouse keeper's wife.
10|11-21T11:00|0|R. Falk|The chart that moved an island|A chart of 1788 has the island two miles \
too far west; ships believed it for a century.
10|11-07T11:00|0|R. Falk|Pencil marks of a pilot|A pilot noted depths in the margin of his map.
"""


def write(path: Path) -> None:
    """The reader's database."""
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    names = [(name,) for name in CATEGORIES]
    connection.executemany("INSERT INTO categories (name) VALUES (?)", names)
    for line in FEEDS.strip().splitlines():
        category, address, title, fetched = line.split("|")
        site = f"https://{address.partition('/')[0]}"
        row = (f"https://{address}", title, site, int(category or 0) or None, fetched)
        connection.execute(
            "INSERT INTO feeds (url, title, site_url, category_id, last_fetched, created_at)"
            " VALUES (?, ?, ?, ?, ?, '2026-01-10 08:00:00')",
            row,
        )
    for number, line in enumerate(ENTRIES.strip().splitlines(), 1):
        feed, moment, read, author, title, text = line.split("|")
        row = (int(feed), f"item-{number}", title, f"https://read.example/{number}", author or None,
               text, f"2026-{moment}:00+00:00", int(read))  # fmt: skip
        connection.execute(
            "INSERT INTO entries (feed_id, guid, title, url, author, content, published, is_read,"
            " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '2026-11-26 05:00:00')",
            row,
        )
    connection.commit()
    connection.close()
