import pytest

from gretel.text.identifiers import fold_identifier, identifier_text, same_identifier


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getUserByID", "get user by id"),
        ("HTTPServerError", "http server error"),
        ("snake_case-and.dots/slash", "snake case and dots slash"),
        ("search_flights", "search flights"),
        ("SCREAMING_CASE", "screaming case"),
        ("v2Search", "v2 search"),
        ("page1", "page1"),
        ("get/pets/{petId}", "get pets pet id"),
        ("найтиРейс", "найти рейс"),
        ("查询天气", "查询天气"),
        ("मौसमकी_जानकारी", "मौसमकी जानकारी"),
        ("ÜberMich", "über mich"),
        ("étéHiver", "été hiver"),
        ("___", ""),
        ("", ""),
    ],
)
def test_a_name_is_split_into_words(name: str, words: str) -> None:
    assert identifier_text(name) == words


def test_spellings_of_one_name_are_the_same() -> None:
    assert fold_identifier("flight_number") == fold_identifier("flightNumber") == "flightnumber"
    assert same_identifier("Flugnummer_Größe", "flugnummerGröße")
    assert not same_identifier("城市", "国家")
    assert same_identifier("+", "+") and not same_identifier("+", "-")
