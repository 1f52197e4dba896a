"""Workbooks of an invented boatyard, written to the given folder."""

import datetime
import sys
from pathlib import Path

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table, TableStyleInfo

FOLDER = Path(sys.argv[1])
DAY = datetime.date
ORDERS = [
    (1001, DAY(2026, 8, 3), "Haddad Charter", "Rope 12 mm", 40, 3.2, "paid"),
    (1002, DAY(2026, 8, 5), "Solberg Fishing", "Anchor 15 kg", 2, 118.0, "paid"),
    (1003, DAY(2026, 8, 11), "Haddad Charter", "Fender", 12, 21.5, "open"),
    (1004, DAY(2026, 8, 19), "Quist & Daughters", "Varnish 5 l", 6, 74.9, "paid"),
    (1005, DAY(2026, 9, 2), "Solberg Fishing", "Rope 12 mm", 100, 3.1, "open"),
    (1006, DAY(2026, 9, 8), "Ekvik Sailing Club", "Life jacket", 25, 49.0, "overdue"),
    (1007, DAY(2026, 9, 21), "Quist & Daughters", "Fender", 8, 21.5, "paid"),
]
STOCK = [
    ("Rope 12 mm", 310, 200, "Shed A"),
    ("Anchor 15 kg", 4, 5, "Yard"),
    ("Fender", 57, 30, "Shed A"),
    ("Varnish 5 l", 9, 12, "Cellar"),
    ("Life jacket", 18, 20, "Shed B"),
]

book = Workbook()
orders = book.active
orders.title = "Orders"
orders.append(["Order", "Date", "Customer", "Item", "Pieces", "Price", "State", "Total"])
for number, row in enumerate(ORDERS, 2):
    orders.append([*row, f"=E{number}*F{number}"])
last = len(ORDERS) + 1
orders.add_table(
    Table(
        displayName="OrderTable",
        ref=f"A1:H{last}",
        tableStyleInfo=TableStyleInfo(name="TableStyleMedium2", showRowStripes=True),
    )
)
orders.freeze_panes = "A2"
states = DataValidation(type="list", formula1='"open,paid,overdue"', allow_blank=False)
orders.add_data_validation(states)
states.add(f"G2:G{last}")
orders["G7"].comment = Comment("Second reminder went out on 6 October.", "Bea")
stock = book.create_sheet("Stock")
stock.append(["Item", "On hand", "Reorder at", "Where"])
for row in STOCK:
    stock.append(row)
stock["F1"] = "Items to reorder"
stock["G1"] = "=SUMPRODUCT(--(B2:B6<C2:C6))"
summary = book.create_sheet("Summary")
for row in [
    ("Turnover", f"=SUM(Orders!H2:H{last})"),
    ("VAT", "=B1*VatRate"),
    ("With VAT", "=B1+B2"),
    ("Unpaid", f'=SUMIFS(Orders!H2:H{last},Orders!G2:G{last},"<>paid")'),
    ("Share unpaid", "=B4/B1"),
]:
    summary.append(row)
summary["D1"], summary["E1"] = "VAT rate", 0.25
book.defined_names["VatRate"] = DefinedName("VatRate", attr_text="Summary!$E$1")
chart = BarChart()
chart.title = "Stock on hand"
chart.add_data(Reference(stock, min_col=2, min_row=1, max_row=6), titles_from_data=True)
chart.set_categories(Reference(stock, min_col=1, min_row=2, max_row=6))
stock.add_chart(chart, "A9")
book.properties.creator = "Bea Quist"
book.properties.title = "Chandlery 2026"
book.save(FOLDER / "chandlery.xlsx")

book = Workbook()
book.remove(book.active)
for month, rows in {
    "September": [
        ("Amir", "hull", 12.5),
        ("Bea", "rigging", 30.0),
        ("Tomas", "engine", 22.0),
        ("Amir", "painting", 18.25),
    ],
    "October": [("Amir", "painting", 35.0), ("Tomas", "engine", 8.5), ("Bea", "sails", 27.0)],
}.items():
    sheet = book.create_sheet(month)
    sheet.append(["Who", "Work", "Hours"])
    for row in rows:
        sheet.append(row)
    end = len(rows) + 1
    sheet.append(["Sum", None, f"=SUM(C2:C{end})"])
rates = book.create_sheet("Rates")
for row in [("Who", "Per hour"), ("Amir", 52), ("Bea", 61), ("Tomas", 58)]:
    rates.append(row)
rates.sheet_state = "hidden"
book.properties.creator = "Tomas Lind"
book.save(FOLDER / "hours.xlsx")

(FOLDER / "archive").mkdir()
book = Workbook()
book.active.title = "Boats"
for row in [("Boat", "Year", "Owner"), ("Albatross", 1978, "Solberg"), ("Corsair", 1991, "Quist")]:
    book.active.append(row)
book.save(FOLDER / "archive" / "boats-2019.xlsx")
