import pytest

from gretel.text.language import foreign_language, language_name


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie spät ist es gerade in America/New_York?", "de"),
        ("Welche Projekte gibt es?", "de"),
        ("Quelle heure est-il à Lyon ?", "fr"),
        ("¿Qué hora es allí?", "es"),
        ("Dimmi che tempo fa a Roma", "it"),
        ("Какая погода завтра?", "ru"),
        ("列出 /srv/data/minutes 目录下的文件。", "zh"),
        ("执行:SELECT name, joined FROM members ORDER BY joined 然后给我看看", "zh"),
        ("Zeig mir die letzten 3 Zeilen von /var/log/nginx/access.log", "de"),
    ],
)
def test_a_short_request_in_another_language_is_recognised(text: str, language: str) -> None:
    assert foreign_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "ls",
        "",
        "42",
        "status WEBSHOP-1",
        "restart nginx",
        "kubectl get pods",
        "Call Anna",
        "Set an alarm for 6:30",
        "stack trace for event 550d6e39-8dd7-4bc8-a568-4e4fb6c89d5c pls",
        "print /srv/übung/plots.csv",
        "Find hotels in Düsseldorf",
        "play Für Elise",
        "Who is Björk Guðmundsdóttir?",
        'Translate "guten Morgen" please',
        "SELECT name FROM members",
        "Factor x^2 - 5x + 6.",
        "🌇🌃",
    ],
)
def test_english_and_what_says_no_language_is_not_called_foreign(text: str) -> None:
    assert foreign_language(text) is None


def test_languages_have_names_a_person_reads() -> None:
    assert [language_name(code) for code in ("de", "yue", "xx")] == ["German", "Yue Chinese", "xx"]
