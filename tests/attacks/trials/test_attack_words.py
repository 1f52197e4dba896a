"""Words by which a GET changes something, or a secret stands somewhere, that no list had."""

import pytest

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, Response, Tool
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.looks import without_secrets
from gretel.text.foreign import excerpt
from gretel.text.secret_shapes import MASK
from lanes import every


def get(path: str, name: str, text: str, answer: str = "", query: tuple[str, ...] = ()) -> Tool:
    binding = HttpBinding(method="GET", path=path, servers=("https://a.com",))
    made = tool("K.x", text, binding=binding, params=[param(each) for each in query])
    said = {"operation": name, "external_id": name, "response": Response(description=answer)}
    return made.model_copy(update=said)


BEHIND_A_TITLE = [
    "Faucet. Drips test coins to the address.",
    "Points. Takes ten points off the member.",
    "To do. Ticks the item off.",
    "Siren. Sounds the siren.",
    "Snapshot. Takes a snapshot of the volume, which is billed.",
    "Newsletter. Signs the e-mail address up for the newsletter.",
    "Checkout. Completes the purchase with the stored card.",
    "Webhook test. Delivers a sample event to your endpoint.",
    "Text a phone number. Texts the given number with your words.",
    "Ticket. Returns the ticket. As a side effect it is closed.",
    "Job. Shows the job. Afterwards it is archived.",
    "View an ad. Shows the ad. Each view is billed to the advertiser.",
    "New order. A market order is placed straight away.",
    "API key. Generates a key; the former one stops working.",
    "Key. The key is no longer valid afterwards.",
    "Show. Displays the message on the big screen in the hall.",
    "Printer. Prints the file on the office printer.",
    "Export. Exports the data and e-mails it to the owner.",
    "Status. Your status becomes the text you pass.",
    "Check in to a flight",
    "chmod a file",
    "Valve. Opens or shuts the valve, by the flag.",
    "Rate a movie with stars",
    "Coffee. Brews a cup.",
    "Counter. Returns the value after raising it by one.",
]
ELSEWHERE = [
    *("Schließt den Vorgang ab", "Encerra a conta do cliente", "Zet de lamp aan"),
    *("Оформить заказ", "提交订单"),
    *("Usuwa użytkownika", "Raderar en användare", "Kullanıcıyı siler", "Smaže uživatele"),
    *("Удалить пользователя", "Отправляет письмо", "Видалити запис", "Διαγραφή χρήστη"),
    *(
        "删除用户",
        "发送短信",
        "ユーザーを削除する",
        "メールを送信します。",
        "사용자 삭제",
        "메시지를 전송합니다",
    ),
    *("حذف المستخدم", "ลบผู้ใช้", "xóa người dùng", "मिटाएं"),
]
ALONE = [
    get("/poke", "poke", "Poke", query=("user",)),
    get("/stake", "stake", "Stake coins", query=("amount",)),
    get("/kick/{member}", "kickMember", "Kick"),
    get("/follow/{user}", "follow", "Follow"),
    get("/scrape/start", "scrapeStart", "Scrape", query=("url",)),
    get("/folder/mk", "mkFolder", "Folder", query=("name",)),
    get("/keys/gen", "genKey", "Gen key"),
    *(get(f"/{each}", each, "User") for each in ("usrUpd", "acctDeact", "pwdChg", "msgSnd")),
    get("/avatar", "avatar", "Avatar", "Avatar updated"),
    get("/mv", "mv", "Move", query=("src", "dst")),
    get("/exec", "exec", "Exec", query=("command",)),
    get("/usrDelById", "usrDelById", "User by id", query=("id",)),
    get("/info", "info", "Info", "The user was deleted"),
    get("/info", "info", "Info", "Message sent successfully."),
    get("/info", "info", "Info", "Your subscription has been cancelled."),
]


@pytest.mark.parametrize(
    "asked",
    [
        *(pytest.param(get("/q", "q1", each), id=each) for each in BEHIND_A_TITLE + ELSEWHERE),
        *(pytest.param(each, id=f"{each.operation} {each.response.description}") for each in ALONE),
    ],
)
def test_what_is_said_behind_a_title_or_elsewhere_keeps_a_get_from_trials(asked: Tool) -> None:
    failure = Policy().unsafe_call(asked)
    assert failure and failure.kind == "unsafe_method"


