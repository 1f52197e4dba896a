"""What the clinic on the quay has pictured: invented people, pictures of a few grey squares."""

import base64
import hashlib
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import httpx

SETTINGS = """{{
  "Name": "Quay Street Imaging",
  "HttpPort": {port},
  "RemoteAccessAllowed": false,
  "DicomServerEnabled": false,
  "DicomAet": "QUAYPACS",
  "StorageDirectory": "{data}/db",
  "IndexDirectory": "{data}/db",
  "MaximumPatientCount": 500,
  "Plugins": [],
  "DicomModalities": {{
    "ct-room-2": ["CTROOM2", "127.0.0.1", 11112],
    "mr-suite": ["MRSUITE", "127.0.0.1", 11113],
    "reading-desk": {{"AET": "DESK1", "Host": "127.0.0.1", "Port": 11114, "AllowStore": false}}
  }},
  "OrthancPeers": {{
    "harbour-hospital": ["http://127.0.0.1:9/", "quay", "unused"],
    "archive-north": ["http://127.0.0.1:9/north/"]
  }},
  "UserMetadata": {{"ReadBy": 1024, "Urgency": 1025}},
  "UserContentType": {{"dictation": 1024}}
}}
"""
ROOT = "1.2.826.0.1.3680043.8.498.2026"
CT, MR, US = ("1.2.840.10008.5.1.4.1.1." + each for each in ("2", "4", "6.1"))
CR, MG = ("1.2.840.10008.5.1.4.1.1." + each for each in ("1", "1.2"))
PATIENTS = {
    "QS-1041": ("Okafor^Miriam", "19710412", "F"),
    "QS-1042": ("Lindqvist^Aron", "19580923", "M"),
    "QS-1043": ("Moreau^Celine", "19900105", "F"),
    "QS-1044": ("Tanaka^Hiro", "20120730", "M"),
    "QS-1045": ("Varga^Ilona", "19490317", "F"),
}
# accession number: (patient, day, time, what, who referred, series)
# series: (modality, kind, what, part of the body, how many pictures)
STUDIES: dict[str, tuple[str, str, str, str, str, list[tuple[str, str, str, str, int]]]] = {
    "A26-0911": (
        "QS-1041",
        "20260914",
        "093000",
        "CT thorax",
        "Brandt^Eva",
        [("CT", CT, "Scout", "CHEST", 1), ("CT", CT, "Thorax 5 mm", "CHEST", 6)],
    ),
    "A26-1077": (
        "QS-1041",
        "20261019",
        "101500",
        "CT thorax follow-up",
        "Brandt^Eva",
        [("CT", CT, "Thorax 5 mm", "CHEST", 6)],
    ),
    "A26-0988": (
        "QS-1042",
        "20261002",
        "140500",
        "MR knee left",
        "Amsel^Jonas",
        [("MR", MR, "PD sagittal", "KNEE", 5), ("MR", MR, "T2 coronal", "KNEE", 4)],
    ),
    "A26-1003": (
        "QS-1043",
        "20261005",
        "082000",
        "Ultrasound abdomen",
        "Brandt^Eva",
        [("US", US, "Abdomen", "ABDOMEN", 3)],
    ),
    "A26-1010": (
        "QS-1044",
        "20261006",
        "164500",
        "X-ray left hand",
        "Nwosu^Peter",
        [("CR", CR, "PA", "HAND", 1), ("CR", CR, "Oblique", "HAND", 1)],
    ),
    "A26-1021": (
        "QS-1045",
        "20261007",
        "111000",
        "Mammography screening",
        "Amsel^Jonas",
        [("MG", MG, "R CC", "BREAST", 1), ("MG", MG, "L CC", "BREAST", 1)],
    ),
    "A26-1090": (
        "QS-1045",
        "20261021",
        "090500",
        "X-ray chest",
        "Nwosu^Peter",
        [("CR", CR, "PA", "CHEST", 1)],
    ),
}
REPORT = "A26-1090"
"""Of this study there is a written report, as a PDF in a series of its own."""
METADATA = {
    "A26-0911": {"ReadBy": "Dr Salome Witt", "Urgency": "routine"},
    "A26-1077": {"ReadBy": "Dr Salome Witt", "Urgency": "within two days"},
    "A26-1010": {"ReadBy": "Dr Ines Aalto", "Urgency": "same day"},
}
DICTATION = ("A26-0988", "Small effusion. Menisci intact. No fracture.")
PROTECTED = "QS-1044"


