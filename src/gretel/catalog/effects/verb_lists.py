"""Verbs of operations that change something: lists alone, no rules.

The lists are conservative: `book` is a noun before it is a verb, and `place` or `make` count before
few objects only. `verbs.py` reads names by them, `sentences.py` reads descriptions.
"""

from gretel.text.words import word_set

DRASTIC = word_set("cancel delete destroy erase expunge nuke obliterate purge remove wipe")
"""Those that are meant at the end of a name as well: `user_delete`, but not `last_update`."""

VERBS = DRASTIC | word_set(
    """
    abort ack acknowledge activate add allocate append approve assign ban befriend buy chmod
    chown configure confiscate cordon create deactivate deallocate deauthorize decommission decr
    defrag defrost demote deprovision dequeue deregister detonate disable disarm disassociate
    disburse discard dismiss dispense dissociate donate downvote edit eject enable enqueue
    enroll escalate evacuate evict execute expel finalize freeze hibernate honk impersonate incr
    ingest inject insert install invalidate kill liquidate logout modify optout overwrite pay
    provision prune publish reactivate reassign rebalance reboot rebuild recreate redeem
    redeploy redrive reenable reformat regen regenerate reimburse reinstall reinstate reissue reject
    relaunch reload relocate remit rename renew reopen repay replace reprocess reprovision republish
    requeue reroute rerun reschedule resend reset respawn restart restock resync retire revoke
    rollback save sell send shutdown snooze submit subscribe suspend terminate toggle transact
    truncate unarchive unassign unban unblock uncordon undelete undeploy undo unenroll unfavorite
    unfollow unfreeze unfriend uninstall unlink unlock unmonitor unmount unmute unpin unpublish
    unregister unset unshare unstar unsub unsubscribe unsuspend untag update upload upsert
    upvote wakeup wipeout withdraw write
    """
)
"""Verbs that change something, and that stand at the head of few names as anything else."""

DEEDS = VERBS - word_set(
    """
    activate allocate append approve assign ban buy donate edit execute insert install pay
    provision publish save sell send submit subscribe transact update upload write
    """
)
"""Those whose noun says it as well, and names no thing: `userDeletion`, "Removal of a user"."""

NOUNS_TOO = word_set(
    """
    accept archive block book charge checkout clear close confirm decline deploy deposit dial
    disconnect drop email empty flush follow grant import increment invite invoke issue join leave
    like lock mark merge move mute notify order patch pause pin post promote purchase put
    quarantine refund register reindex release reserve restore resume retry revert run schedule set
    share start stop store sync transfer trash trigger vote
    """
)
"""Verbs that are nouns or adjectives just as often: they count before an object alone."""

OBJECT = word_set("a all an another any existing it multiple new one the this your")
"""Words that begin an object: "Book a table", but not "Book by ISBN"."""

THINGS = word_set(
    """
    account all booking card cart comment contact customer data device document email everything
    file folder group invoice item job key mail member message money note notification object order
    page password payment post product profile project record reservation role row session sms
    subscription table task ticket token transaction user webhook
    """
)
"""What is changed most often: `deleteuser` is a verb and one of these, as is `app_delete_user`."""

