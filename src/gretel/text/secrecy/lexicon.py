"""Words of which names of secrets are made: heads, what makes a secret of them, what does not.

English, German, French, Spanish, Italian, Portuguese, Dutch, Russian (also in Latin letters),
Chinese, Japanese and Korean; of some thirty more the word for password.
"""

from gretel.text.secrecy.kinds import AUTH, CARRIER, CRYPT, PAY, PLACED, RECOVER, SERVICE, words

PASSWORDS = words(
    """
    password passwords passwd passwds passphrase passphrases passcode passcodes passkey
    passkeys pwd pwds pswd psw userpwd passwort passworte kennwort losungswort geheimwort
    geheimzahl geheimnummer motdepasse mdp contraseña contrasenya senha senhas wachtwoord
    wachtwoordzin pword wachtwoorden lösenord passord adgangskode salasana geslo haslo hasło
    heslo jelszo jelszó lozinka mậtkhẩu katasandi şifre sifre slaptažodis wagwoord κωδικός
    κωδικο лозинка парола пароль пароля паролем parol סיסמא סיסמה كلمةالسر كلمةالمرور पासवर्ड
    รหัสผ่าน パスワード パスフレーズ パスコード 暗証番号 合言葉 口令 密码 密碼 비밀번호 암호
    mima 助记词 助記詞 palavrapasse paroladordine
    """
)
"""Words that each name something to sign in with, or to restore it by."""
ALONE = PASSWORDS | words(
    """
    secret secrets credential credentials cred creds pw otp totp hotp cvv cvc ccv cvn csrf
    xsrf jwt cookie authorization psk puk privkey pfx pkcs12 kubeconfig apikey apikeys sessid
    jsessionid phpsessid aspsessionid geheimnis secreto segreto segredo секрет シークレット
    私钥 私鑰 密钥 密鑰 秘钥 秘密鍵 秘密键 暗号鍵 비밀키 개인키 令牌 トークン 토큰
    einmalpasswort einmalkennwort zugangsdaten anmeldedaten credenciales credenciais
    credenziali inloggegevens keytab xprv ccn ccnum
    """
)
"""Words that name a secret by themselves."""
TOKENS = words("token tok jeton токен токена")
"""A secret, unless it is the place in a list, a piece of a text or a coin."""
PLACES = words(
    """
    page next prev previous continuation continue cursor sync scroll pagination paging resume
    start position delta change changes list skip after before max min num total count stop
    prompt completion output buy sell base quote erc20 nft native governance collection design
    text eos bos pad mask collateral reward underlying staking lp idempotency
    """
)
"""What makes no secret of a token."""

KEYS = words(
    """
    key keys schlüssel schluessel clé cle clés cles clef clave claves llave llaves chave
    chaves chiave chiavi sleutel sleutels ключ ключа ключи klyuch kluch kljuch 键 鍵 钥 キー
    키
    """
)
CODES = words(
    """
    code codes kode kodes código codigo códigos codigos codice codici код кода коды kod 码 碼
    代码 コード 코드
    """
)
NUMBERS = words(
    """
    number numbers num no nr nummer nummern numero número номер nomer 号 号码 號 番号 번호
    """
)
SEEDS = words("seed seeds semilla сид")
PHRASES = words(
    """
    phrase phrases word words frase frases satz palabra palavra mot woord слово фраза 短语
    短語 フレーズ 구문 단어
    """
)
PINS = words("pin pins tpin mpin tan tans пин")
ANSWERS = words(
    """
    answer answers antwort réponse reponse respuesta resposta risposta antwoord ответ 答案
    答え 답변
    """
)
SIGNATURES = words("signature signatures sig sigs")

_ASKED = words(
    """
    memorable security secret challenge recovery sicherheits sicherheit geheime secrète
    secreta seguridad segurança sicurezza beveiligings секретный
    """
)
_SAID = words(
    """
    authentication confirmation secret pin otp kartenprüf kartenpruef 认证 認証 인증 確認 暗証
    """
)
_OF_CODES = words("pin пин cvv cvc cvn puk tan gift giftcard 暗証")
_OF_SEEDS = words("totp otp hotp wallet hd mnemonic recovery master bip39 secret mfa private")
_OF_PHRASES = words(
    """
    pass seed mnemonic wallet memorable semilla кодовое секретное secreto secreta secrète
    segreta geheim 助记 secret
    """
)
_OF_PINS = words("account sim transaction mobile bank iban upi")

