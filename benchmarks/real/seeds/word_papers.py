"""Run by the Word server's own Python: the papers of a housing cooperative, into a folder.

python word_papers.py FOLDER
"""

import datetime
import sys
from pathlib import Path
from typing import Any

from docx import Document

FOLDER = Path(sys.argv[1])
MOMENT = datetime.datetime(2026, 10, 9, 9, 30)

STATUTES = """
# Statutes of the Lindenhof cooperative
## 1 Name and seat
The cooperative bears the name Lindenhof and has its seat in Rosenheim.
## 2 Members
Whoever rents a flat of the cooperative is a member.
A member may leave with a notice of three months to the end of a quarter.
## 3 Shares
Each member holds shares worth 1,200 euros for every room.
Shares bear no interest.
## 4 General meeting
The general meeting takes place each year in March.
It is quorate when a third of the members is present.
## 5 Board
The board has five members and is elected for two years.
"""
MINUTES = """
# Minutes of the board, 8 October 2026
## Present
Ayla Demirel (chair), Konrad Huber, Mirjam Stein, Paulo Nunes. Excused: Britta Lang.
## Heating
The boiler in Rosengasse 4 failed twice. The board asks three firms for offers of a heat pump.
Konrad Huber reports that the reserve holds 86,400 euros.
## Bicycle cellar
Eleven bicycles without an owner will be given away on 14 November.
## Laundry
The new laundry rota starts on 1 November.
## Next meeting
12 November 2026, 19:00, in the common room.
"""
LEASE = """
# Lease, Rosengasse 4, flat 12
## Parties
The cooperative Lindenhof, and Mr. Emil Sandoz.
## Rent
The rent is 742 euros a month, heating not included. It is due on the third working day.
## Deposit
The deposit is 1,484 euros.
## Pets
Cats are allowed. Dogs need the consent of the board.
## End
The lease ends on 30 September 2029 unless it is renewed.
"""
RULES = """
# House rules
## Quiet
It is quiet from 22:00 to 6:00, and on Sundays.
## Stairs
Prams may stand in the hall. Shoes may not.
## Waste
Glass goes to the containers in Birkenweg. Paper is collected on Thursdays.
## Barbecue
Charcoal is forbidden on balconies.
"""
REPORT = """
# Annual report 2025
## Summary
The cooperative had 64 members and 48 flats at the end of 2025.
## Money
Income was 431,200 euros, expenses were 398,750 euros.
## Repairs
The roof of Birkenweg 9 was renewed for 97,300 euros.
## Outlook
In 2026 the board plans a heat pump and a workshop.
"""
FLATS = [("Flat", "Rooms", "Square metres", "Rent"), ("11", "2", "54", "610"),
         ("12", "3", "71", "742"), ("13", "3", "69", "728"), ("14", "4", "93", "965")]  # fmt: skip
ROTA = [("Week", "Monday", "Thursday"), ("45", "Demirel", "Stein"), ("46", "Nunes", "Sandoz"),
        ("47", "Huber", "Lang")]  # fmt: skip
ACCOUNTS = [("Item", "2024", "2025"), ("Rents", "402,100", "419,800"), ("Laundry", "10,900",
            "11,400"), ("Repairs", "121,000", "188,300")]  # fmt: skip


def write(name: str, title: str, author: str, text: str, tables: Any = (), notes: Any = ()) -> None:
    """Lines with # are headings; a note is a comment on the paragraph that holds its words."""
    document = Document()
    about = document.core_properties
    about.title, about.author, about.last_modified_by = title, author, author
    about.created = about.modified = MOMENT
    about.keywords, about.comments = "Lindenhof", ""
    for line in text.strip().splitlines():
        if line.startswith("#"):
            document.add_heading(line.lstrip("# "), level=line.count("#", 0, 2) - 1 or 1)
        else:
            document.add_paragraph(line)
    for rows in tables:
        table = document.add_table(rows=len(rows), cols=len(rows[0]))
        for cells, row in zip(table.rows, rows, strict=True):
            for cell, value in zip(cells.cells, row, strict=True):
                cell.text = value
    for words, who, remark in notes:
        found = next(each for each in document.paragraphs if words in each.text)
        comment = document.add_comment(found.runs, text=remark, author=who, initials=who[:2])
        comment._comment_elm.set(
            "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}date",
            "2026-10-12T08:00:00Z",
        )
    document.save(str(FOLDER / name))


write("statutes.docx", "Statutes", "Ayla Demirel", STATUTES, notes=[
    ("three months", "Konrad Huber", "Six months would be easier for the accounts."),
    ("quorate", "Mirjam Stein", "A quarter is enough in other cooperatives."),
    ("five members", "Konrad Huber", "Could we do with three?"),
])  # fmt: skip
write("minutes-2026-10-08.docx", "Minutes", "Mirjam Stein", MINUTES, [ROTA], [
    ("86,400", "Paulo Nunes", "It was 88,100 in August."),
    ("bicycles", "Ayla Demirel", "Put a notice up first."),
])  # fmt: skip
write("lease-rosengasse-4-12.docx", "Lease", "Konrad Huber", LEASE, [FLATS])
write("house-rules.docx", "House rules", "Britta Lang", RULES)
write("annual-report-2025.docx", "Annual report 2025", "Konrad Huber", REPORT, [ACCOUNTS], [
    ("97,300", "Ayla Demirel", "Add the grant of the town."),
])  # fmt: skip