_VERB_OBJECTS = """
admit discharge: patient
allow ban block deny unblock: address firewall ip user
apply: coupon discount migration patch
archive: channel project repo repository
arm: alarm
attach detach mount: disk volume
bid: auction
blacklist: number user
book: appointment flight hotel now ride room seat table ticket trip
boot: device instance machine server vm
bring spin: down up
broadcast: message transaction tx
build: with
burn mint: nft token
capture: charge payment
cash: out
cast: vote
change: email owner password pin username
charge: card customer
checkin: booking flight guest reservation visitor
checkout: booking cart flight guest order reservation visitor
claim: bonus coupon prize reward
clear: cache cart history
clock opt punch: in out
close: account door gate issue valve
commit: transaction
compact seed: database db
complete finish: booking checkout order payment purchase task todo transaction
confirm: booking order payment reservation
consume: credit
copy move: file folder
credit debit fund: account wallet
decrease increase: balance limit quota stock
decrement increment: counter
del rm: account file item user
deliver ship: event notification order package parcel webhook
deploy: app
dial: number phone
disconnect: client device peer user
dispatch: driver job order workflow
downgrade upgrade: account plan subscription
drain: node pool queue
drop: collection column database db index schema table
empty: bin cart trash
exec: cmd command script
expire: session token
factory: reset
fire: event hook webhook
flush: all cache db
follow mute notify register: user
format: disk drive
forward: email message
gen: apikey key password secret token
generate: apikey secret
grant: access admin permission permissions privilege privileges right rights role
hang: up
import: contact customer product user
invite kick promote: member user
launch: campaign instance job
leave: channel group
link: account
lock: account card device door
log: off out
make: booking deposit donation payment purchase reservation transfer
mark: as read unread
merge: branch pr pull
migrate: database db schema tenant user
open: door garage gate valve
order: now
patch: account item user
pause resume: campaign job playback player queue server service subscription task workflow
place: bet bid call order trade
pop: message queue
post: comment message reply
power: cycle down off on
print: document label receipt
purchase: cart shop store
put: item user
quarantine: device file host message user
recharge: account balance card wallet
rate: driver episode movie product recipe restaurant seller song trip
record: click conversion impression pageview visit
refresh: cache index session token
refund: order payment
reindex: collection database db index search
release: fund hold lock
reply: comment message
report: abuse spam
request: callback refund reset withdrawal
reserve: room seat table
reset zero: counter stat statistic
resize: disk instance machine server vm volume
resolve: alert incident issue thread ticket
restore: backup snapshot
retry: build job message order payment request task webhook
revert: change commit version
ring: bell doorbell
roll: back
rotate: credentials key log secret token
run: backup command crawler cron import job migration now pipeline scan script task workflow
scale: deployment service
schedule: meeting
set: brightness color password temperature timer volume
settle: bet invoice payment
shut: door down gate off valve
sign: contract document out transaction up
skip: song track
start: campaign container crawl device instance job machine pipeline scan scrape server service vm
stop: campaign container device instance job machine pipeline scan server service task vm
switch turn: off on
sync: calendar contact inventory now
tear: down
text: code message number phone user
tip: driver
topup: account balance card phone wallet
track: click conversion impression pageview
transfer: asset balance bank coin funds money nft ownership token wallet
trash: email file message post
trigger: alarm backup build deploy deployment export import job pipeline run scan workflow
unlike: comment photo post
vacuum: database db table
void: check invoice order payment transaction
vote: candidate election poll survey
wake: computer device host machine
"""
_PARTICLES = word_set("back down in off on out up with")
VERB_OBJECTS = {
    verb: frozenset(
        form
        for thing in things.split()
        for form in (thing, *([] if thing in _PARTICLES else [f"{thing}s"]))
    )
    for verbs, _, things in (line.partition(":") for line in _VERB_OBJECTS.strip().splitlines())
    for verb in verbs.split()
}
"""Objects and particles with which a word that is a noun elsewhere is a verb: `placeOrder`."""

COMPOUNDS = {
    "add": {"in", "ins", "on", "ons"},
    "buy": {"price", "prices", "box"},
    "cancel": {"reason", "reasons"},
    "edit": {"distance"},
    "execute": {"permission", "queries", "query", "search", "view"},
    "freeze": {"date", "dates"},
    "pay": word_set("grade grades period periods rate rates scale scales slip slips stub stubs"),
    "sell": {"price", "prices"},
    "send": {"as", "info", "time", "times"},
    "subscribe": {"count", "rule", "rules"},
    "update": {"frequency", "interval", "notes"},
    "upload": {"limit", "limits", "status", "url", "urls"},
    "write": {"permission", "permissions"},
}
"""Words that make a name of a thing out of verb and word: `add-ons`, `pay rates`."""

EVENTS = word_set(
    """
    airdrop blackout bootout cashout chargeback checkin cleanup failover greylist handover hardreset
    kickoff kickout liftoff lockdown lockout mkdir payout reinit rmdir rollout selfdestruct
    shadowban shutoff softreset switchover takedown takeover teardown topup whitelist writeoff
    zeroout
    """
)
"""Nouns of what is done that have no verb of their own in dictionaries: `takedown`."""
APART = word_set("away back down off out up")
"""Words of a verb that stand apart from it, and are no prepositions as often: "shut it down"."""
