"""What schemathesis is told beyond the document: ids of things that are there, so that requests come behind the 404, and
the named exceptions, each with its reason."""

import os
import random
import re

import requests
import schemathesis
from schemathesis.core import NOT_SET
from schemathesis.core.parameters import ParameterLocation

URL = os.environ["FIELDSTONE_URL"]
KEY = os.environ["FIELDSTONE_TRIED_KEY"]
CHANCE = random.Random(int(os.environ.get("FIELDSTONE_SEED", "1")))
SESSION = requests.Session()
SESSION.headers["Authorization"] = KEY

# requests after which ids are read anew: what was deleted is gone, what was made is there
REFRESH = 150
# seconds that the feed of changes is let wait: nobody writes meanwhile, and each case would wait as long as it asks
WAIT_MAX = 1
# nouns whose removal would leave nothing to ask about: only a few of their deletions are meant for real ones
ROOTS = {"areas", "schemas", "datasets"}


def items(path):
    answer = SESSION.get(URL + path, timeout=30)
    return answer.json().get("items", []) if answer.status_code == 200 else []


def ids(path, name):
    return [item[name] for item in items(path) if item.get(name)]


# who asks, and the administrator: without them nobody may ask any more
OWN = {k["apiKeyId"] for k in items("/admin/api/v1/api-keys?pageSize=1000") if k["name"] == "tried"}
OWN |= {u["userId"] for u in items("/admin/api/v1/users?pageSize=1000") if u["username"] == "admin"}


class Pool:
    """Ids by noun, and places of records."""

    def __init__(self):
        self.count = 0
        self.of = {}
        self.places = []

    def refresh(self):
        admin = "/admin/api/v1"
        self.of = {
            "areas": ids(f"{admin}/areas", "businessAreaId"),
            "domains": ids(f"{admin}/domains", "dataDomainId"),
            "roles": ids(f"{admin}/roles", "roleId"),
            "users": [u["userId"] for u in items(f"{admin}/users") if u["userId"] not in OWN],
            "api-keys": [k["apiKeyId"] for k in items(f"{admin}/api-keys") if k["apiKeyId"] not in OWN],
            "apps": ids(f"{admin}/apps", "clientId"),
            "webhooks": ids(f"{admin}/webhooks", "webhookId"),
            "jobs": ids(f"{admin}/jobs", "jobId"),
            "sessions": ids(f"{admin}/my/sessions", "sessionId"),
        }
        self.places = []
        for area in self.of["areas"]:
            for schema in ids(f"{admin}/areas/{area}/schemas", "schemaId"):
                for dataset in ids(f"{admin}/schemas/{schema}/datasets", "dataSetId"):
                    self.places.append((area, schema, dataset))
        CHANCE.shuffle(self.places)
        self.of["schemas"] = [schema for _, schema, _ in self.places]
        self.of["datasets"] = [dataset for _, _, dataset in self.places]

    def place(self):
        if self.count % REFRESH == 0:
            self.refresh()
        self.count += 1
        return CHANCE.choice(self.places) if self.places else None


POOL = Pool()


def records(place):
    area, schema, dataset = place
    return items(f"/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects?pageSize=20")


def is_meant(case, location):
    """Whether a part of the request is as the document asks for it: what is meant to be wrong stays wrong."""
    if case.meta is None:
        return True
    # a case made for a line of the document does not always tell which part it means to be wrong
    is_line = case.meta.phase.name.value == "coverage"
    return not is_line and not case.meta.is_negative_at(location)


def seeded(case, place):
    """The path's parameters with ids of things that are there."""
    template, given = case.operation.path, dict(case.path_parameters)
    area, schema, dataset = place
    hierarchy = {"businessAreaId": area, "schemaId": schema, "datasetId": dataset}
    given.update({name: value for name, value in hierarchy.items() if name in given})
    noun = re.match(r"/admin/api/v1/(?:my/)?([a-z-]+)/\{id\}", template)
    if noun:
        given["id"] = dataset if noun[1] == "datasets" else CHANCE.choice(POOL.of.get(noun[1]) or [given["id"]])
    if {"record", "dataObjectId", "pkValue"} & given.keys():
        found = CHANCE.choice(records(place) or [None])
        if "deleted-records" in template:
            gone = ids(f"/admin/api/v1/datasets/{dataset}/deleted-records", "_dataObjectId")
            found = {"_dataObjectId": CHANCE.choice(gone)} if gone else None
        if found:
            key = next((value for name, value in found.items() if not name.startswith("_") and value), "x")
            names = {"record": found["_dataObjectId"], "dataObjectId": found["_dataObjectId"], "pkValue": key}
            given.update({name: value for name, value in names.items() if name in given})
    if "version" in given:
        given["version"] = CHANCE.choice(["0", "0", "1"])
    return given


def record_body(case, place):
    """A record that is there, changed a little, for creates and updates."""
    found = CHANCE.choice(records(place) or [None])
    if not found:
        return case.body
    body = {name: value for name, value in found.items() if not name.startswith("_")}
    if case.method.upper() == "PUT":
        case.path_parameters["dataObjectId"] = found["_dataObjectId"]
        return {"_version": found["_version"]} | dict(CHANCE.sample(sorted(body.items()), k=min(2, len(body))))
    first = next(iter(body), None)
    return body | {first: f"S{CHANCE.randrange(10**6)}"}


def soon_answered(case):
    """The feed of changes, asked for as a page: as a stream of events (`Accept: text/event-stream`) it has no end."""
    case.headers["Accept"] = "application/json"
    wait = case.query.get("wait") if case.query else None
    if re.fullmatch("[0-9]+", str(wait)) and WAIT_MAX < int(wait) <= 60:
        case.query["wait"] = WAIT_MAX


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.operation.path.startswith("/v1/") and case.operation.path.endswith("/changes"):
        soon_answered(case)
    # ids are found in answers, too
    if case.path_parameters and case.path_parameters.get("id") in OWN:
        case.path_parameters["id"] = "another"
    place = POOL.place()
    if place is None or CHANCE.random() < 0.15:
        return
    noun = case.operation.path.split("/")[-2]
    if case.method.upper() == "DELETE" and noun in ROOTS and CHANCE.random() < 0.95:
        return
    if case.path_parameters and is_meant(case, ParameterLocation.PATH):
        case.path_parameters = seeded(case, place)
        is_record = "/dataobjects" in case.operation.path and case.method.upper() in ("POST", "PUT")
        if is_record and case.body is not NOT_SET and is_meant(case, ParameterLocation.BODY) and CHANCE.random() < 0.5:
            case.body = record_body(case, place)