HEADS: dict[str, frozenset[str]] = {
    **dict.fromkeys(KEYS, AUTH | CRYPT | RECOVER | SERVICE),
    **dict.fromkeys(CODES, AUTH | RECOVER | PLACED | _OF_CODES),
    **dict.fromkeys(NUMBERS, (PAY - words("credit debit payment atm")) | _SAID),
    **dict.fromkeys(SEEDS, _OF_SEEDS),
    **dict.fromkeys(PHRASES, _OF_PHRASES | RECOVER),
    **dict.fromkeys(PINS, AUTH | PAY | RECOVER | CRYPT | _OF_PINS),
    **dict.fromkeys(ANSWERS, _ASKED),
    **dict.fromkeys(SIGNATURES, AUTH | CRYPT | words("sas")),
    "pass": CARRIER,
    "mnemonic": words("wallet seed bip39 hd account") | RECOVER,
    **dict.fromkeys(("private", "priv"), words("rsa dsa ecdsa ec ed25519 ssh pgp gpg")),
    "preshared": words("vpn wifi wlan wpa ipsec"),
    "pattern": words("unlock lock screen"),
    "ticket": words("kerberos granting sso"),
    "combination": PLACED,
    "sid": words("phpsess php connect"),
    "id": words("phpsess jsess sess aspsess"),
    "string": words("connection conn"),
    "strings": words("connection"),
    "verifier": words("code oauth pkce"),
    "pat": words("github gitlab gh azure devops ado access jira"),
}
"""Words that name a secret behind, or before, one of these."""
WEAK = (
    (KEYS - {"keys"})
    | PINS
    | SIGNATURES
    | words("pem sid cookies p12 jks sas pat bearer mnemonic pan parola")
)
"""Names of a secret or of something else: the value tells."""
VENDORS = frozenset({"key", "sk"})
"""Of whom nobody knows, a secret by the shape of its value."""
DATA = words(
    """
    account alias answer asset attribute blob bucket business cache cell child class color column
    composite config content correlation dedup dict document edge entity entry event external field
    file foreign game group hash http idempotence idempotency image index internal issue item job
    json label language locale lock lookup map member menu message metadata metric model natural
    node object option order organization parent part partition path place primary product project
    property query queue range record ref registry related request resource result role route
    routing row s3 schema search segment session setting shard short site song sort source state
    storage string surrogate table tag task team template text thread tracking translation tree
    type unique url user video view
    """
)
"""What a key finds among data: no secret."""
FILLERS = words(
    """
    my your our the a an user users customer new old current test testing live prod production
    sandbox dev staging main default val value raw hex temp temporary mein meine ihr ihre
    nuevo nueva novo nova nuovo nuova nouveau nouvelle neues mon ma votre tu su sua la le el
    il das der die de d do da di del della du des van het x вас ваш 的 の 我的 您的 기 for of
    online digital personal numeric digit 6 four six
    """
)
"""Words of a name that say nothing of what it is of."""
LINKS = words(
    """
    de d do da di del della dello du des van het der la le el a l para por pour per of for für
    voor от zur zum для to no の
    """
)
"""Between a head and what it is of, in languages that put it first."""
WRAPPERS = words(
    """
    value values val text string base64 b64 hex hash hashed encrypted enc raw plain plaintext
    cleartext prod production test live dev staging sandbox pem der pfx p12 jks bytes base v
    again repeat repeated retype confirm confirmed confirmation verify old new current data
    json env var md5 sha1 sha256
    """
)
"""What stands behind a secret's name and leaves it one."""
PUBLIC = words(
    """
    public publishable pub öffentlicher oeffentlicher öffentlich publique publica pública
    pubblica publieke открытый публичный 公開 公开 公 公钥 공개
    """
)
"""What everybody may know."""
FIRST = words(
    """
    clé cle clef clave chave chiave código codigo codice code numero número frase réponse
    reponse respuesta resposta risposta llave palabra palavra phrase mot ключ klyuch kluch
    kljuch код kod номер pin jeton token токен
    """
)
"""Heads that stand before what they are of, as Romance languages and Russian have it."""
PARTS = words("last first last4 digits masked truncated suffix prefix")
"""What makes a piece of a secret that people are shown."""
SWITCHES = words(
    """
    is has had needs need requires require required uses use allow allows enable enabled
    disable show
    """
)
"""What makes a yes or no of a secret."""
COUNTED = words("num number numbers max min total count of many")
"""What makes a number of a secret."""
SESSIONS = words(
    """
    session sess sitzungs sesion sesión sessão sessione сессии 会话 セッション 세션
    """
)
EITHER = words("auth pass pin pins tan refresh session sig signature tok пин")
"""Names of a secret or of something else, whatever stands before: the value tells."""
JOINED = {
    ("one", "time"): "onetime",
    ("un", "solo", "uso"): "onetime",
    ("uso", "unico"): "onetime",
    ("usage", "unique"): "onetime",
    ("2", "fa"): "2fa",
    ("verification", "value"): "cvv",
    ("pass", "wd"): "password",
}
"""Words of which a name is made when they stand together."""
