"""Currencies by code, name, everyday word and sign."""

from functools import cache

from gretel.text.words import word_set

SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW"}
SIGNS |= {"US$": "USD", "A$": "AUD", "C$": "CAD"}
WORDS = {
    "dollar": "USD", "buck": "USD", "american dollar": "USD", "greenback": "USD", "euro": "EUR",
    "pound": "GBP", "british pound": "GBP", "sterling": "GBP", "quid": "GBP", "yen": "JPY",
    "yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "rupee": "INR", "franc": "CHF", "won": "KRW",
    "korean won": "KRW", "peso": "MXN", "rouble": "RUB", "ruble": "RUB", "shekel": "ILS",
    "real": "BRL", "lira": "TRY", "dirham": "AED", "riyal": "SAR", "kroner": "DKK",
    "bitcoin": "BTC",
}  # fmt: skip
"""What people say; of the currencies that share a word, the one that is traded most."""
WEIGHTS = word_set("pound")
"""Words of `WORDS` that are units of something else beside a number."""
_ORDINARY = word_set("won real gold silver sol som balboa platinum palladium")
"""Names that are other words, unless written out in full."""


@cache
def currency_codes() -> frozenset[str]:
    """The codes of ISO 4217 (a file is read once)."""
    import pycountry

    return frozenset(currency.alpha_3 for currency in pycountry.currencies)


@cache
def _names() -> dict[str, str]:
    """Signs and codes as they are written; names and words in lower case, one or many."""
    import pycountry

    official = {c.name.casefold(): c.alpha_3 for c in pycountry.currencies}
    said = {n: code for n, code in (official | WORDS).items() if n not in _ORDINARY}
    many = {f"{name}s": code for name, code in said.items()}
    return many | said | SIGNS | {code: code for code in currency_codes()}


def currency_named(text: str) -> str:
    """The code that a name, a word, a sign or a capital code stands for; empty where none."""
    names = _names()
    return names.get(text) or names.get(text.casefold(), "")
