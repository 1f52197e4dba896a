"""What the guild gives and takes: licences, proofs, what mediators do, and what was revoked."""

from acapy_rows import GUILD, HELICOPTER, HUT, OKAFOR, VOS

VOCABULARY = "https://guild.example/vocabulary/v1"
LICENCE_SCHEMA = f"{GUILD}:2:guide-licence:2.1"
COURSE_SCHEMA = f"{GUILD}:2:avalanche-course:1.0"
OLD_SCHEMA = f"{GUILD}:2:guide-licence:1.0"
LICENCE = f"{GUILD}:3:CL:118:licence-2026"
COURSE = f"{GUILD}:3:CL:142:course"


def _schema(name: str, version: str) -> tuple[str, str, dict[str, str]]:
    identifier = f"{GUILD}:2:{name}:{version}"
    tags = {
        "schema_id": identifier,
        "schema_issuer_did": GUILD,
        "schema_name": name,
        "schema_version": version,
    }
    return "schema_sent", identifier, tags


def _definition(identifier: str, schema: str) -> tuple[str, str, dict[str, str]]:
    name, version = schema.split(":")[2:]
    tags = {**_schema(name, version)[2], "issuer_did": GUILD, "cred_def_id": identifier}
    return "cred_def_sent", identifier, tags


SENT = (
    _schema("guide-licence", "1.0"),
    _schema("guide-licence", "2.1"),
    _schema("avalanche-course", "1.0"),
    _definition(LICENCE, LICENCE_SCHEMA),
    _definition(COURSE, COURSE_SCHEMA),
    _definition(f"{GUILD}:3:CL:77:licence-2023", OLD_SCHEMA),
)

LINKED = (  # of W3C: what others attested to the guild
    {
        "id": "7f453a0e-f509-4b4f-95de-6e91074206e2",
        "given_id": "https://cantons.example/permits/2026/88",
        "type": "OperatingPermit",
        "issuer": "did:web:cantons.example",
        "issued": "2026-01-15T08:00:00Z",
        "expires": "2027-01-14T23:59:59Z",
        "subject": f"did:sov:{GUILD}",
        "claims": {"permit": "88", "area": "Hartwick ridge, north and south", "maxGroup": 8},
    },
    {
        "id": "30f47f35-d038-4cfb-8add-40e92c34bf1c",
        "given_id": "https://insurers.example/policies/HW-2231",
        "type": "LiabilityInsurance",
        "issuer": "did:web:insurers.example",
        "issued": "2026-03-01T10:30:00Z",
        "expires": "2027-02-28T23:59:59Z",
        "subject": f"did:sov:{GUILD}",
        "claims": {"policy": "HW-2231", "sum": "5000000 CHF", "covers": "guided tours"},
    },
)

E1 = "63783933-d5f0-4510-bf6a-f8af81df6383"
E2 = "1e07ea63-524c-498f-94dc-77a72ed0d50a"
E3 = "42a68fec-c75a-43c4-8d0d-866b16519537"
E4 = "39c0d032-3479-4347-b83b-ea5c88b224f0"


def _issued(
    identifier: str, connection: str, thread: str, state: str, error: str = ""
) -> dict[str, str]:
    about = {"cred_ex_id": identifier, "connection_id": connection, "thread_id": thread}
    about |= {"initiator": "self", "role": "issuer", "state": state}
    return about | ({"error_msg": error} if error else {})


ISSUED = (  # the exchange, its comment, the claims
    (
        _issued(E1, VOS, "d86bb32f-14b9-4257-9266-ef64311275fc", "done"),
        "Licence of 2026 for Hanneke",
        (("name", "Hanneke Vos"), ("grade", "ski guide"), ("valid_until", "2026-12-31")),
    ),
    (
        _issued(E2, OKAFOR, "e6b1e07c-8f62-4cd6-b27d-b193333bd939", "credential-revoked"),
        "Licence of 2026 for Chidi",
        (("name", "Chidi Okafor"), ("grade", "rock guide"), ("valid_until", "2026-12-31")),
    ),
    (
        _issued(E3, VOS, "89eb3061-b44a-424c-9866-f05870093d3e", "offer-sent"),
        "Avalanche course, November",
        (("name", "Hanneke Vos"), ("course", "avalanche II"), ("hours", "24")),
    ),
    (
        _issued(
            E4,
            OKAFOR,
            "cd28d864-d6e8-4c6a-998f-69a0138851b0",
            "abandoned",
            "issuance-abandoned: the holder declined",
        ),
        "Avalanche course, October",
        (("name", "Chidi Okafor"), ("course", "avalanche I"), ("hours", "16")),
    ),
)

P1 = "36480de2-bd5c-4366-b517-da60fb69e070"
P2 = "1677cffc-d988-47c6-9431-3a3bbe3e00fc"
P3 = "d3cdfaf7-7613-48c0-93af-0473184cf29a"


