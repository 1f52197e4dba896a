"""LNbits: wallets and payments, on its funding source for tests, which moves no money."""

from pathlib import Path

from seeds.tokens import signed
from service import Place, Service, Wheels

PORT = 18607
RUTH = "5b1d0c7e9a3f4e2b8c6d7f8091a2b3c4"
KEY = "0f1e2d3c4b5a49788796a5b4c3d2e1f0"
SIGNING = "of-a-benchmark-on-loopback-that-holds-invented-data"
END_OF_2035 = 2_082_758_399


def token() -> str:
    """What logging in as ruth would answer, valid until the end of 2035."""
    claims = {"sub": "ruth", "usr": RUTH, "auth_time": 1_790_841_600, "exp": END_OF_2035}
    return signed(SIGNING, claims)


def _environment(place: Place) -> dict[str, str]:
    return {
        "LNBITS_DATA_FOLDER": str(place.data),
        "LNBITS_EXTENSIONS_PATH": str(place.data),
        "LNBITS_BACKEND_WALLET_CLASS": "FakeWallet",
        "LNBITS_ADMIN_UI": "false",
        "LNBITS_EXTENSIONS_MANIFESTS": "[]",
        "LNBITS_SITE_TITLE": "Fjordside till",
        "AUTH_SECRET_KEY": SIGNING,
        "SUPER_USER": RUTH,
        "SEED_RUTH": RUTH,
        "SEED_KEY": KEY,
        "LNBITS_DISABLE_TELEMETRY": "true",
    }


def _prepare(place: Place) -> None:
    SERVICE.seeded(place, "lnbits_rows.py")


def _command(place: Place) -> list[str]:
    return [place.program("lnbits"), "--host", "127.0.0.1", "--port", str(place.port)]


def _cwd(place: Place) -> Path:
    """It looks for its own pages below the folder it is started in."""
    return place.site


SERVICE = Service(
    name="lnbits",
    part="develop",
    install=Wheels("lnbits"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    cwd=_cwd,
    environment=_environment,
    ready="/api/v1/health",
    document="/openapi.json",
    credential=token(),
    header="Authorization: Bearer",
    scheme_credentials={"APIKEYHEADER": KEY, "APIKEYQUERY": KEY},
)
