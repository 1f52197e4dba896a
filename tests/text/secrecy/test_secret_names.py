"""A name is a secret's by what it is made of, in any spelling; no whole name stands in a list."""

from collections.abc import Callable, Sequence
from itertools import product

import pytest

from gretel.text.secrecy.names import Secrecy, name_parts, secrecy, secrecy_in_text, tells
from gretel.text.words import word_list
from lanes import every

SPELLED: dict[str, Callable[[Sequence[str]], str]] = {
    "snake": "_".join,
    "kebab": "-".join,
    "constant": lambda words: "_".join(words).upper(),
    "camel": lambda words: words[0] + "".join(map(str.capitalize, words[1:])),
    "title": lambda words: "".join(map(str.capitalize, words)),
    "words": " ".join,
    "glued": "".join,
}
OF = {
    "key": "api access private signing encryption hmac account consumer license recovery session",
    "code": "otp mfa 2fa sms verification security access recovery activation unlock login pin",
    "token": "auth access refresh session reset bot invite csrf",
    "seed": "totp wallet master recovery",
    "phrase": "seed recovery mnemonic wallet",
    "pin": "card sim transaction account",
    "number": "card creditcard pin",
    "answer": "security secret challenge",
    "pass": "smtp db keystore root",
    "string": "connection",
    "verifier": "code oauth",
}
"""What makes a secret of a word that is none by itself."""
OTHERS = {
    "key": "primary foreign sort cache project object translation public idempotency row",
    "code": "country zip postal error status product promo area language reason airport",
    "token": "page next continuation sync cursor max stop",
    "seed": "random tomato noise",
    "phrase": "search catch",
    "number": "order phone page flight invoice house",
    "answer": "correct quiz",
    "string": "query search",
    "id": "user order device key token",
    "count": "token secret password pin",
    "length": "password session key",
    "type": "token credential card auth",
    "name": "secret token key cookie",
    "policy": "password cookie",
}
"""What makes none of it, and what it makes none."""


def names(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(of, head) for head, kinds in table.items() for of in kinds.split()]


@pytest.mark.parametrize("spelled", every(3, SPELLED))
@pytest.mark.parametrize("words", names(OF), ids="_".join)
def test_a_head_and_what_makes_a_secret_of_it(words: tuple[str, str], spelled: str) -> None:
    assert secrecy(SPELLED[spelled](words)) is Secrecy.SECRET


@pytest.mark.parametrize("spelled", every(3, [each for each in SPELLED if each != "glued"]))
@pytest.mark.parametrize("words", names(OTHERS), ids="_".join)
def test_a_head_of_something_else(words: tuple[str, str], spelled: str) -> None:
    assert secrecy(SPELLED[spelled](words)) is Secrecy.NONE


@pytest.mark.parametrize(
    "name",
    word_list(
        """
        password passwd pwd secret clientSecret credentials cvv cvc2 otp csrf jwt psk puk
        cookie proxy-authorization passphrase passcode privkey kubeconfig PHPSESSID token
        """
    ),
)
def test_a_word_that_is_one_by_itself(name: str) -> None:
    assert secrecy(name) is Secrecy.SECRET


@pytest.mark.parametrize(
    "end", ["value", "2", "v1", "hash", "base64", "again", "confirmation", "text", "encrypted"]
)
@pytest.mark.parametrize("name", ["password", "client_secret", "api_key", "recovery_code"])
def test_what_stands_behind_and_says_nothing(name: str, end: str) -> None:
    assert secrecy(f"{name}_{end}") is Secrecy.SECRET


@pytest.mark.parametrize(
    ("first", "name"), [*product(["has", "is", "requires", "uses"], ["password", "api_key", "otp"])]
)
def test_a_yes_or_no_about_one(first: str, name: str) -> None:
    assert secrecy(f"{first}_{name}") is Secrecy.NONE


@pytest.mark.parametrize("name", ["last_card_number", "card_number_suffix", "masked_card_number"])
def test_a_piece_that_people_are_shown(name: str) -> None:
    assert secrecy(name) is Secrecy.NONE


