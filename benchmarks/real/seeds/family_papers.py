"""A family's research project, and another family's tree with mistakes in it, as GEDCOM."""

from collections.abc import Mapping
from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]

_PEOPLE = """
I1|Emil|Brennecke|M|1902-03-17|Lutsk|1979-11-02|Bremen|S1
I2|Gustav|Brennecke|M|1871|Rozyszcze|1938|Lutsk|S2
I3|Pauline|Jeske|F|1876-08-30|Rozyszcze|1944||
I4|Wanda|Kowalska|F|1906-05-12|Kielce|1991-01-20|Bremen|S3
I5|Otto|Brennecke|M|1929-10-04|Lutsk|||S4
I6|August|Brennecke|M|ABT 1840||BEF 1900||
I7|Rosalie|Lange|F|ABT 1846||||
I8|Martha|Brennecke|F|1898-12-01|Rozyszcze|1920||S2
"""
_FAMILIES = """
F1|I2 I3|I1 I8|1897-02-09|S2
F2|I1 I4|I5|1928-06-24|S3
F3|I6 I7|I2||
"""
_SOURCES = """
S1|Baptisms of Lutsk Lutheran parish, 1902|parish_register|\
State Archive Volhynia, fond 35, opis 9, delo 118, folio 41
S2|Marriages of Rozyszcze, 1897|parish_register|State Archive Volhynia, fond 35, opis 9, delo 77
S3|Marriage certificate Brennecke - Kowalska|civil_record|Family folder, envelope 2
S4|Passport of Otto Brennecke, 1951|family_document|
"""
_LEADS = """
L1|Where was August Brennecke born?|I6|Read the revision list of 1858 for Rozyszcze|open
L2|What became of Pauline after 1940?|I3|Ask the Arolsen archive for a resettlement file|active
L3|Did Martha die of typhus?|I8|waiting for owner: letter of aunt Irma|waiting_owner
"""
_LOG = """
2026-08-02|FamilySearch index, Brennecke, Volhynia 1860-1880|nothing found
2026-09-13|Geneteka, Kowalska Wanda, Kielce 1906|found, act 212
2026-10-29|Odessa3 transcripts, St. Petersburg duplicates 1871|no Gustav, but a Karl Brennecke
"""
_READ = """
church of Rozyszcze|1869|births|100456|1-88|complete|
church of Rozyszcze|1870|births|100456|89-170|complete|
church of Rozyszcze|1871|births|100457|1-40|partial|No. 45
church of Rozyszcze|1897|marriages|100502|12-60|complete|
church of Lutsk|1902|births|100611|30-75|complete|
church of Lutsk|1903|deaths|100612||not_found|
"""
TREE = """0 HEAD
1 SOUR Anybody
1 GEDC
2 VERS 5.5.1
2 FORM LINEAGE-LINKED
1 CHAR UTF-8
0 @I1@ INDI
1 NAME Thomas /Whitcombe/
1 SEX M
1 BIRT
2 DATE 4 MAY 1801
2 PLAC Bideford, Devon
1 DEAT
2 DATE 19 JAN 1799
1 FAMS @F1@
0 @I2@ INDI
1 NAME Hannah /Pyke/
1 SEX F
1 BIRT
2 DATE 1805
1 DEAT
2 DATE 1830
1 FAMS @F1@
0 @I3@ INDI
1 NAME John /Whitcombe/
1 SEX M
1 BIRT
2 DATE 12 OCT 1833
2 PLAC Bideford, Devon
1 FAMC @F1@
1 FAMS @F2@
0 @I4@ INDI
1 NAME John /Whitcombe/
1 SEX M
1 BIRT
2 DATE OCT 1833
2 PLAC Bideford
0 @I5@ INDI
1 NAME Alice /Dymond/
1 SEX F
1 BIRT
2 DATE 1846
1 FAMS @F2@
0 @I6@ INDI
1 NAME Grace /Whitcombe/
1 SEX F
1 BIRT
2 DATE 1858
1 FAMC @F2@
0 @F1@ FAM
1 HUSB @I1@
1 WIFE @I2@
1 CHIL @I3@
1 MARR
2 DATE 1829
0 @F2@ FAM
1 HUSB @I3@
1 WIFE @I5@
1 CHIL @I6@
1 MARR
2 DATE 1857
0 TRLR
"""
"""Thomas died before he was born, John was born after his mother's death and stands there twice,
Alice bore at 12."""


def project() -> Mapping[str, Any]:
    """The research project, as the server keeps it."""
    return {
        "title": "Brennecke",
        "created": "2026-07-30",
        "root_person_id": "I1",
        "people": [_person(*row) for row in _rows(_PEOPLE)],
        "families": [_family(*row) for row in _rows(_FAMILIES)],
        "sources": [_named("id title kind locator", row) for row in _rows(_SOURCES)],
        "research_leads": [_lead(row) for row in _rows(_LEADS)],
        "research_log": [_named("date action result", row) for row in _rows(_LOG)],
        "corrections": [],
        "coverage": [_read(row) for row in _rows(_READ)],
    }


def _person(
    name: str,
    given: str,
    surname: str,
    sex: str,
    born: str,
    at: str,
    died: str,
    there: str,
    of: str,
) -> Record:
    told = [of] if of else []
    birth = _given({"date": born, "place_as_recorded": at, "source_ids": told})
    death = _given({"date": died, "place_as_recorded": there})
    person = {
        "id": name,
        "given_names": given,
        "surname": surname,
        "display_name": f"{given} {surname}",
        "sex": sex,
        "birth": birth,
        "death": death,
        "source_ids": told,
    }
    return _given(person)


def _family(name: str, partners: str, children: str, day: str, source: str) -> Record:
    told = [source] if source else []
    marriage = _given({"date": day, "source_ids": told if day else []})
    family = {"id": name, "partners": partners.split(), "children": children.split()}
    return family | _given({"marriage": marriage, "source_ids": told})


def _lead(row: list[str]) -> Record:
    lead = _named("id title person_id next status", row)
    waits = {"blocked_by": "letter of aunt Irma"} if lead["status"] == "waiting_owner" else {}
    return lead | {"checked": None, "stage": "primary_records"} | waits


def _read(row: list[str]) -> Record:
    entry = _named("parish year part film frames status up_to", row)
    return entry | {"year": int(entry["year"]), "date": "2026-11-01"}


def _named(fields: str, row: list[str]) -> Record:
    return _given(dict(zip(fields.split(), row, strict=True)))


def _given(record: Record) -> Record:
    return {name: value for name, value in record.items() if value}


def _rows(table: str) -> list[list[str]]:
    return [line.split("|") for line in table.strip().splitlines()]
