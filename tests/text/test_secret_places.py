"""Secrets are masked by where they stand, whatever they look like."""

import pytest

from gretel.text.redact import redacted
from gretel.text.secret_shapes import MASK

SEED = "army van defense carry jealous true garbage claim echo media make crunch"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("curl -u admin:Tr0ub4dor&3 https://x.example", "Tr0ub"),
        ("curl -s -u'app:qW3rTy99' https://x.example", "qW3r"),
        ("curl --proxy-user mike:Pr0xyPass! https://x.example", "Pr0xy"),
        ("http -a tester:Zebra!42x GET x.example", "Zebra"),
        ("wget --user=bob --password=hunter2xyz http://x.example", "hunter2"),
        ("vault login --token=rootTok3nXyz", "rootTok"),
        ("docker login -u bob -p whaleTail5 reg.example", "whale"),
        ("mysql -u root -pS3lectStar db", "S3lect"),
        ("sshpass -p 'Gr33nT3a' ssh root@host", "Gr33n"),
        ("redis-cli -a f00bar9 ping", "f00bar9"),
        ("PGPASSWORD=elephant42 psql -h db", "elephant"),
        ("machine api.example.com\n  login bob\n  password s3cr3tHorse\n", "Horse"),
        ("default login anonymous password Zx81spectrum", "Zx81"),
        ("db.example:5432:prod:app:tuskAndTrunk", "tusk"),
        ("user,password,role\nalice,Wonder1and!,admin\nbob,Builder#99,user", "Wonder"),
        ("user,password,role\nalice,Wonder1and!,admin\nbob,Builder#99,user", "Builder"),
        ('email,pwd\nf@x.example,"Puma9,claw"', "Puma9"),
        ('{"csv": "user;passwort\\n7;Expl0rer77"}', "Expl0"),
        ("| user | password |\n|---|---|\n| carol | xmasTree25 |", "xmas"),
        ("name\tpassword\nerin\tLynx4ever", "Lynx"),
        (f"Your seed phrase: {SEED}", "jealous"),
        (f"Keep your wallet words safe: {SEED}", "jealous"),
        (f"mnemonic = {SEED.split()!r}", "jealous"),
        ('{"kty":"oct","k":"GawgguFyGrWKav7AX4VKUg","alg":"HS256"}', "Gawggu"),
        ('{"kty":"EC","x":"gI0GAILBdu7T53akrFmMyGcs","d":"870MB6gfuTJ4HtUnUvYMyJpr5"}', "870MB6"),
        ("curl -b 'sid=9f8e7d6c5b4a' https://x.example", "9f8e7d"),
        ("bob:$apr1$lZL6V/ci$eIMz/iKDkbtys/uU7LEK00", "eIMz"),
        ("is $argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub", "Rdescu"),
        ("{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3", "DkMTw"),
        ("client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt", "LS0t"),
        ("Private-Lines: 1\nAAABAQC7sRkM2mC0p8f3g4hJ5kL6mN7oP8\nPrivate-MAC: 1b", "AAABAQ"),
        ('Authorization: Digest username="bob", response="6629fae49393a0"', "6629"),
        ("your pin is 4711", "4711"),
        ("Ihr Passwort lautet: Sonnenblume7", "Sonnen"),
        ("Mot de passe : Tournesol88", "Tournesol"),
        ("La contrase\u00f1a es: Girasol99", "Girasol"),
        ("lftp -u dave,Plum8tree sftp.example", "Plum8"),
        ("smbclient //srv/x -U erin%Grape9vine", "Grape9"),
        ("ansible_ssh_pass: Cherry3pie", "Cherry3"),
        ("jdbc:oracle:thin:scott/Tiger9claw@db:1521", "Tiger9"),
        ("WIFI:T:WPA;S:home;P:Olive7oil;;", "Olive7"),
        ("smtp_pass => 'mailMe!now2'", "mailMe"),
    ],
)
def test_masked(text: str, secret: str) -> None:
    seen = redacted(text, was_cut=False)
    assert secret in text and secret not in seen and MASK in seen


@pytest.mark.parametrize(
    "text",
    [
        "docker run -u 1000:1000 image",
        "chown -u www:www folder",
        "ssh -p 2222 host",
        "mkdir -p build/real",
        "main.py:120:8:E501:long",
        "id,name,price\n1,tea,2.50",
        "Fields: user, password\nBoth are required, thanks",
        "password,hint\n,none",
        "The seed was planted and watered by the old man from the small town near the river",
        "Recovery: the team has been back and running for the last four days with all services",
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t",
        '{"k": "GawgguFyGrWKav7AX4VKUg"}',
        "The password is required",
        "passwords: at least eight characters",
        "pin: 560001",
        "Cookie: none was sent",
        "costs $1$ or $5$ for each of them",
    ],
)
def test_left_alone(text: str) -> None:
    assert redacted(text, was_cut=False) == text


def test_a_table_ends_where_its_rows_do() -> None:
    text = "user,password\nann,Secret77\n\nplace,time\nOslo,12:30"
    assert redacted(text, was_cut=False) == f"user,password\nann,{MASK}\n\nplace,time\nOslo,12:30"
