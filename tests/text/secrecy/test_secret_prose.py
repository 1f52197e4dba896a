"""A secret is masked in a sentence that names it, in many languages; those about it stay."""

import pytest

from gretel.text.foreign import excerpt, foreign
from gretel.text.secret_shapes import MASK
from lanes import every

SENTENCES = [
    *("Your {} is {}.", "the new {} was {}", "{}: {}", "{} = {}", "{} -> {}", "({}: {})"),
    *("Invalid {}: {}", "Invalid {} '{}'", "{} {} was refused", "use the {} {} to go on"),
    *("The {} has been set to {}", "I changed the {} to {}", "{} mismatch: got {}"),
    *("The {} for ann is {}", "The {} that we sent is {}", 'bad {} (got "{}")'),
]


@pytest.mark.parametrize(
    "name", ["password", "API key", "recovery code", "access token", "totp seed"]
)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_secret_that_a_sentence_names(sentence: str, name: str) -> None:
    for read in (excerpt, lambda text: foreign(text, 500)):
        seen = read(sentence.format(name, "q7Zk92mTw"))
        assert "q7Zk" not in seen and MASK in seen


@pytest.mark.parametrize(
    "name", every(2, ["sort key", "country code", "page", "keyword", "passenger"])
)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_a_sentence_names_otherwise(sentence: str, name: str) -> None:
    text = sentence.format(name, "q7Zk92mTw")
    assert foreign(text, 500) == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("your one-time password: 123 456", "123 456"),
        ("Ihr Einmalcode lautet 889 123.", "889 123"),
        ("Dein Code zur Anmeldung: 889123", "889123"),
        ("Votre code PIN est le 4471", "4471"),
        ("Le code de sécurité de votre carte : 821", "821"),
        ("Su código de acceso es 77-12-AB", "77-12-AB"),
        ("O seu código de verificação é 448812", "448812"),
        ("Il tuo codice di verifica è: 448812", "448812"),
        ("Je inlogcode is 448812", "448812"),
        ("Ваш код доступа: 448812", "448812"),
        ("您的密码是Feng8899", "Feng8899"),
        ("您的验证码是：339201", "339201"),
        ("验证码 339201，5分钟内有效", "339201"),
        ("パスワードが「Sakura55」です", "Sakura55"),
        ("認証コードは449911です", "449911"),
        ("인증번호는 339201입니다", "339201"),
        ("pin number 4471 accepted", "4471"),
        ("TAN: 882211", "882211"),
        ("The CVV is 123.", "123"),
        ("your code is 448812", "448812"),
        ("448812 is your login code", "448812"),
        ("Heads up, hunter2x is still the admin password", "hunter2x"),
        ("the access code for room 3 is 4471", "4471"),
        ("Security code on the back: 821", "821"),
        ("card exp 12/27 cvc 123", "cvc 123"),
        ("Das Passwort wurde auf Berg44xy gesetzt", "Berg44xy"),
        ("El código de un solo uso es 448812", "448812"),
        ("Пароль от wifi brook7788", "brook7788"),
        ("Use code 448812 to log in", "448812"),
        ("Your backup codes are 1231-4451, 8821-0912", "8821-0912"),
    ],
)
def test_codes_in_sentences(text: str, secret: str) -> None:
    seen = excerpt(text)
    assert secret in text and secret not in seen and MASK in seen


@pytest.mark.parametrize(
    "text",
    [
        "Password must be at least 12 characters long",
        "password changed on 2024-01-02",
        "The token is invalid (RFC6750)",
        "the secret is stored with AES256",
        "PIN must have 4 digits",
        "the country code is 276",
        "error code: 40714",
        "key 12 of 40 done",
        "Token ring networks ran at 16 Mbit",
        "See [client credentials](https://tools.example/html/rfc6749#section-4)",
        "reset your password at https://a.example/reset/2024",
        "password for ann@a.example is wrong",
        "the password policy: v2beta11",
        "Pass: Brenner",
        "the session on token2049 starts at 9",
        "Token supply: 21000000",
        "the bus to room 3 is 4471",
        "invalid token: 404 Not Found",
        "Das Passwort ist falsch. Versuch 3 von 5",
        "La contraseña es obligatoria",
        "Ключевое слово: лампа7",
    ],
)
def test_sentences_about_secrets_stay(text: str) -> None:
    assert foreign(text, 500) == text


@pytest.mark.parametrize(
    "line", ["Passwort: mindestens 8 Zeichen", "Token: see chapter 12", "Cookie: oats and 3 eggs"]
)
def test_a_line_of_words_is_no_header(line: str) -> None:
    assert excerpt(line) == line
