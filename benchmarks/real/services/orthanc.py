"""Orthanc: X-rays, scans and their reports in a small clinic; seeded through its own API."""

from seeds import orthanc_document
from seeds.orthanc_rows import SETTINGS, seed
from service import DebianPackages, Place, Service

PORT = 8712
DOCUMENT = "openapi.json"


def _prepare(place: Place) -> None:
    place.written("orthanc.json", SETTINGS.format(port=place.port, data=place.data))
    orthanc_document.write(place, place.program("usr/sbin/Orthanc"), _environment(place), DOCUMENT)


def _environment(place: Place) -> dict[str, str]:
    libraries = [place.home / folder / "x86_64-linux-gnu" for folder in ("usr/lib", "lib")]
    return {
        "LD_LIBRARY_PATH": ":".join(map(str, libraries)),
        "DCMDICTPATH": str(place.home / "usr/share/libdcmtk17/dicom.dic"),
        "TZ": "UTC",
    }


SERVICE = Service(
    name="orthanc",
    part="develop_f",
    install=DebianPackages(
        "orthanc",
        (
            "orthanc=1.10.1+dfsg-2+deb12u1",
            "libcivetweb1",
            "libpugixml1v5",
            "libdcmtk17",
            "libwrap0",
            "liblua5.3-0",
            "libjsoncpp25",
            "libicu72",
            "libboost-filesystem1.74.0",
            "libboost-iostreams1.74.0",
            "libboost-locale1.74.0",
            "libboost-regex1.74.0",
            "libboost-thread1.74.0",
        ),
    ),
    port=PORT,
    prepare=_prepare,
    command=lambda place: [place.program("usr/sbin/Orthanc"), str(place.data / "orthanc.json")],
    environment=_environment,
    ready="/system",
    document=DOCUMENT,
    seed=seed,
)
