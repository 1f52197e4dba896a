"""Netdata: a school's server room, from a collector of invented values, and no more."""

import getpass
import sys
import time

import httpx
from service import HERE, DebianPackages, Place, Service

PORT = 18745
OFF = (
    *("timex", "checks", "idlejitter", "tc", "diskspace", "proc", "cgroups", "statsd", "apps"),
    *("perf", "nfacct", "slabinfo", "netdata monitoring", "netdata monitoring extended"),
)
SETTINGS = """[global]
    hostname = server-room
    run as user = {user}
[directories]
    config = {data}/etc
    stock config = {data}/etc/stock
    log = {data}/log
    web = {home}/usr/share/netdata/web
    cache = {data}/cache
    lib = {data}/lib
    plugins = "{data}/plugins.d"
    home = {data}
    registry = {data}/registry
    stock health config = {data}/etc/stock/health.d
    health config = {data}/etc/health.d
[logs]
    access = none
    error = stderr
    debug = none
[db]
    mode = ram
    retention = 3600
    update every = 1
[ml]
    enabled = no
[health]
    enabled = yes
    script to execute on alarm = /bin/true
[registry]
    enabled = no
[cloud]
    enabled = no
[web]
    bind to = 127.0.0.1
    default port = {port}
    mode = static-threaded
    web server threads = 1
    enable gzip compression = no
[plugins]
    check for new plugins every = 1
"""
ALARMS = """ alarm: rack_b_hot
    on: room.temperature
lookup: average -10s unaligned of rack_b
 units: Celsius
 every: 2s
  warn: $this > 30
  crit: $this > 38
  info: rack B has been warmer than 30 degrees
    to: caretaker

 alarm: ups_2_low
    on: ups.charge
lookup: min -10s unaligned of ups_2
 units: %
 every: 2s
  warn: $this < 50
  crit: $this < 20
  info: the second power supply does not charge
    to: caretaker

 alarm: homes_full
    on: storage.homes
  calc: $used * 100 / ($used + $free)
 units: %
 every: 2s
  warn: $this > 90
  crit: $this > 95
  info: share of the pupils' folders that is used
    to: office

 alarm: grades_backup_old
    on: backup.age
lookup: max -10s unaligned of grades
 units: hours
 every: 2s
  warn: $this > 26
  crit: $this > 48
  info: the grades have not been backed up for two days
    to: office

 alarm: mail_stuck
    on: mail.queue
lookup: average -10s unaligned of deferred
 units: letters
 every: 2s
  warn: $this > 20
  info: letters that could not be sent at the first try
    to: office

 alarm: toner_staff_room
    on: printer.toner
lookup: min -10s unaligned of staff_room
 units: %
 every: 2s
  warn: $this < 10
  info: toner of the printer in the staff room
    to: caretaker
"""
RAISED = 5
"""Of the alarms above, those whose values are beyond their bounds."""
MACHINE = """NETDATA_HOST_OS_NAME=Debian GNU/Linux
NETDATA_HOST_OS_ID=debian
NETDATA_HOST_OS_VERSION=12 (bookworm)
NETDATA_SYSTEM_KERNEL_NAME=Linux
NETDATA_SYSTEM_KERNEL_VERSION=6.1.0-28-amd64
NETDATA_SYSTEM_ARCHITECTURE=x86_64
NETDATA_SYSTEM_VIRTUALIZATION=none
NETDATA_SYSTEM_CONTAINER=none
NETDATA_SYSTEM_CPU_LOGICAL_CPU_COUNT=16
NETDATA_SYSTEM_CPU_MODEL=Invented CPU 16
NETDATA_SYSTEM_TOTAL_RAM=68719476736
NETDATA_SYSTEM_TOTAL_DISK_SIZE=12884901888000
"""
"""What the machine says of itself, as the program that Netdata asks would print it."""
UNIQUE = "9d1f4c62-7f0e-11ef-8a51-0242ac120002"
KEY = "0b8f2a56-6b1e-4d0c-9a3e-7a1d5c2e4f90"


def _prepare(place: Place) -> None:
    home, data = place.home, place.data
    off = "".join(f"    {each} = no\n" for each in OFF)
    text = SETTINGS.format(data=data, home=home, port=place.port, user=getpass.getuser())
    place.written("etc/netdata.conf", text + off)
    place.written("etc/health.d/room.conf", ALARMS)
    place.written("etc/stock/health.d/none.conf", "")
    place.written("etc/.opt-out-from-anonymous-statistics", "")
    place.written("lib/netdata.api.key", KEY)
    place.written("registry/netdata.public.unique.id", UNIQUE)
    for each in ("log", "cache"):
        (data / each).mkdir()
    printed = place.written("plugins.d/system-info.sh", f"#!/bin/sh\ncat <<'END'\n{MACHINE}END\n")
    printed.chmod(0o755)
    collector = HERE / "seeds" / "netdata_room.py"
    plugin = place.written(
        "plugins.d/room.plugin", f'#!/bin/sh\nexec {sys.executable} {collector} "$@"\n'
    )
    plugin.chmod(0o755)


def _command(place: Place) -> list[str]:
    return [place.program("usr/sbin/netdata"), "-D", "-c", str(place.data / "etc/netdata.conf")]


def _seed(client: httpx.Client) -> None:
    """Wait until the alarms have been raised; one of them is silenced."""
    for _ in range(240):
        if len(client.get("alarms").json()["alarms"]) == RAISED:
            break
        time.sleep(0.5)
    else:
        raise SystemExit("netdata: its alarms were not raised")
    silenced = {"cmd": "SILENCE", "alarm": "toner_staff_room"}
    client.get("manage/health", params=silenced).raise_for_status()


SERVICE = Service(
    name="netdata",
    part="develop_f",
    install=DebianPackages(
        "netdata",
        (
            "netdata-core=1.37.1-2",
            "netdata-web=1.37.1-2",
            "libjson-c5",
            "liblz4-1",
            "libmnl0",
            "libnetfilter-acct1",
            "libuv1",
        ),
    ),
    port=PORT,
    base="/api/v1",
    prepare=_prepare,
    command=_command,
    environment=lambda place: {
        "LD_LIBRARY_PATH": str(place.home / "usr/lib/x86_64-linux-gnu"),
        "TZ": "UTC",
        "DISABLE_TELEMETRY": "1",
    },
    ready="/api/v1/info",
    document="/netdata-swagger.json",
    seed=_seed,
    credential=KEY,
    header="X-Auth-Token",
)
