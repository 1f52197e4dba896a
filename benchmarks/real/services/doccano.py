"""doccano: texts and pictures that people label; its own shell makes the data."""

from service import HERE, Place, Service, Wheels

PORT = 18711
TOKEN = "3c9e5a7f1b2d4860a1c3e5f708192a3b4c5d6e7f"
USER = "mira:doccano-test-password"
SETTINGS = """from config.settings.production import *  # noqa
# Its document says that it takes user and password; its own settings leave that out.
REST_FRAMEWORK["DEFAULT_AUTHENTICATION_CLASSES"] += (
    "rest_framework.authentication.BasicAuthentication",
)
DJANGO_DRF_FILEPOND_UPLOAD_TMP = "{data}/uploads"
# The hashing of passwords is slow on purpose, and it is done for every request.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""


def _prepare(place: Place) -> None:
    place.written("doccano_conf.py", SETTINGS.format(data=place.data))
    (place.data / "media").mkdir()
    _manage(place, "migrate", "--verbosity=0")
    _manage(place, "create_roles")
    _manage(place, "shell", "--command", (HERE / "seeds" / "doccano_shell.py").read_text())


def _manage(place: Place, *arguments: str) -> None:
    manage = str(place.site / "backend" / "manage.py")
    SERVICE.run(place, place.program("python"), manage, *arguments)


def _environment(place: Place) -> dict[str, str]:
    return {
        "PYTHONPATH": f"{place.data}:{place.site / 'backend'}",
        "DJANGO_SETTINGS_MODULE": "doccano_conf",
        "DATABASE_URL": f"sqlite:///{place.data}/db.sqlite3",
        "MEDIA_ROOT": str(place.data / "media"),
        "STANDALONE": "True",
        "SEED_PASSWORD": USER.partition(":")[2],
        "SEED_TOKEN": TOKEN,
    }


def _command(place: Place) -> list[str]:
    address = f"127.0.0.1:{place.port}"
    return [place.program("gunicorn"), "--bind", address, "--threads", "4", "config.wsgi"]


SERVICE = Service(
    name="doccano",
    part="develop_b",
    install=Wheels("doccano"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=_environment,
    ready="/swagger/",
    document="/swagger/",
    credential=TOKEN,
    header="Authorization: Token",
    scheme_credentials={"BASIC": USER},
)
