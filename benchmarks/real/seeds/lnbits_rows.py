"""Run by the Python of LNbits on an empty data folder: its own functions write all rows."""

import asyncio
import os
import random
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from bolt11 import Bolt11, MilliSatoshi, Tags, encode
from lnbits.core.crud import get_wallets
from lnbits.core.crud.wallets import create_wallet
from lnbits.core.db import db
from lnbits.core.helpers import migrate_databases
from lnbits.core.models import Account, Payment
from lnbits.core.services.users import create_user_account_no_ckeck
from lnbits.utils.crypto import fake_privkey

# Ids are random: with a fixed source they are the same wherever this runs.
os.urandom = random.Random(17).randbytes

RUTH = os.environ["SEED_RUTH"]
AMIR = "6c2e1d8fab404f3c9d7e8091a2b3c4d5"
START = datetime(2026, 10, 5, 9, 0, tzinfo=UTC)
# wallet: (user, key, payments), each payment (memo, sats, status)
WALLETS = {
    "Stall till": (
        RUTH,
        os.environ["SEED_KEY"],
        [
            ("Pumpkin, 3 kg", 2400, "success"),
            ("Bean seeds", 900, "success"),
            ("Raspberry jam", 1500, "success"),
            ("Rent of stall 14", -3000, "success"),
            ("Honey, 2 jars", 5200, "pending"),
        ],
    ),
    "Repairs": (
        RUTH,
        "1a2b3c4d5e6f40718293a4b5c6d7e8f9",
        [("Donation for the gate", 12000, "success"), ("Hinges and screws", -4300, "success")],
    ),
    "Amir's wallet": (AMIR, "2b3c4d5e6f704182a3b4c5d6e7f80910", [("Bee smoker", -7000, "failed")]),
}


async def main():
    """Tables, people, wallets, payments."""
    await migrate_databases()
    for identifier, name, mail in (
        (RUTH, "ruth", "ruth@harbour.example"),
        (AMIR, "amir", "amir@harbour.example"),
    ):
        account = Account(
            id=identifier, username=name, email=mail, created_at=START, updated_at=START
        )
        account.hash_password("of-a-benchmark")  # no administrator without one
        first = next(wallet for wallet, (user, _, _) in WALLETS.items() if user == identifier)
        await create_user_account_no_ckeck(account, first)
    number = 0
    for name, (user, key, payments) in WALLETS.items():
        wallet = next((each for each in await get_wallets(user) if each.name == name), None)
        wallet = wallet or await create_wallet(user_id=user, wallet_name=name)
        await db.execute(
            "UPDATE wallets SET adminkey = :key, inkey = :inkey, lightning_address = :address"
            " WHERE id = :id",
            {
                "key": key,
                "inkey": sha256(key.encode()).hexdigest()[:32],
                "address": name.lower().replace(" ", "-").replace("'", ""),
                "id": wallet.id,
            },
        )
        for memo, amount, status in payments:
            number += 1
            await db.insert("apipayments", payment(number, wallet.id, memo, amount, status))


def payment(number, wallet, memo, amount, status):
    """A row that no money moved for."""
    hashed = sha256(f"payment {number}".encode()).hexdigest()
    moment = START + timedelta(hours=number)
    invoice = Bolt11(
        currency="bc",
        amount_msat=MilliSatoshi(abs(amount) * 1000),
        date=int(moment.timestamp()),
        tags=Tags.from_dict(
            {"payment_hash": hashed, "payment_secret": hashed, "description": memo}
        ),
    )
    return Payment(
        checking_id=f"internal_{hashed}",
        payment_hash=hashed,
        wallet_id=wallet,
        amount=amount * 1000,
        fee=0,
        bolt11=encode(invoice, fake_privkey("ToTheMoon1")),
        memo=memo,
        status=status,
        time=moment,
        created_at=moment,
        updated_at=moment,
        expiry=moment + timedelta(days=3650),
    )


asyncio.run(main())
