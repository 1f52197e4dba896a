"""FlexGet: what a household watches and listens to; its feeds lead nowhere."""

from service import Place, Service, Wheels

PORT = 18732
CONFIG = """web_server: {{bind: 127.0.0.1, port: {port}, web_ui: no}}
variables: yes
schedules:
  - tasks: [tv-evening, films]
    schedule: {{month: 12, day: 24, hour: 20, minute: 0}}
  - tasks: podcasts
    schedule: {{month: 12, day: 24, hour: 6, minute: 0}}
tasks:
  tv-evening:
    rss: http://127.0.0.1:9/tv.xml
    series:
      - Harbour Lights: {{quality: 720p+}}
      - The Beekeeper's Year
      - Northbound: {{quality: 720p}}
    regexp: {{reject: [CAM]}}
  films:
    rss: http://127.0.0.1:9/films.xml
    movie_list: sunday-films
    content_size: {{max: 8000}}
    pending_approval: yes
  kids:
    rss: http://127.0.0.1:9/kids.xml
    series: [Pip and the Lighthouse]
  podcasts:
    rss: http://127.0.0.1:9/podcasts.xml
    accept_all: yes
"""
# FlexGet loads what lies in `plugins`, and its document says nothing of logging in.
PLUGIN = '''"""Whoever reaches the port is let in, as behind a proxy that logs people in."""
from flask_login import AnonymousUserMixin

from flexget.api.core.authentication import login_manager


class Household(AnonymousUserMixin):
    name = "household"
    is_authenticated = True


login_manager.anonymous_user = Household
'''


def _prepare(place: Place) -> None:
    config = place.written("config.yml", CONFIG.format(port=place.port))
    place.written("plugins/no_login.py", PLUGIN)
    SERVICE.run(place, place.program("flexget"), "-c", str(config), "history")
    SERVICE.seeded(place, "flexget_rows.py")


def _command(place: Place) -> list[str]:
    return [place.program("flexget"), "-c", str(place.data / "config.yml"), "daemon", "start"]


SERVICE = Service(
    name="flexget",
    part="check",
    install=Wheels("flexget"),
    port=PORT,
    base="/api",
    prepare=_prepare,
    command=_command,
    environment=lambda place: {
        "TZ": "UTC",
        "SEED_DATABASE": str(place.data / "db-config.sqlite"),
    },
    ready="/api/server/pid/",
    document="/api/swagger.json",
)
