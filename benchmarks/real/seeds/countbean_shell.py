"""Run by Countbean's own Python: the books of a joiner's workshop, with a history."""

import os
from pathlib import Path

from countbean_mcp.ledger import Ledger

ACCOUNTS = """2026-01-01 open Assets:Bank:Current EUR
2026-01-01 open Assets:Bank:Savings EUR
2026-01-01 open Assets:Cash EUR
2026-01-01 open Assets:Receivable EUR
2026-01-01 open Liabilities:CreditCard EUR
2026-01-01 open Liabilities:VanLoan EUR
2026-01-01 open Income:Furniture EUR
2026-01-01 open Income:Repairs EUR
2026-01-01 open Income:Courses EUR
2026-01-01 open Expenses:Rent EUR
2026-01-01 open Expenses:Timber EUR
2026-01-01 open Expenses:Hardware EUR
2026-01-01 open Expenses:Tools EUR
2026-01-01 open Expenses:Insurance EUR
2026-01-01 open Expenses:Phone EUR
2026-01-01 open Expenses:Van:Fuel EUR
2026-01-01 open Expenses:Van:Service EUR
2026-01-01 open Expenses:Meals EUR
"""
OPENING = """2026-01-01 * "Opening balances"
  Assets:Bank:Current      6400.00 EUR
  Assets:Bank:Savings     12000.00 EUR
  Assets:Cash               150.00 EUR
  Liabilities:VanLoan     -8000.00 EUR
  Equity:Opening-Balances
"""
# day, payee, what, from, to, amount
ROWS: dict[str, list[tuple[str, str, str, str, str, str]]] = {
    "07": [
        ("01", "Quay Estates", "Workshop rent", "Bank:Current", "Rent", "780.00"),
        ("03", "Nordholz Sawmill", "Oak boards", "Bank:Current", "Timber", "1240.50"),
        ("09", "Brass & Hinge", "Hinges, 40", "CreditCard", "Hardware", "96.40"),
        ("14", "Miriam Okafor", "Dining table", "Furniture", "Bank:Current", "2900.00"),
        ("20", "Harbour Fuel", "Diesel", "CreditCard", "Van:Fuel", "71.30"),
        ("28", "Telvia", "Phone and internet", "Bank:Current", "Phone", "42.90"),
    ],
    "08": [
        ("01", "Quay Estates", "Workshop rent", "Bank:Current", "Rent", "780.00"),
        ("06", "Lighthouse Yard", "Bar stools, 6", "Furniture", "Bank:Current", "1680.00"),
        ("11", "Sharp Edge", "Japanese saw", "CreditCard", "Tools", "118.00"),
        ("18", "Harbour Fuel", "Diesel", "CreditCard", "Van:Fuel", "64.15"),
        ("22", "Aron Lindqvist", "Chair repaired", "Repairs", "Cash", "140.00"),
        ("28", "Telvia", "Phone and internet", "Bank:Current", "Phone", "42.90"),
    ],
    "09": [
        ("01", "Quay Estates", "Workshop rent", "Bank:Current", "Rent", "780.00"),
        ("04", "Nordholz Sawmill", "Ash and larch", "Bank:Current", "Timber", "890.00"),
        ("12", "Evening course", "Dovetails, 8 people", "Courses", "Bank:Current", "720.00"),
        ("15", "Safeharbour", "Liability insurance", "Bank:Current", "Insurance", "365.00"),
        ("19", "Varga Garage", "Brakes of the van", "Bank:Current", "Van:Service", "488.20"),
        ("28", "Telvia", "Phone and internet", "Bank:Current", "Phone", "42.90"),
    ],
    "10": [
        ("01", "Quay Estates", "Workshop rent", "Bank:Current", "Rent", "810.00"),
        ("05", "Town library", "Shelves, first half", "Furniture", "Bank:Current", "3100.00"),
        ("07", "Nordholz Sawmill", "Beech boards", "Bank:Current", "Timber", "1515.75"),
        ("13", "Brass & Hinge", "Shelf pins", "CreditCard", "Hardware", "58.00"),
        ("17", "Harbour Fuel", "Diesel", "CreditCard", "Van:Fuel", "69.95"),
        ("24", "Cafe Mole", "Lunch with the library", "Cash", "Meals", "37.60"),
        ("28", "Telvia", "Phone and internet", "Bank:Current", "Phone", "42.90"),
    ],
    "11": [
        ("01", "Quay Estates", "Workshop rent", "Bank:Current", "Rent", "810.00"),
        ("06", "Ilona Varga", "Sideboard repaired", "Repairs", "Bank:Current", "260.00"),
        ("10", "Town library", "Shelves, second half", "Furniture", "Receivable", "3100.00"),
        ("12", "Sharp Edge", "Band saw blades", "CreditCard", "Tools", "84.50"),
    ],
}
KINDS = {
    "Bank:Current": "Assets",
    "Cash": "Assets",
    "Receivable": "Assets",
    "CreditCard": "Liabilities",
    "Furniture": "Income",
    "Repairs": "Income",
    "Courses": "Income",
}
LOAN = """2026-{month}-15 * "Coast Bank" "Van loan, instalment"
  Liabilities:VanLoan      250.00 EUR
  Assets:Bank:Current     -250.00 EUR
"""


def _entry(month: str, row: tuple[str, str, str, str, str, str]) -> str:
    day, payee, what, source, target, amount = row
    postings = [
        f"  {KINDS.get(target, 'Expenses')}:{target}  {amount} EUR",
        f"  {KINDS.get(source, 'Expenses')}:{source}  -{amount} EUR",
    ]
    return "\n".join([f'2026-{month}-{day} * "{payee}" "{what}"', *postings, ""])


def _dated(day: str) -> None:
    """Of the next commit, so that its name is the same everywhere."""
    for who in ("AUTHOR", "COMMITTER"):
        os.environ[f"GIT_{who}_DATE"] = f"{day}T18:00:00+00:00"


def _fill(ledger: Ledger) -> None:
    _dated("2026-06-30")
    ledger.init("Tern Joinery", "EUR")
    ledger.add_directives(ACCOUNTS, "Accounts of the workshop")
    ledger.add_directives(OPENING, "Opening balances")
    for month, rows in ROWS.items():
        _dated(f"2026-{month}-{'20' if month == '11' else '30'}")
        entries = [_entry(month, row) for row in rows]
        ledger.add_directives("\n".join([*entries, LOAN.format(month=month)]), f"Month {month}")


if __name__ == "__main__":
    _fill(Ledger(Path(os.environ["COUNTBEAN_BOOK"])))
