"""Run by ACA-Py's own Python: fills the wallet of a guild of mountain guides."""

import asyncio
import json
import os
import sys

from aries_cloudagent.config.default_context import DefaultContextBuilder
from aries_cloudagent.config.wallet import wallet_config
from aries_cloudagent.connections.base_manager import BaseConnectionManager
from aries_cloudagent.connections.models.conn_record import ConnRecord
from aries_cloudagent.messaging.models import base_record
from aries_cloudagent.protocols.coordinate_mediation.v1_0.manager import MediationManager
from aries_cloudagent.protocols.coordinate_mediation.v1_0.models.mediation_record import (
    MediationRecord,
)
from aries_cloudagent.protocols.coordinate_mediation.v1_0.route_manager import RouteManager
from aries_cloudagent.protocols.coordinate_mediation.v1_0.route_manager_provider import (
    RouteManagerProvider,
)
from aries_cloudagent.protocols.discovery.v2_0.messages.disclosures import Disclosures
from aries_cloudagent.protocols.discovery.v2_0.messages.queries import Queries, QueryItem
from aries_cloudagent.protocols.discovery.v2_0.models.discovery_record import (
    V20DiscoveryExchangeRecord,
)
from aries_cloudagent.protocols.endorse_transaction.v1_0.models.transaction_record import (
    TransactionRecord,
)
from aries_cloudagent.protocols.issue_credential.v2_0.messages.cred_proposal import V20CredProposal
from aries_cloudagent.protocols.issue_credential.v2_0.messages.inner.cred_preview import (
    V20CredAttrSpec,
    V20CredPreview,
)
from aries_cloudagent.protocols.issue_credential.v2_0.models.cred_ex_record import V20CredExRecord
from aries_cloudagent.protocols.present_proof.v2_0.messages.pres_request import V20PresRequest
from aries_cloudagent.protocols.present_proof.v2_0.models.pres_exchange import V20PresExRecord
from aries_cloudagent.protocols.routing.v1_0.models.route_record import RouteRecord
from aries_cloudagent.revocation.models.issuer_cred_rev_record import IssuerCredRevRecord
from aries_cloudagent.revocation.models.issuer_rev_reg_record import IssuerRevRegRecord
from aries_cloudagent.storage.base import BaseStorage
from aries_cloudagent.storage.record import StorageRecord
from aries_cloudagent.storage.vc_holder.base import VCHolder
from aries_cloudagent.storage.vc_holder.vc_record import VCRecord
from aries_cloudagent.version import RECORD_TYPE_ACAPY_VERSION, __version__
from aries_cloudagent.wallet.base import BaseWallet
from aries_cloudagent.wallet.did_info import DIDInfo
from aries_cloudagent.wallet.did_method import KEY, SOV
from aries_cloudagent.wallet.key_type import ED25519

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import acapy_licences as given
import acapy_rows as rows

MOMENTS = iter(range(10_000))


def moment():
    """Each record 7 hours after the one before."""
    hours = 7 * next(MOMENTS)
    return f"2026-{9 + hours // 672:02d}-{1 + hours // 24 % 28:02d}T{hours % 24:02d}:15:00.000000Z"


base_record.time_now = moment


def linked(about):
    """A credential of W3C, as the wallet keeps it."""
    types = ["VerifiableCredential", about["type"]]
    value = {
        "@context": ["https://www.w3.org/2018/credentials/v1", given.VOCABULARY],
        "id": about["given_id"],
        "type": types,
        "issuer": about["issuer"],
        "issuanceDate": about["issued"],
        "expirationDate": about["expires"],
        "credentialSubject": {"id": about["subject"], **about["claims"]},
        "proof": {"type": "Ed25519Signature2018", "created": about["issued"]},
    }
    return VCRecord(
        contexts=value["@context"],
        expanded_types=[f"{given.VOCABULARY}#{each}" for each in types],
        issuer_id=about["issuer"],
        subject_ids=[about["subject"]],
        schema_ids=[],
        proof_types=["Ed25519Signature2018"],
        cred_value=value,
        given_id=about["given_id"],
        record_id=about["id"],
    )


