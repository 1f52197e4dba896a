import pytest

from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.semantic.exact import NameIndex


@pytest.mark.parametrize(
    "request_text",
    [
        "select:Kayak.search_flights",
        "Please run `kayak.SEARCH_FLIGHTS`, thanks",
        "call search_flights for Friday",
    ],
)
def test_a_named_tool_is_found(tools: list[Tool], request_text: str) -> None:
    found = NameIndex(tools).rows(request_text)

    assert [tools[row].tool_id for row in found] == ["Kayak.search_flights"]


@pytest.mark.parametrize("request_text", ["convert 3 dollars", "search flights", "", "..."])
def test_a_plain_word_is_not_a_name(tools: list[Tool], request_text: str) -> None:
    assert not NameIndex(tools).rows(request_text)


def test_the_documents_own_id_is_a_name(tools: list[Tool]) -> None:
    known = tools[0].model_copy(update={"external_id": "sky::GET /forecast/{city}"})

    assert NameIndex([known]).rows("use sky::GET /forecast/{city} now") == {0}


@pytest.mark.parametrize(
    "name", ["St.Gallen", "Dr.Smith", "Prof.Meyer", "thanks.Please", "Mt.Everest"]
)
def test_a_name_of_a_town_or_a_person_is_no_id(tools: list[Tool], name: str) -> None:
    """A stranger's tool may be called so, and stood first for whoever asks about the town."""
    named = tools[0].model_copy(update={"tool_id": name, "operation": name.partition(".")[2]})

    assert not NameIndex([named]).rows(f"Trains from Oslo to {name} today")


@pytest.mark.parametrize(
    "text",
    [
        "weather.forecast of Oslo or OpenWeather.Current",
        "try `Weather.forecast` first",
        "Bitte nutze Weather.forecast",
        "请用 Weather.forecast",
    ],
)
def test_an_id_of_two_plain_words_is_a_name(tools: list[Tool], text: str) -> None:
    ids = ["Weather.forecast", "OpenWeather.Current"]
    named = [tools[0].model_copy(update={"tool_id": each, "operation": "x"}) for each in ids]

    assert 0 in NameIndex(named).rows(text)
    assert (1 in NameIndex(named).rows(text)) == ("Current" in text)


@pytest.mark.parametrize(
    "text",
    [
        "A night in Oslo.Find me a hotel",
        "It rains in Oslo.find a museum",
        "Is oslo.find any good?",
        "call Oslo.Find",
    ],
)
def test_the_end_of_a_sentence_without_its_blank_is_no_id(tools: list[Tool], text: str) -> None:
    """A stranger's document may be called as a town, and its operation as the next word."""
    named = tools[0].model_copy(update={"tool_id": "Oslo.find", "operation": "find"})

    assert not NameIndex([named]).rows(text)


def test_words_around_a_name_are_no_part_of_it(tools: list[Tool]) -> None:
    """Another tool may be called as what a person writes around an identifier."""
    named = [
        tools[0].model_copy(update={"tool_id": "a.b", "operation": each})
        for each in ("find_flights", "get find_flights", "find_flights for")
    ]

    assert NameIndex(named).rows("get find_flights for Friday") == {0}


def test_ids_and_names_of_documents_stand_side_by_side(tools: list[Tool]) -> None:
    known = [
        tools[0].model_copy(update={"tool_id": "Sky.get_forecast", "operation": "x"}),
        tools[0].model_copy(update={"tool_id": "a.b", "operation": "find_hotels"}),
        tools[0].model_copy(update={"tool_id": "c.d", "external_id": "sky::GET /a/{b}"}),
    ]

    text = "find_hotels, use sky::GET /a/{b} or Sky.get_forecast, find_hotels"
    assert NameIndex(known).rows(text) == {0, 1, 2}


@pytest.mark.parametrize(
    "text",
    [
        "use other/Sky.get_forecast-x",
        "use @Sky.get_forecast@",
        "use ~Sky.get_forecast~",
        "use Sky.get_forecast-x",
        "use my-Sky.get_forecast",
        "use Blue.Sky.get_forecast",
        "use Blue::Sky.get_forecast",
        "use Sky.get_forecast::daily",
        "use Sky.get_forecast?days=3",
        "use Sky.get_forecast#daily",
        "use %Sky.get_forecast%",
        "use `Sky.search-x`",
        "use Blue.get_forecast",
    ],
)
def test_an_id_within_a_longer_name_names_nothing(tools: list[Tool], text: str) -> None:
    """Nor does the operation at its end: what is written is another thing's name."""
    named = [
        tools[0].model_copy(update={"tool_id": f"Sky.{each}", "operation": each})
        for each in ("get_forecast", "search")
    ]

    assert not NameIndex(named).rows(text)


@pytest.mark.parametrize(
    "sign", ["", "*", "**", '"', "`", "(", ")", "<", "|", ",", ".", "?", " - "]
)
def test_signs_that_are_no_part_of_a_name_may_stand_around_it(tools: list[Tool], sign: str) -> None:
    named = tools[0].model_copy(update={"tool_id": "Sky.get_forecast", "operation": "x"})

    assert NameIndex([named]).rows(f"Please use {sign}Sky.get_forecast{sign} for Oslo") == {0}


@pytest.mark.parametrize(
    "sign", [("~", "~"), ("@", "@"), ("-", ""), ("", "."), ("", "!"), ("'", "'")]
)
def test_an_id_with_signs_at_its_ends_is_not_the_id_within(
    tools: list[Tool], sign: tuple[str, str]
) -> None:
    longer = f"{sign[0]}Sky.get_forecast{sign[1]}"
    index = NameIndex(
        [
            tools[0].model_copy(update={"tool_id": each, "operation": "x"})
            for each in ("Sky.get_forecast", longer)
        ]
    )

    assert index.rows("use Sky.get_forecast please") == {0}
    assert index.rows(f"use {longer} please") == ({1} if sign in (("~", "~"), ("@", "@")) else {0})


def test_an_id_without_a_toolkit_takes_no_operations_name(tools: list[Tool]) -> None:
    """Any list can have a tool that is called as an operation of another one."""
    named = [
        tools[0].model_copy(update={"tool_id": "Sky.get_forecast", "operation": "get_forecast"}),
        tools[0].model_copy(update={"tool_id": "get_forecast", "operation": "x"}),
        tools[0].model_copy(update={"tool_id": "~get_forecast", "operation": "x"}),
    ]

    assert NameIndex(named).rows("call get_forecast for Oslo") == {0, 1}
    assert NameIndex(named).rows("call Sky.get_forecast for Oslo") == {0}
