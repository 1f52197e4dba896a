"""Names of fields in answers and what each may hold: errors, statuses, counts, the content itself.

Keys are compared in lower case without blanks, `_`, `-` and `.`.
"""

import re

from gretel.text.words import word_set

FIELDS = 1_000
"""Fields of an envelope or of an error: an object of more is data."""
_KEY = 1_000
"""Characters of a key: a longer one is data."""


def plain_key(key: str) -> str:
    """`key` as the sets below have it."""
    return re.sub(r"[\s_.-]", "", key[:_KEY]).lower()


ERROR_KEYS = word_set(
    "error errors err errormessage errormsg errmsg errdesc errordescription errordetails errorinfo "
    "errortype exception exceptionmessage fault faults haserror haserrors iserror"
)
STATUS_KEYS = word_set(
    "status statuscode code cod httpcode httpstatus httpstatuscode errorcode errcode errno "
    "responsecode resultcode returncode retcode ret"
)
SUCCESS_KEYS = word_set("success ok succeeded issuccess successful")
CODE_KEYS = word_set("code errorcode type status reason exception name")
"""Keys whose value may be an error's own identifier: `record_not_found`, `NoSuchJob`."""
NUMBER_KEYS = word_set("code errorcode errcode errno resultcode returncode retcode ret")
"""Keys whose value may be an error's own number, 0 or an HTTP status for none."""
WORD_KEYS = word_set("status stat state outcome result response type")
"""Keys whose value may be the word `error`."""
MESSAGE_KEYS = word_set(
    "message msg mesg messages detail details info information note notes reason title "
    "statusmessage statusmsg statustext statusdescription responsemessage resultmessage "
    "resultmsg returnmessage returnmsg retmsg faultstring notice warning"
)
"""Keys of words on how the call went; `mesg` and `faultstring` (SOAP 1.1) are in use, too."""
COUNT_KEYS = word_set(
    "total count totalcount totalresults totalitems totalhits totalrecords resultcount "
    "resultscount numresults numfound numberofresults hitcount found matches results"
)
COUNT_NAME = re.compile(
    r"total[a-z]*|(?:num|number|nb)(?:of|found|matched|returned|results|items|records|hits|rows"
    r"|pages)[a-z]*|[a-z]*(?:(?<!ac)(?<!dis)counts?|total|matched|returned|found)"
)
"""Names of counts: `totalArticles`, `numberMatched`, `nbHits`. What counts zero holds nothing."""
CONTAINER_KEYS = word_set(
    "data result results response payload body content items value output list docs objects "
    "embedded d"
)
"""Keys that hold the answer itself; `d` is OData's (version 2), `embedded` HAL's."""
LIST_KEYS = word_set(
    "results items hits records matches entries features rows searchresults docs bindings"
)
"""Keys of the main list of a search: empty there is empty altogether."""
FRAME_WORDS = word_set(
    "columns fields headers head vars facet facets aggregation aggregations filter filters sort "
    "sorts order pageable number size bbox crs option options extensions debug page paging "
    "pagination"
)
"""Words of what describes a list, and is filled beside an empty one: columns, Solr's facets."""
METER_WORDS = word_set(
    "time took elapsed ms millis timestamp ts at updated generated fetched retrieved expires "
    "expiry ttl latency credit credits quota calls remaining left cost build"
)
"""Words of what an answer took: time, calls that are left."""
SETTING_WORDS = word_set(
    "country currency locale language lang domain region timezone tz unit units version source "
    "provider marketplace host server copyright attribution disclaimer license"
)
"""Words of the terms under which an answer was given."""
FLAG_WORDS = word_set("next more previous prev final last first cached truncated partial complete")
"""Words of yes or no beside a list: whether it goes on."""
AROUND_KEYS = word_set(
    "links link responseheader searchmetadata searchparameters searchinformation"
)
"""Lists and objects that lead on from an answer, and its protocol's own: HAL and OGC put links
beside each list."""
FLAG_KEYS = word_set("more last first truncated istruncated partial incompleteresults empty")
"""Yes or no beside a list: whether it goes on."""
PAGE_KEYS = word_set("page paging pagination meta metadata pageinfo")
"""Objects that hold the counts of a list."""

ENVELOPE_KEYS = (
    STATUS_KEYS
    | SUCCESS_KEYS
    | COUNT_KEYS
    | word_set(
        "requestid traceid correlationid timestamp ts took timedout elapsed executiontime page "
        "pages totalpages pagenumber pagesize perpage limit offset next previous prev hasmore "
        "hasnext nextpage cursor nextcursor nextpagetoken meta metadata pagination paging query "
        "params parameters request input version apiversion copyright kind etag jsonrpc "
        "resulttype"
    )
)
"""What stands around an answer and is none itself."""

TRACE = word_set(
    "id uuid ref reference incident target resource source param field moreinfo name syscall "
    "address port hostname"
)
"""What an error with an identifier of its own names beside its words."""

CONTEXT_KEYS = (
    ENVELOPE_KEYS
    | ERROR_KEYS
    | MESSAGE_KEYS
    | WORD_KEYS
    | word_set("time datetime path method instance documentationurl docs help hint description")
    | word_set("stack stacktrace trace")
)
"""What stands around an error."""

ERROR_WORDS = word_set(
    "error errors err fail failed failure nok ko notok not_ok denied unauthorized forbidden "
    "exception invalid_request request_denied over_query_limit not_found zero_results"
)
GOOD_WORDS = word_set(
    "ok okay success successful succeeded true none null no false 0 200 201 done complete "
    "completed found n/a - noerror no_error"
)
"""Words that say that all is well, or that there is no error."""
