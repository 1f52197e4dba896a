"""Secrets by where they stand: on a command line, behind a login, among words.

No vendor's shape is needed there: what follows the name of a secret, or has its place, is one.
"""

import re

from gretel.text.secrecy.forms import LONGEST
from gretel.text.secret_shapes import MASK, Pattern

_STRING = re.compile(
    r"(?<=[\"'])(?=[^\"'\\]{0,200}\d)(?=[^\"'\\]{0,200}[A-Za-z])"
    rf"[^\"'\\\s]{{8,{LONGEST}}}(?=\\?[\"']\s?(?!\s?:)(?:[,\]}}]|$))"
)


def _mixed_masked(found: re.Match[str]) -> str:
    """What was found, with its strings of letters and digits masked, names aside."""
    return _STRING.sub(MASK, found[0])


_COMMANDS = (
    # -u name:password; the ids of a user and a group are none
    Pattern(
        ("-u", "-a", "user", "--cred", "--login"),
        re.compile(
            r"((?<!\S)(?:-[uUa]|--(?:proxy-)?user|--auth|--creds?|--login)(?:\s+|=)?[\"']?([^\s:,%\"'/]{1,80})[:,%])"
            r"(?!\d+(?!\S)|\2(?!\S)|//)[^\s\"']{3,}"
        ),
        rf"\1{MASK}",
    ),
    # -u name -p password, -U name -P password, and programs that ask for no name
    Pattern(
        ("-p",),
        re.compile(
            r"((?<!\S)(?:-[uU]\s*|--user(?:name)?[ =])\S{1,80}"
            r"(?:\s+-{1,2}\w\S{0,80}(?:\s+[^\s-]\S{0,80})?){0,3}?\s+-[pP]\s*[\"']?)[^\s\"'-][^\s\"']{2,}"
        ),
        rf"\1{MASK}",
    ),
    Pattern(
        ("sshpass", "redis-cli", "ldap", "mysql", "maria"),
        re.compile(
            r"(\b(?:sshpass\s+-p\s*|redis-cli\s(?:[^\n|;&]{0,80}\s)?-a\s*|ldap\w+\s(?:[^\n|;&]{0,80}\s)?-w\s*"
            r"|(?:mysql|maria)\w*\s(?:[^\n|;&]{0,80}\s)?-p)[\"']?)[^\s\"'-][^\s\"']{2,}",
            re.I,
        ),
        rf"\1{MASK}",
    ),
)
_FILES = (
    # what a picture for a phone says of a network, and Oracle of a user
    Pattern(("wifi:",), re.compile(r"(\bWIFI:(?:[^\n]{0,120}?;)?P:)[^;\s]{4,}"), rf"\1{MASK}"),
    Pattern(
        ("jdbc:",), re.compile(r"(\bjdbc:[\w:]{1,40}:[\w$#]{1,60}/)[^\s@/]{3,}(?=@)"), rf"\1{MASK}"
    ),
    # netrc
    Pattern(
        ("password",),
        re.compile(
            r"(\b(?:machine\s+\S{1,200}|default)\s+(?:(?:login|account)\s+\S{1,80}\s+){1,2}password\s+)"
            r"\S{3,}"
        ),
        rf"\1{MASK}",
    ),
    # .pgpass: host:port:database:user:password
    Pattern(
        (":",),
        re.compile(
            r"^((?:localhost|\*|[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}):(?:\d{3,5}|\*):(?!\d+:)[^:\s]{1,64}"
            r":(?!\d+:)[^:\s]{1,64}:)[^\s:]{3,}$",
            re.M,
        ),
        rf"\1{MASK}",
    ),
    # private members of a JSON Web Key (RFC 7518, 6)
    Pattern(
        ("kty",),
        re.compile(r"(\\?[\"'](?:[dkpq]|d[pq]|qi)\\?[\"']\s*:\s*\\?[\"'])[\w-]{16,}={0,2}"),
        rf"\1{MASK}",
    ),
    # a private key in base64 once more, as kubeconfig has it; a certificate is public
    Pattern(
        ("ls0tls1crudjti",),
        re.compile(r"LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[A-Za-z0-9+/]{16,}={0,2}"),
        MASK,
    ),
    Pattern(
        ("key-data", "tls.key"),
        re.compile(r"((?:key-data|tls\.key)[\"']?\s*:\s*[\"']?)[A-Za-z0-9+/]{24,}={0,2}"),
        rf"\1{MASK}",
    ),
    Pattern(
        ("private-lines",),
        re.compile(r"(Private-Lines:\s*\d+)(?:\s+[A-Za-z0-9+/]{16,}={0,2})+"),
        rf"\1 {MASK}",
    ),
)
_WORD = r"(?!(?:and|are|for|from|has|that|the|this|was|with|your?)\b)[a-z]{3,8}"
_APART = r"(?:[\s,;\"'-]|\d{1,2}[.):])+"
_SENTENCES = (
    # twelve to twenty-four words that restore a wallet (BIP 39)
    Pattern(
        ("seed", "mnemonic", "recovery", "backup", "wallet", "passphrase"),
        re.compile(
            r"(\b(?i:seed|mnemonic|recovery|backup|wallet|passphrase)\w{0,12}"
            r"(?:[\s_-]{1,3}[^\W_]{1,20}){0,4}?[\"']?\s{0,3}(?:is|are|[:=(\[\"'\n-])[\s:=(\[\"'\d.)>-]{0,8})"
            rf"{_WORD}(?:{_APART}{_WORD}){{11,23}}\b"
        ),
        rf"\1{MASK}",
    ),
    Pattern(
        ("authorization",),
        re.compile(
            r"(\bauthorization[\"']?\s*[:=]\s*[\"']?(?:apikey|aws4-hmac-sha256|digest|hawk|negotiate|ntlm"
            r"|oauth|signature|token)\s+)[^\r\n]{6,}",
            re.I,
        ),
        rf"\1{MASK}",
    ),
    # cookies
    Pattern(
        ("cookie:",),
        re.compile(r"(\bcookie:\s*)(?=[\w.-]{1,60}=)[^\r\n\"'<>]{4,}", re.I),
        rf"\1{MASK}",
    ),
    Pattern(
        ("sid=", "sessid=", "sessionid="),
        re.compile(r"(\b[a-z]{0,12}(?:sess(?:ion)?|[._]s|\bs)id\s?=\s?[\"']?)[\w%.:+/-]{8,}", re.I),
        rf"\1{MASK}",
    ),
)
_RANDOM = r"(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[a-z])(?=[\w-]{0,200}[A-Z])[A-Za-z0-9_-]"
_OTHER_PLACES = (
    # a list or a record of secrets: what mixes letters and digits in it is one
    Pattern(
        ("credential", "auth", "passw", "secret", "token", "login", "key"),
        re.compile(
            r"\\?[\"'](?:[a-z]{1,20}_)?(?:credentials?|auth|passwords?|secrets|logins?|tokens|api_?keys)\\?[\"']\s{0,3}:\s{0,3}"
            rf"(?:\[[^\[\]{{}}]{{1,{LONGEST}}}|\{{[^\[\]{{}}]{{1,{LONGEST}}})",
            re.I,
        ),
        _mixed_masked,
    ),
    # IDENTIFIED BY '…', auth=("bob", "…"), a password without a verb, "Enter … to sign in"
    Pattern(
        ("identified", "auth"),
        re.compile(
            r"(\b(?:identified\s+by\s+|auth\s?=\s?\(\s?[\"'][^\"'\n]{1,80}[\"']\s?,\s?)[\"'])[^\"'\n]{3,}",
            re.I,
        ),
        rf"\1{MASK}",
    ),
    Pattern(
        ("enter", "type", "use"),
        re.compile(
            r"(\b(?:enter|type|use)\s(?:the\s)?(?:code\s)?)\d{4,8}(?=\s(?:for|to)\s(?:\w{1,12}\s)?(?:authenticate|complete|confirm|log|sign|verify))",
            re.I,
        ),
        rf"\1{MASK}",
    ),
    # a setting, whose name is in capitals: any word is its value
    Pattern(
        ("pass", "_p", "secret", "token", "key"),
        re.compile(
            r"((?<![\w-])(?:[A-Z0-9]{1,20}_){1,4}(?:PASS(?:WORD|WD|PHRASE)?|PWD?|SECRET|TOKEN|(?:API_?|ACCESS_|PRIVATE_)KEY)"
            r"[\"']?\s{0,3}[:=]\s{0,3}[\"']?)(?![-<${\[(])[^\s\"'`,;<>]{4,}"
        ),
        rf"\1{MASK}",
    ),
    # a sentence that repeats a key of no known shape
    Pattern(
        ("key", "token", "secret", "credential"),
        re.compile(
            rf"(\b(?:keys?|tokens?|secrets?|credentials?)(?:\s[a-z]{{2,12}}){{0,2}}\W{{1,4}}){_RANDOM}{{20,200}}(?![\w-])"
        ),
        rf"\1{MASK}",
    ),
)
PLACES = (*_COMMANDS, *_FILES, *_SENTENCES, *_OTHER_PLACES)
