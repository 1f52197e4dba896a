"""Whom a guild of mountain guides knows: guides, huts, a helicopter."""

GUILD = "K3i55g3gS9KynpCYbwbuPL"
"""Follows from its seed, as do the other identifiers."""
HUTS = "6DAth4Dn4LUQ4Er4DpYj2y"
SCHOOL = "did:key:z6MknSZcJWAPQnVtWCqJknFrdxDjFtdsYW24q2p7mkbiVnKw"
DIDS = (  # method, seed, what is noted
    (
        "sov",
        "GuildOfTheHartwickGuides00000001",
        {"posted": True, "endpoint": "http://guild.example:18762"},
    ),
    ("sov", "HutWardensOfTheHartwickRidge0002", {"purpose": "hut wardens"}),
    ("sov", "GuildKeyOfTheYearsBefore2024_004", {"purpose": "retired in 2024"}),
    ("key", "AvalancheSchoolOfTheGuild0000003", {"purpose": "avalanche school"}),
)

VOS = "32833106-536e-45df-80b2-d002cc92d33d"
OKAFOR = "f08db22f-d293-456a-b170-fab23d90fbac"
MARCHETTI = "f3faa8e8-79ea-4723-8ad5-cfbc1d74bd1c"
HUT = "3ce1268c-9c80-42e3-bfec-3fee8ed2305d"
HELICOPTER = "a93f32a9-a172-4102-8e4e-dc90253d9e30"
LINDQVIST = "47aa2dba-d9e2-4c8d-809f-001680289e32"
CONNECTIONS = (  # the record, where the other answers, its key, what is noted
    (
        {
            "connection_id": VOS,
            "alias": "Hanneke Vos",
            "their_label": "Hanneke's phone",
            "their_role": "invitee",
            "state": "completed",
            "my_did": GUILD,
            "their_did": "CxG2oWueGkdhnoq31FgR2d",
            "connection_protocol": "didexchange/1.0",
        },
        "http://vos.guides.example:9001",
        "7WrHju7uPp3DBVSjCDGFjGq46CcQhgjxykxEFgPFyhPy",
        {"membership": {"number": "G-0417", "since": "2019", "languages": ["nl", "de", "en"]}},
    ),
    (
        {
            "connection_id": OKAFOR,
            "alias": "Chidi Okafor",
            "their_label": "Okafor Alpine",
            "their_role": "invitee",
            "state": "completed",
            "my_did": GUILD,
            "their_did": "QGiH8muNNiN77bXvjBv1LU",
            "connection_protocol": "connections/1.0",
        },
        "http://okafor.guides.example:9002",
        "Dge3kUqfcF8QrWPqkPMX3J9t8NnHjxCWZusU7FakH6ok",
        {"membership": {"number": "G-0533", "since": "2022", "languages": ["en", "fr"]}},
    ),
    (
        {
            "connection_id": MARCHETTI,
            "alias": "Lucia Marchetti",
            "their_label": "Lucia M.",
            "their_role": "invitee",
            "state": "request",
            "invitation_key": "AqVWPueDc6FzQpuL2WFGXHdFibZq8qMXrB3URHu87UGH",
            "connection_protocol": "didexchange/1.0",
        },
        "",
        "",
        {},
    ),
    (
        {
            "connection_id": HUT,
            "alias": "Grauhorn hut",
            "their_label": "Grauhornhuette desk",
            "their_role": "inviter",
            "state": "completed",
            "my_did": HUTS,
            "their_did": "68BAFaj6KtzcG8nTVP5KBW",
            "connection_protocol": "connections/1.0",
        },
        "http://grauhorn.huts.example:9003",
        "3nyHyuazF7v686tygxEJiJqxNxivwktwgQah1rdftYR3",
        {"beds": {"total": 64, "winter room": 12}},
    ),
    (
        {
            "connection_id": HELICOPTER,
            "alias": "Rescue helicopter",
            "their_label": "Ridge Air Rescue",
            "their_role": "inviter",
            "state": "completed",
            "my_did": HUTS,
            "their_did": "9je4PkJQ7M4XmDamBVjqAT",
            "connection_protocol": "connections/1.0",
        },
        "http://rescue.example:9004",
        "5m8rdRkwPgQGF1fMbQMgSMjyiijaq8vWdg2sm9WHa6fA",
        {},
    ),
    (
        {
            "connection_id": LINDQVIST,
            "alias": "Maja Lindqvist",
            "their_role": "invitee",
            "state": "invitation",
            "invitation_key": "AqVWPueDc6FzQpuL2WFGXHdFibZq8qMXrB3URHu87UGH",
            "invitation_mode": "once",
            "connection_protocol": "didexchange/1.0",
        },
        "",
        "",
        {},
    ),
)
