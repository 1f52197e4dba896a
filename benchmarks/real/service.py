"""What is said of one service, and where its files lie once it is installed."""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import httpx

HERE = Path(__file__).resolve().parent
FIXED = Path("/tmp/gretel-real")
"""Of data whose paths requests name: the same on every machine."""


Part: TypeAlias = Literal[
    "develop",
    "develop_b",
    "develop_c",
    "develop_d",
    "develop_e",
    "develop_f",
    "develop_g",
    "check",
    "report",
]
PARTS: tuple[Part, ...] = get_args(Part)
DEVELOPED = tuple(part for part in PARTS if part.startswith("develop"))
"""Parts that are developed on."""


@dataclass(frozen=True)
class Wheels:
    """A virtual environment of its own, from `pins/requirements-<pins>.txt`."""

    pins: str


@dataclass(frozen=True)
class NodePackages:
    """A folder of its own, from `pins/<pins>.package.json`."""

    pins: str
    moved: str = ""
    """A package that wants to lie in `src`, as in its own repository, with a link to it."""


@dataclass(frozen=True)
class DebianPackages:
    """Packages unpacked into a folder, `name=version` each; nothing of the system is changed."""

    name: str
    packages: tuple[str, ...]


Install: TypeAlias = Wheels | NodePackages | DebianPackages


@dataclass(frozen=True)
class Place:
    """Where one service lives below the output folder."""

    out: Path
    name: str
    install: Install
    port: int
    fixed: bool

    @property
    def home(self) -> Path:
        """The folder of what is installed."""
        match self.install:
            case Wheels(pins):
                return self.out / "venvs" / pins
            case NodePackages(pins, _):
                return self.out / "npm" / pins
            case DebianPackages(name):
                return self.out / "debian" / name

    @property
    def data(self) -> Path:
        """The service's own data folder, new at every start."""
        return (FIXED if self.fixed else self.out / "data") / self.name

    @property
    def url(self) -> str:
        """The origin."""
        return f"http://127.0.0.1:{self.port}"

    def program(self, name: str) -> str:
        """The path of an installed program."""
        match self.install:
            case Wheels():
                return str(self.home / "bin" / name)
            case NodePackages():
                return str(self.home / "node_modules" / ".bin" / name)
            case DebianPackages():
                return str(self.home / name)

    @property
    def site(self) -> Path:
        """The folder that holds the Python packages of the virtual environment."""
        return next((self.home / "lib").glob("python3.*")) / "site-packages"

    def written(self, name: str, text: str) -> Path:
        """A file of the data folder, with this text."""
        path = self.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


def nothing(_: Place) -> None:
    """Of a service that needs no files before it starts."""


def no_environment(_: Place) -> Mapping[str, str]:
    """Of a service that needs no variables."""
    return {}


def no_seed(_: httpx.Client) -> None:
    """Of a service whose data was there at its start, or that has none."""


@dataclass(frozen=True, kw_only=True)
class Service:
    """How one service is installed, seeded, started and asked; README says what it is."""

    name: str
    kind: Literal["http", "mcp"] = "http"
    part: Part
    """Of the benchmark; the services of a part are one catalogue."""
    install: Install
    command: Callable[[Place], Sequence[str]]
    prepare: Callable[[Place], None] = nothing
    """Writes files and runs the service's own commands, before it starts."""
    environment: Callable[[Place], Mapping[str, str]] = no_environment
    port: int = 0
    base: str = ""
    """The path below which the operations of the document stand."""
    ready: str = "/"
    """A path that answers 200 once the service is up."""
    document: str = ""
    """A path that the service serves, else a file below the folder of what is installed."""
    syntax: Literal["json", "yaml"] = "json"
    """Of the document."""
    document_login: str = field(default="", repr=False)
    """User and password, where the document alone wants them."""
    fixed: bool = False
    """Whether its data lies below `FIXED`."""
    seed: Callable[[httpx.Client], None] = no_seed
    """Writes data through the running service's own API."""
    credential: str = field(default="", repr=False)
    """A fixed test value."""
    header: str = ""
    """How the credential is sent while we seed: `X-API-Key` or `Authorization: Bearer`."""
    scheme_credentials: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Of schemes that take another value than `credential`, by their name in upper case."""
    cwd: Callable[[Place], Path] = lambda place: place.data

    def place(self, out: Path) -> Place:
        """Where it lives below `out`."""
        return Place(out, self.name, self.install, self.port, self.fixed)

    def variables(self, place: Place) -> dict[str, str]:
        """The whole environment: ours without what Python and GRETEL read, and its own."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "GRETEL_", "VIRTUAL_ENV"))
        }
        return {**kept, **self.own_variables(place)}

    def own_variables(self, place: Place) -> dict[str, str]:
        """Those that are its own; what it reads in its home folder lies beside its data."""
        return {"HOME": str(place.data), **self.environment(place)}

    def run(self, place: Place, *command: str) -> None:
        """One of its own commands, where and as it runs itself.

        Raises:
            SystemExit: the command failed; its last words.
        """
        done = subprocess.run(
            command,
            cwd=self.cwd(place),
            env=self.variables(place),
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise SystemExit(f"{self.name}: {(done.stdout + done.stderr)[-3000:]}")

    def seeded(self, place: Place, seed: str, *arguments: str) -> None:
        """Run a seed that needs the Python that the service is installed with."""
        self.run(place, place.program("python"), str(HERE / "seeds" / seed), *arguments)

    def headers(self) -> dict[str, str]:
        """What a request of ours sends."""
        name, _, scheme = self.header.partition(": ")
        return {name: f"{scheme} {self.credential}".strip()} if name else {}

    def credentials(self) -> dict[str, str]:
        """Where GRETEL looks for them: `sandbox/secrets/environment.py` has the rule."""
        host = f"GRETEL_CREDENTIAL_127_0_0_1_{self.port}"
        found = {host: self.credential} if self.credential else {}
        return found | {f"{host}___{name}": key for name, key in self.scheme_credentials.items()}


def emptied(folder: Path) -> None:
    """Make `folder` anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