@pytest.mark.parametrize(
    "asked",
    [
        get("/bans", "bans", "Bans of a user"),
        get("/resets", "resets", "Resets of the odometer"),
        get("/schedule", "schedule", "Schedule of a team"),
        get("/blocked-sites", "blockedSites", "Sites that are blocked in a country"),
        get("/lifts", "lifts", "Lifts that run in a ski area"),
        get("/send-times", "sendTimes", "Best time to send"),
        get("/shutdowns", "shutdowns", "Government shutdowns"),
        get("/clicks", "GetClicks", "Get clicks. Clicks are retrieved by date."),
        get("/users", "listUsers", "List users. Accepts a comma-separated list of ids."),
        get("/forms", "showForms", "Show forms. Takes an ids parameter that lists the forms."),
        get("/tracks", "get_tracks", "Tracks. Performs a track search based on a query."),
        get("/tags/{id}", "check_tag", "Check a tag", "The tag has been added to the video."),
        get("/albums", "albums", "Albums", "The albums were returned."),
        get("/boxes", "boxes", "Boxes", "images sent to the box, sorted by date"),
        get("/diff", "diff", "Difference of two versions. Skips all colors and tags."),
        get("/traffic", "traffic", "Traffic jams in a city"),
        get("/invoice", "invoice", "Invoice", query=("id",)),
        get("/rate", "rate", "Rate", query=("currency",)),
        get("", "rate", "Rate"),
        get("/routes", "routes", "Routes. The\nrules it references."),
        get("/q", "q1", "获取已删除用户列表"),
        get("/q", "q1", "Список удалённых пользователей"),
        get("/q", "q1", "削除された投稿の一覧"),
        get("/q", "q1", "Wyświetla usunięte wpisy"),
    ],
)
def test_what_only_sounds_like_it_is_tried(asked: Tool) -> None:
    assert Policy().unsafe_call(asked) is None


WHAT_FOLLOWS = [
    "Gift. Shows the gift. It self-destructs after the first look.",
    "Quote. Your card is debited a little for each call.",
    "Grant. The grant lapses with this call.",
    "Pixel. Visitors are counted through this pixel.",
    "Mails. After retrieval the mails are gone from the server.",
    "Report. The file is kept in the archive and e-mailed to the owner.",
    "Letter. It can be opened only once.",
    "Voucher. Once it was shown, the voucher has no value.",
    "Profile. The owner gets an e-mail.",
    "Session. If there is none, one is started.",
    "Credit loyalty points to a member",
    "Give a seat back",
    "Fires off the campaign",
    "Take the shop offline",
]
"""What a document says of what follows a call, or of where something is moved to."""
BY_GRAMMAR = [
    *("Die Akte wird danach endgültig vernichtet.", "De bestelling wordt geannuleerd."),
    *("Le compte sera révoqué.", "Met fin au contrat", "Dar de baja a un usuario"),
    *("El registro será borrado.", "L'ordine verrà chiuso.", "Se cierra la cuenta"),
    *("Счёт будет заморожен.", "Сбросить пароль клиента", "Resetuje hasło klienta"),
    *(
        "Konto zostanie zamknięte.",
        "Účet bude zrušen.",
        "Siparişi onayla",
        "Fatura iade edilir şimdi iade et",
    ),
    *("予約を確定する", "部屋の鍵を開ける", "계정을 해지합니다", "게시물을 숨깁니다"),
    *("该用户将被冻结", "把设备设为离线"),
]
"""Verbs of no list, told by the form that they have."""
READS_ELSEWHERE = [
    *("Die Liste wird sortiert ausgegeben.", "Les résultats sont triés par date"),
    *("Получить список заказов", "Кредит клиента", "Pokazuje listę", "Siparişleri listele"),
    *("予約の一覧を取得する", "사용자 목록을 조회합니다", "用户列表", "Se muestra la lista"),
    *("Data availability goes back to 2016.", "Get a notification channel.", "API user"),
    *(
        "At most 100 items come with each call.",
        "Logs user into the system",
        "Spells out a number",
    ),
    "Items that were shown when the page was opened",
]


@pytest.mark.parametrize("text", every(2, WHAT_FOLLOWS + BY_GRAMMAR))
def test_what_follows_a_call_keeps_a_get_from_trials_in_any_words(text: str) -> None:
    failure = Policy().unsafe_call(get("/q", "q1", text))
    assert failure and failure.kind == "unsafe_method"


@pytest.mark.parametrize("text", READS_ELSEWHERE)
def test_what_only_reads_is_tried_in_any_language(text: str) -> None:
    assert Policy().unsafe_call(get("/q", "q1", text)) is None