def _proof(
    identifier: str, connection: str, state: str, role: str, verified: str = ""
) -> dict[str, str]:
    about = {"pres_ex_id": identifier, "connection_id": connection, "thread_id": identifier}
    about |= {"initiator": "self" if role == "verifier" else "external", "role": role}
    return about | {"state": state} | ({"verified": verified} if verified else {})


PROOFS = (  # the exchange, its comment
    (_proof(P1, VOS, "done", "verifier", "true"), "Show that you are a ski guide"),
    (_proof(P2, OKAFOR, "request-sent", "verifier"), "First aid, not older than two years"),
    (_proof(P3, HUT, "presentation-sent", "prover"), "Insurance of the guild"),
)

M1 = "c8c0817c-c814-4b98-aab7-658c144f0b6a"
M2 = "459ccb82-1b42-4c79-b926-a2d089b8a6a0"
M3 = "eb7361e9-c6df-4a56-a087-9a1471dbadab"
DEFAULT_MEDIATOR = M1
MEDIATIONS = (
    {
        "mediation_id": M1,
        "connection_id": HELICOPTER,
        "state": "granted",
        "role": "client",
        "endpoint": "http://relay.rescue.example:9100",
        "routing_keys": ["5m8rdRkwPgQGF1fMbQMgSMjyiijaq8vWdg2sm9WHa6fA"],
    },
    {"mediation_id": M2, "connection_id": VOS, "state": "granted", "role": "server"},
    {"mediation_id": M3, "connection_id": OKAFOR, "state": "denied", "role": "server"},
)
ROUTES = (
    {
        "record_id": "59f63b7e-1f19-40d9-b9a5-a4fb8d53694c",
        "role": "server",
        "connection_id": VOS,
        "recipient_key": "7WrHju7uPp3DBVSjCDGFjGq46CcQhgjxykxEFgPFyhPy",
    },
    {
        "record_id": "d4041791-0e6f-41c9-879b-e8e7efd59629",
        "role": "client",
        "connection_id": HELICOPTER,
        "recipient_key": "3qhCyMmVq6CszBoT9NoX5QH8fUEXak3pSkYFpU5o5hJU",
    },
)

REGISTRY = f"{GUILD}:4:{LICENCE}:CL_ACCUM:spring"
FULL_REGISTRY = f"{GUILD}:4:{LICENCE}:CL_ACCUM:winter"


def _registry(identifier: str, record: str, state: str, tag: str, size: int) -> dict[str, object]:
    return {
        "record_id": record,
        "revoc_reg_id": identifier,
        "cred_def_id": LICENCE,
        "issuer_did": GUILD,
        "state": state,
        "tag": tag,
        "max_cred_num": size,
        "revoc_def_type": "CL_ACCUM",
        "tails_public_uri": f"http://tails.guild.example/{tag}",
        "pending_pub": ["2"] if tag == "spring" else [],
    }


REGISTRIES = (
    _registry(REGISTRY, "67714350-f959-467c-8592-cfc6d7d5c4a9", "active", "spring", 64),
    _registry(FULL_REGISTRY, "9b0814f4-f224-4518-951f-d49dc045596e", "full", "winter", 8),
)


def _revocable(record: str, exchange: str, number: str, state: str) -> dict[str, str]:
    return {
        "record_id": record,
        "cred_ex_id": exchange,
        "rev_reg_id": REGISTRY,
        "cred_rev_id": number,
        "cred_ex_version": "2",
        "state": state,
    }


REVOCABLE = (
    _revocable("929a10e5-381a-4120-bf70-2a7e87ed8c02", E1, "1", "issued"),
    _revocable("236a7113-bcf7-4d50-a713-ac5978e7ec8c", E2, "2", "revoked"),
)

TRANSACTIONS = (
    {
        "transaction_id": "03465de3-6263-41bb-8dc9-8766c4bd1f80",
        "connection_id": HELICOPTER,
        "comment": "schema of the hut wardens",
        "state": "request_sent",
        "thread_id": "03465de3-6263-41bb-8dc9-8766c4bd1f80",
    },
    {
        "transaction_id": "0d5f1c83-08fc-4db7-bc1d-e21ff27e7761",
        "connection_id": HELICOPTER,
        "comment": "licence of 2026",
        "state": "transaction_acked",
        "thread_id": "0d5f1c83-08fc-4db7-bc1d-e21ff27e7761",
    },
)
DISCOVERED = (  # record, connection, what we asked, what was told
    (
        "beef28e4-0a19-4eac-a1e9-9e647eed8e76",
        HUT,
        "https://didcomm.org/basicmessage/*",
        ("https://didcomm.org/basicmessage/1.0",),
    ),
    (
        "6ecc5cb6-fd42-4bf8-8299-ac8f5ba9468b",
        HELICOPTER,
        "https://didcomm.org/present-proof/*",
        ("https://didcomm.org/present-proof/1.0", "https://didcomm.org/present-proof/2.0"),
    ),
)