def seed(client: httpx.Client) -> None:
    """Store all, then what is said of them."""
    for number, study in STUDIES.items():
        for tags, content in _pictures(number, *study):
            _post(client, "/tools/create-dicom", {"Tags": tags, "Content": content, "Force": True})
    for number, said in METADATA.items():
        for name, value in said.items():
            _put(client, f"/studies/{_study(number)}/metadata/{name}", value)
    number, text = DICTATION
    _put(client, f"/studies/{_study(number)}/attachments/dictation", text)
    _put(client, f"/patients/{_hashed(PROTECTED)}/protected", "1")
    waits = {"Synchronous": False, "Priority": 5}
    _post(client, f"/studies/{_study('A26-0911')}/archive", waits)


def _pictures(
    number: str,
    patient: str,
    day: str,
    time: str,
    what: str,
    referred: str,
    series: list[tuple[str, str, str, str, int]],
) -> Iterator[tuple[dict[str, str], str]]:
    """The tags of each picture, and the picture."""
    name, born, sex = PATIENTS[patient]
    common = {
        "PatientID": patient,
        "PatientName": name,
        "PatientBirthDate": born,
        "PatientSex": sex,
        "StudyInstanceUID": _uid(number),
        "StudyID": number.rpartition("-")[2],
        "AccessionNumber": number,
        "StudyDate": day,
        "StudyTime": time,
        "StudyDescription": what,
        "ReferringPhysicianName": referred,
        "InstitutionName": "Quay Street Imaging",
    }
    for place, (modality, kind, seen, part, pictures) in enumerate(series, 1):
        of_series = {
            "SeriesInstanceUID": _uid(number, place),
            "SeriesNumber": str(place),
            "SeriesDescription": seen,
            "Modality": modality,
            "SOPClassUID": kind,
            "BodyPartExamined": part,
            "SeriesDate": day,
        }
        for picture in range(1, pictures + 1):
            tags = common | of_series | _of_picture(number, place, picture)
            if modality in ("CT", "MR"):
                tags |= _position(picture)
            yield tags, f"data:image/png;base64,{_png(picture)}"
    if number == REPORT:
        of_report = {
            "SeriesInstanceUID": _uid(number, 9),
            "SeriesNumber": "9",
            "SeriesDescription": "Report",
            "Modality": "OT",
        }
        tags = common | of_report | _of_picture(number, 9, 1)
        yield tags, f"data:application/pdf;base64,{base64.b64encode(PDF).decode()}"


def _of_picture(number: str, place: int, picture: int) -> dict[str, str]:
    return {"SOPInstanceUID": _uid(number, place, picture), "InstanceNumber": str(picture)}


def _position(picture: int) -> dict[str, str]:
    return {
        "ImageOrientationPatient": "1\\0\\0\\0\\1\\0",
        "ImagePositionPatient": f"0\\0\\{5 * picture}",
        "SliceThickness": "5",
        "PixelSpacing": "0.7\\0.7",
    }


def _uid(number: str, *steps: int) -> str:
    return ".".join([ROOT, number.rpartition("-")[2].lstrip("0"), *map(str, steps)])


def _study(number: str) -> str:
    return _hashed(f"{STUDIES[number][0]}|{_uid(number)}")


def _hashed(name: str) -> str:
    """Orthanc's own id of what DICOM calls so."""
    digest = hashlib.sha1(name.encode()).hexdigest()
    return "-".join(digest[start : start + 8] for start in range(0, 40, 8))


def _png(picture: int) -> str:
    """Sixteen by sixteen greys."""
    rows = b"".join(b"\0" + bytes((x * y * picture) % 256 for x in range(16)) for y in range(1, 17))
    header = struct.pack(">IIBBBBB", 16, 16, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    made = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + made).decode()


def _post(client: httpx.Client, path: str, body: dict[str, Any]) -> None:
    client.post(path, json=body).raise_for_status()


def _put(client: httpx.Client, path: str, text: str) -> None:
    client.put(path, content=text).raise_for_status()


PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R
/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 62>>stream
BT /F1 12 Tf 10 50 Td (Lungs clear. Heart not enlarged.) Tj ET
endstream endobj
trailer<</Root 1 0 R>>
%%EOF
"""