@pytest.mark.parametrize(
    "name",
    [
        *("Zugangscode", "Sicherheitscode", "apiSchlüssel", "privater_schluessel", "Kennwort"),
        *("kartenprüfnummer", "Einmalpasswort", "geheimzahl", "wiederherstellungscode"),
        *("mot de passe", "motDePasse", "mdp", "clé_api", "clef_privée", "code de vérification"),
        *("jeton_acces", "code_secret", "réponse secrète", "phrase_de_récupération"),
        *("contraseña", "contrasen\u0303a", "clave_de_acceso", "codigoDeSeguridad"),
        *("llave_privada", "respuesta_secreta", "senha", "senha_do_cartao", "chave_privada"),
        *("token de acesso", "código_de_verificação", "parola d'ordine", "chiave_privata"),
        *("codice_pin", "codice di sicurezza", "wachtwoord", "toegangscode", "api_sleutel"),
        *("пароль", "секретный_ключ", "ключ_доступа", "код подтверждения", "токен", "пин_код"),
        *("parol", "klyuch_dostupa", "kod_podtverzhdeniya"),
        *("密码", "登录密码", "验证码", "短信验证码", "API密钥", "访问令牌", "助记词", "信用卡号"),
        *("パスワード", "暗証番号", "認証コード", "アクセストークン", "APIキー", "秘密鍵"),
        *("비밀번호", "인증번호", "보안코드", "şifre", "hasło", "κωδικός"),
        *("senhaInternet", "motdepassewifi", "парольОтПочты", "WachtWoord", "netzwerkschlüssel"),
        *("código de un solo uso", "tokenForUpload", "cardVerificationValue", "ccv", "sshPriv"),
        *("apiSecretKeyProd", "vpn_preshared", "lockerCombination", "unlock_pattern"),
    ],
)
def test_in_other_languages(name: str) -> None:
    assert secrecy(name) is Secrecy.SECRET


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Schlüsselwort",
            "Ländercode",
            "Postleitzahl",
            "artikelschlüssel",
            "mot_clé",
            "code_pays",
        ),
        *("code postal", "numéro_client", "clé_primaire", "palabra_clave", "clave_producto"),
        *("código_postal", "palavra-chave", "chave_primaria", "parole", "codice_prodotto"),
        *("trefwoord", "landcode", "ключевое_слово", "код_страны", "номер_заказа"),
        *(
            "关键词",
            "国家代码",
            "邮政编码",
            "订单号",
            "主键",
            "キーワード",
            "商品コード",
            "郵便番号",
        ),
        *("注文番号", "우편번호", "주문번호"),
    ],
)
def test_in_other_languages_none(name: str) -> None:
    assert secrecy(name) is Secrecy.NONE


@pytest.mark.parametrize(
    "name",
    word_list(
        """
        passenger compass bypass passage author authority authors tokenizer keyboard monkey
        turkey keynote secretary pinned pinboard opinion spinner cookie_recipe tangent panel
        commit_hash encode geocode barcode unicode card_type session_length phone_number
        sort_key hotkey
        """
    ),
)
def test_words_that_only_hold_the_letters(name: str) -> None:
    assert secrecy(name) is Secrecy.NONE


@pytest.mark.parametrize("name", ["pin", "session_id", "sid", "signature", "key", "smtp_auth"])
@pytest.mark.parametrize(
    ("value", "secret"), [("c4n4ry7value", True), ("keynote", False), ("2026-11-25", False)]
)
def test_a_name_that_leaves_it_to_the_value(name: str, value: str, secret: bool) -> None:
    assert secrecy(name) is Secrecy.BY_VALUE
    assert tells(name, value) is secret


def test_a_key_alone_is_of_anything_in_a_text() -> None:
    assert secrecy("key") is Secrecy.BY_VALUE
    assert secrecy_in_text("key") is Secrecy.NONE


def test_words_written_together_are_taken_apart() -> None:
    assert name_parts("sessionid") == ("session", "id")
    assert name_parts("zugangscode") == ("zugangs", "code")
    assert name_parts("短信验证码")[-2:] == ("验证", "码")
    assert name_parts("sessionless") == ("sessionless",)