async def exchanges(session):
    """Licences that were offered, and proofs that were asked for."""
    for about, comment, claims in given.ISSUED:
        preview = V20CredPreview(
            attributes=[V20CredAttrSpec(name=name, value=value) for name, value in claims]
        )
        proposal = V20CredProposal(
            about["cred_ex_id"],
            comment=comment,
            credential_preview=preview,
            formats=[],
            filters_attach=[],
        )
        record = V20CredExRecord(
            **about, cred_proposal=proposal, auto_remove=False, new_with_id=True
        )
        await record.save(session, event=False)
    for about, comment in given.PROOFS:
        asked = V20PresRequest(
            about["pres_ex_id"],
            comment=comment,
            will_confirm=True,
            formats=[],
            request_presentations_attach=[],
        )
        record = V20PresExRecord(**about, pres_request=asked, new_with_id=True)
        await record.save(session, event=False)


async def others(session):
    """Mediators, revocations, transactions, and what others told of themselves."""
    for about in given.MEDIATIONS:
        await MediationRecord(**about, new_with_id=True).save(session, event=False)
    for about in given.ROUTES:
        await RouteRecord(**about, new_with_id=True).save(session, event=False)
    for about in given.REGISTRIES:
        await IssuerRevRegRecord(**about, new_with_id=True).save(session, event=False)
    for about in given.REVOCABLE:
        await IssuerCredRevRecord(**about, new_with_id=True).save(session, event=False)
    for about in given.TRANSACTIONS:
        await TransactionRecord(**about, new_with_id=True).save(session, event=False)
    for identifier, connection, asked, told in given.DISCOVERED:
        queries = Queries(queries=[QueryItem(feature_type="protocol", match=asked)])
        found = [{"feature-type": "protocol", "id": each} for each in told]
        record = V20DiscoveryExchangeRecord(
            discovery_exchange_id=identifier,
            connection_id=connection,
            thread_id=identifier,
            queries_msg=queries,
            disclosures=Disclosures(disclosures=found),
            new_with_id=True,
        )
        await record.save(session, event=False)


async def main(settings):
    """Every record of `acapy_rows` and `acapy_licences`."""
    context = await DefaultContextBuilder(settings).build_context()
    profile, _ = await wallet_config(context, provision=True)
    provider = RouteManagerProvider(profile)
    profile.context.injector.bind_provider(RouteManager, provider)
    manager = BaseConnectionManager(profile)
    async with profile.session() as session:
        wallet = session.inject(BaseWallet)
        for method, seed, about in rows.DIDS:
            chosen = SOV if method == "sov" else KEY
            await wallet.create_local_did(chosen, ED25519, seed=seed, metadata=about)
        await wallet.set_public_did(rows.GUILD)
        storage = session.inject(BaseStorage)
        for kind, value, tags in given.SENT:
            await storage.add_record(StorageRecord(kind, value, {**tags, "epoch": "1788220800"}))
        # Without it, its start takes the wallet for an old one and writes the connections anew.
        await storage.add_record(StorageRecord(RECORD_TYPE_ACAPY_VERSION, f"v{__version__}"))
        holder = session.inject(VCHolder)
        for about in given.LINKED:
            await holder.store_credential(linked(about))
    for about, endpoint, key, more in rows.CONNECTIONS:
        async with profile.session() as session:
            record = ConnRecord(**about, new_with_id=True)
            await record.save(session, event=False)
            for name, value in more.items():
                await record.metadata_set(session, name, value)
        if endpoint:
            info = DIDInfo(about["their_did"], key, {}, SOV, ED25519)
            await manager.store_did_document(await manager.create_did_document(info, [endpoint]))
    async with profile.session() as session:
        await exchanges(session)
        await others(session)
    await MediationManager(profile).set_default_mediator_by_id(given.DEFAULT_MEDIATOR)
    await profile.close()


asyncio.run(main(json.loads(sys.argv[1])))
