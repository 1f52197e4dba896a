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
    kind="http",
    package="orthanc (Debian)",
    version="1.10.1+dfsg-2+deb12u1",
    licence="GPL-3.0 with an exception for OpenSSL",
    make="C++, CivetWeb",
    trait="no login, refuses other hosts; its document is made by its own command and names "
    "another host; searches as POST; the same operations for patients, studies, series and "
    "instances, by ids of 44 characters; pictures and archives as answers",
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
