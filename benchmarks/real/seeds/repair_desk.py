"""A firm that looks after bicycle fleets: contacts, deals, tasks, notes, stock and orders."""

import sqlite3
from pathlib import Path

_TABLES = {
    "contacts": "id name company email phone city owner tags created_at",
    "deals": "id contact_id title stage value_aed expected_close updated_at",
    "tasks": "id contact_id title due_date assignee status created_at completed_at",
    "notes": "id contact_id text author created_at",
    "inventory": "sku name qty reorder_level unit_price_aed supplier",
    "orders": "id contact_id sku qty total_aed status created_at",
}
_NUMBERS = {"value_aed": "REAL", "unit_price_aed": "REAL", "total_aed": "REAL"} | dict.fromkeys(
    ("qty", "reorder_level"), "INTEGER"
)
_ROWS = {
    "contacts": """
C-1101|Leonie Vasquez|Cobblestone Couriers|leonie@cobblestone.example|+97150311001|Dubai|hamza|\
["vip"]|2025-02-11
C-1102|Idris Okonjo|Marina Bike Share|idris@marinabikes.example|+97150311002|Dubai|sana|\
["returning"]|2025-03-04
C-1103|Petra Hallgren|Hallgren Hotels|petra@hallgren.example|+97150311003|Abu Dhabi|hamza|[]|\
2025-06-19
C-1104|Samir Doukkali|Oasis Campus|samir@oasiscampus.example|+97150311004|Sharjah|ali|["referral"]|\
2025-09-01
C-1105|Wen Jiayi|Pearl Parcel|jiayi@pearlparcel.example|+97150311005|Dubai|ali|["ads"]|2025-11-23
C-1106|Orla Fitzmaurice|Dune Tours|orla@dunetours.example|+97150311006|Al Ain|sana|[]|2026-01-15
C-1107|Mateus Brandao|Velo Verde|mateus@veloverde.example|+97150311007|Abu Dhabi|sana|\
["returning","vip"]|2026-04-02
C-1108|Rukmini Iyer|Creek Hospital|rukmini@creekhospital.example|+97150311008|Dubai|hamza|\
["referral"]|2026-07-28
""",
    "deals": """
D-2101|C-1101|Yearly care of 80 cargo bikes|negotiation|64000|2026-12-10|2026-11-20T09:00:00Z
D-2102|C-1102|Brakes for the spring fleet|proposal|27500|2027-01-31|2026-11-12T10:00:00Z
D-2103|C-1103|Guest bikes for two hotels|qualified|18900|2027-02-15|2026-11-02T08:30:00Z
D-2104|C-1104|Campus repair day|won|5200|2026-10-20|2026-10-21T12:00:00Z
D-2105|C-1105|Trailer hitches|lost|7800|2026-09-30|2026-10-01T07:45:00Z
D-2106|C-1107|Fat tyres for the desert|new|12400|2027-03-01|2026-11-24T14:00:00Z
D-2107|C-1108|Ten adapted tricycles|proposal|41000|2026-12-20|2026-11-19T11:15:00Z
""",
    "tasks": """
T-3101|C-1101|Send the revised quote|2026-11-28|hamza|open|2026-11-20T09:05:00Z|
T-3102|C-1102|Measure the brake mounts|2026-12-02|sana|open|2026-11-12T10:10:00Z|
T-3103|C-1103|Visit the hotel in Yas|2026-12-09|hamza|open|2026-11-02T08:40:00Z|
T-3104|C-1104|Collect the signed report|2026-10-25|ali|done|2026-10-20T15:00:00Z|\
2026-10-24T09:30:00Z
T-3105|C-1105|Ask why they said no|2026-11-15|ali|open|2026-10-01T07:50:00Z|
T-3106|C-1107|Order a sample of the fat tyre|2026-12-05|sana|open|2026-11-24T14:05:00Z|
T-3107|C-1108|Check the tricycles' insurance|2026-12-01|ali|open|2026-11-19T11:20:00Z|
T-3108|C-1101|Chase the September invoice|2026-11-10|hamza|done|2026-10-30T08:00:00Z|\
2026-11-09T16:45:00Z
""",
    "notes": """
N-4101|C-1101|Wants the chains waxed, not oiled.|hamza|2026-11-20T09:02:00Z
N-4102|C-1101|Pays within ten days, always.|hamza|2026-08-14T13:00:00Z
N-4103|C-1102|Keys of the depot are with the guard.|sana|2026-11-12T10:05:00Z
N-4104|C-1107|Prefers to be called after four.|sana|2026-11-24T14:02:00Z
N-4105|C-1108|Needs the offer in two languages.|hamza|2026-11-19T11:18:00Z
""",
    "inventory": """
BRK-PAD-D|Disc brake pads, pair|340|100|38|Stopwell FZE
CHN-WAX-11|Chain, waxed, 11-speed|12|40|145|Linkage Trading
TYR-FAT-26|Fat tyre 26 x 4.0|6|10|210|Roundabout LLC
TYR-CTY-28|City tyre 28 x 1.5|180|60|75|Roundabout LLC
HUB-DYN-28|Hub dynamo|23|8|395|Linkage Trading
BELL-BRS|Brass bell|95|30|29|Stopwell FZE
TRK-AXLE|Tricycle axle|0|4|620|Roundabout LLC
""",
    "orders": """
SO-5101|C-1101|CHN-WAX-11|20|2900|delivered|2026-09-03T08:00:00Z
SO-5102|C-1102|BRK-PAD-D|60|2280|shipped|2026-11-16T09:30:00Z
SO-5103|C-1104|BELL-BRS|40|1160|delivered|2026-10-12T10:00:00Z
SO-5104|C-1101|TYR-CTY-28|30|2250|confirmed|2026-11-22T12:20:00Z
SO-5105|C-1107|TYR-FAT-26|4|840|confirmed|2026-11-24T14:10:00Z
""",
}


def write(path: Path) -> None:
    """Make the firm's database."""
    connection = sqlite3.connect(path)
    for table, fields in _TABLES.items():
        names = fields.split()
        columns = ", ".join(f"{name} {_NUMBERS.get(name, 'TEXT')}" for name in names)
        connection.execute(f"CREATE TABLE {table} ({columns}, PRIMARY KEY ({names[0]}))")
        marks = ", ".join("?" * len(names))
        rows = [line.split("|") for line in _ROWS[table].strip().splitlines()]
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    connection.execute("UPDATE tasks SET completed_at = NULL WHERE completed_at = ''")
    connection.commit()
    connection.close()