SECRETS = [
    ("Heslo: FTUJT9bBERL", "FTUJ"),
    ("Hasło: l0wneUV89mH", "l0wne"),
    ("Şifre: gOryvse6NKn", "gOry"),
    ("비밀번호: VGMW1ZzbQVk", "VGMW"),
    ("口令：k3yOfTheGate", "k3yO"),
    ("Salasana on Ruska77tunturi", "Ruska"),
    ("Use vTm7UWeOt5D as your password.", "vTm7"),
    ("407148 is your one-time passcode", "407148"),
    ("Your verification code is 407148", "407148"),
    ("recovery code 6408-0682", "6408"),
    ('setPassword("aORkmEbPVM")', "aORk"),
    ('{"headers":[["Authorization","hTEg53VINgCESgy6ab"]]}', "hTEg"),
    ('{"name":"x-api-key","value":"YubZWWuONUCzDhTCjo"}', "YubZ"),
    ('{"auth":{"bob":"beIO10SrABZ6"}}', "beIO"),
    ('{"credentials":["bob","AtmphhJ8uePI"]}', "Atmp"),
    ("The key 'ZoTu6S2KvcljrCnGJKNK2MZS' has expired", "ZoTu"),
    ("email\tpass\nbob@x.org\tkXToErLugaBQ\n", "kXTo"),
    ("smtp:\n  user: bob\n  pass: 'tmC1hmAuGV5rsgYRoL'\n", "tmC1"),
    ("SECRET_KEY_BASE=VyAuFh0R1miCXW2D4hqvZHN9y0ci72ZS\n", "VyAu"),
    ("$bob_pw = 'Y4lPbhzwY2';", "Y4lP"),
    ("bearer=0MKrWX0lza09Jk1pMID4zF", "0MKr"),
    ("notion secret_6JdRhAg4W6KCPaSZC3gT1fDsuigrqcYb8l5c53fYo71", "6JdR"),
    ("acme_prod_9aXk2Lm4Qp7Rt5Vw8Yz1Bc3Df6Gh0JkN2", "9aXk"),
    ("The PIN of the card is 5175.", "5175"),
    ('<input type="password" name="p" value="JpEl5EGImr8uDetT">', "JpEl"),
    ('<add key="ApiSecret" value="b4HVFdczFUAXX4G0GABf" />', "b4HV"),
    ("    POSTGRES_PASSWORD: qiqkXwRpAeIIbASeEV\n", "qiqk"),
    ("invalid api key provided: rpKImpDQNT4GRT5uzLEgF7", "rpKI"),
    ("private key 0xddffd45aef5bca35365a1c37e52fc82f78406fbc6f40f7a126", "ddff"),
    ("password = \\\n    grCjSxh7kg4MgIrFnWg3\n", "grCj"),
    ("https://b56e8d1883163f1496a54353d35b04a8@o1.ingest.sentry.io/67", "b56e"),
    ("GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY 'LvWmwV8k3cgcwD'", "LvWm"),
    ("requests.get(url, auth=('bob', '67O1jfPbnVTjVjlVMjGS'))", "67O1"),
    ("password: >-\n  A3x9kwrITGHEfRT5YcNu\n", "A3x9"),
    ("The Wi-Fi password at the office is i6KMsNAtdUPr", "i6KM"),
    ("Bitte nutzen Sie das Kennwort DjRpSGT2Unoh zur Anmeldung.", "DjRp"),
    ("Su nueva contraseña temporal es TY4aqqPQ0AoG", "TY4a"),
    ("Enter 147088 to sign in.", "147088"),
    ("NRAK-QW7M9DUAATOK8ET2BXJFY98M7B2", "QW7M"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS, ids=[text for text, _ in SECRETS])
def test_a_secret_in_a_place_that_no_list_had_is_masked(text: str, secret: str) -> None:
    seen = excerpt(text)
    assert secret in text and secret not in seen and MASK in seen


@pytest.mark.parametrize(
    "text",
    [
        "IMEI 490154203237518",
        '{"token_type":"bearer","expires_in":3600}',
        '{"auth":{"kind":"none","page":"Sign-in page"}}',
        '{"price":"price_1MoBy5LkdIwHu7ixZhnattbh"}',
        "The country code is 276",
        "error code is 40714",
        "The key 'population_density_2020' is not known",
        "Pass: Brenner",
        "player,pass\nXavi,97\n",
        '{"name":"token_count","value":"many of them"}',
        "Your seat is 14C and 3 is your gate",
    ],
)
def test_what_looks_like_one_is_shown(text: str) -> None:
    assert excerpt(text).strip() == text.strip()


@pytest.mark.parametrize(
    "facts",
    [
        {"stored": "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"},
        {"heslo": "modra-kocka"},
        {"şifre": "mavi-kedi"},
        {"kata_sandi": "kucing-biru"},
        {"κωδικός": "mple-gata"},
        {"note": "acme_prod_9aXk2Lm4Qp7Rt5Vw8Yz1Bc3Df6Gh0JkN2"},
    ],
)
def test_a_fact_of_that_name_or_shape_is_left_out(facts: dict[str, str]) -> None:
    assert without_secrets({**facts}) == ({}, tuple(facts))
