"""Verbs of operations that change something: lists alone, no rules.

The lists are conservative: `book` is a noun before it is a verb, and `place` or `make` count before
few objects only. `verbs.py` reads names by them, `sentences.py` reads descriptions.
"""

from gretel.text.words import word_set

DRASTIC = word_set("cancel delete destroy erase expunge nuke obliterate purge remove wipe")
"""Those that are meant at the end of a name as well: `user_delete`, but not `last_update`."""

VERBS = DRASTIC | word_set(
    """
    abort acknowledge activate add append approve assign ban buy create deactivate deprovision
    deregister disable discard dismiss donate downvote edit enable enqueue evict execute insert
    install invalidate kill logout modify overwrite pay provision publish reboot regenerate reject
    rename replace resend reset restart revoke rollback save sell send shutdown snooze submit
    subscribe suspend terminate toggle truncate unarchive unassign unban unblock undelete
    undeploy unfollow uninstall unlink unlock unmount unpublish unregister unsubscribe
    update upload upsert upvote withdraw write
    """
)
"""Verbs that change something, and that stand at the head of few names as anything else."""

NOUNS_TOO = word_set(
    """
    accept archive block book charge checkout clear close confirm decline deploy deposit dial
    disconnect drop email empty flush follow grant import increment invite invoke issue join
    leave like lock mark merge move mute notify order patch pause pin post purchase put refund
    register release reserve restore resume run schedule set share start stop store sync transfer
    trigger vote
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
archive: channel project repo repository
attach: disk volume
block: user
book: appointment flight hotel ride room seat table ticket trip
change: email owner password pin username
charge: card customer
checkout: cart order
clear: cache cart history
close: account door gate issue valve
confirm: booking order payment reservation
copy: file folder
decrement: counter
del: account file item user
deploy: app
detach: disk volume
dial: number
drop: collection column database db index schema table
empty: bin cart trash
exec: cmd command
expire: session token
factory: reset
flush: all cache db
follow: user
format: disk drive
grant: access permission permissions privilege privileges right rights role
increment: counter
invite: member user
kick: member user
leave: channel group
link: account
lock: account door
log: off out
make: booking deposit donation payment purchase reservation transfer
mark: as read unread
merge: branch pr pull
migrate: database db
mount: disk volume
move: file folder
mute: user
open: door garage gate valve
opt: in out
patch: account item user
place: bet bid order trade
post: message reply
power: off down
purchase: cart shop store
put: item user
refund: order payment
register: user
reserve: room seat table
rm: account file item user
roll: back
rotate: credentials key secret token
run: command job script
schedule: meeting
set: password
shut: down off
sign: out up
start: container device instance machine server service vm
stop: container device instance machine server service vm
switch: off on
sync: contact
transfer: balance bank funds money ownership wallet
trigger: build deploy deployment job pipeline run workflow
turn: off on
unlike: comment photo post
"""
VERB_OBJECTS = {
    verb: frozenset(form for thing in things.split() for form in (thing, f"{thing}s"))
    for verb, _, things in (line.partition(":") for line in _VERB_OBJECTS.strip().splitlines())
}
"""Objects and particles with which a word that is a noun elsewhere is a verb: `placeOrder`."""

COMPOUNDS = {
    "add": {"in", "ins", "on", "ons"},
    "buy": {"price", "prices", "box"},
    "cancel": {"reason", "reasons"},
    "edit": {"distance"},
    "execute": {"permission", "queries", "query", "search", "view"},
    "pay": word_set("grade grades period periods rate rates scale scales slip slips stub stubs"),
    "sell": {"price", "prices"},
    "send": {"as", "info"},
    "subscribe": {"count", "rule", "rules"},
    "update": {"frequency", "interval", "notes"},
    "upload": {"limit", "limits", "status", "url", "urls"},
    "write": {"permission", "permissions"},
}
"""Words that make a name of a thing out of verb and word: `add-ons`, `pay rates`."""

READING = word_set(
    """
    can check count describe download explain export fetch find get has head how is list load
    lookup may poll preview query read retrieve search show test validate verify view why
    """
)
"""Verbs behind which another one is what is read: `can_delete`, `get-order-cancel`."""


def _thirds(verb: str) -> set[str]:
    """The third person of a verb, and what its rules give beside it."""
    ending = f"{verb[:-1]}ies" if verb[-1] == "y" and verb[-2] not in "aeiou" else f"{verb}s"
    return {ending, f"{verb}es"}


def _gerunds(verb: str) -> set[str]:
    """The same of its -ing form: `deleting`, `submitting`."""
    return {f"{verb.removesuffix('e')}ing", f"{verb}ing", f"{verb}{verb[-1]}ing"}


_KNOWN = VERBS | NOUNS_TOO | VERB_OBJECTS.keys()
THIRDS = {form: verb for verb in _KNOWN for form in _thirds(verb)}
GERUNDS = {form: verb for verb in _KNOWN for form in _gerunds(verb)}
"""Forms of the known verbs, each with its verb."""
PLAIN = {verb: verb for verb in _KNOWN}
NOUN_FORMS = word_set("adds buys edits pays saves sells sends updates uploads")
"""Third persons that are plurals too, or nearly so: they count before an object alone."""
