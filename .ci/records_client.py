"""Asks one server by the data interface, for what tries it from outside (`litestream/try.py`, `citus/try.py`)."""

import http.client
import json


class Client:
    """Asks over one connection."""

    def __init__(self, address, credential):
        self.connection = http.client.HTTPConnection(address, timeout=120)
        self.credential = credential

    def ask(self, line, body=None):
        """Status and document of an answer."""
        method, path = line.split(" ")
        heads = {"Authorization": self.credential, "Content-Type": "application/json"}
        self.connection.request(method, path, json.dumps(body) if body is not None else None, heads)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def good(self, line, body=None):
        """The document of an answer that must be a good one."""
        status, document = self.ask(line, body)
        assert status < 300, (line, status, document)
        return document

    def datasets(self):
        """The paths of the records of all datasets of the first schema, by the datasets' names."""
        area = self.good("GET /v1/my/businessareas")["items"][0]["businessAreaId"]
        schemas = f"/v1/businessareas/{area}/schemas"
        schema = self.good(f"GET {schemas}")["items"][0]["schemaId"]
        place = f"{schemas}/{schema}/datasets"
        return {one["dataSetName"]: f"{place}/{one['dataSetId']}/dataobjects" for one in self.good(f"GET {place}")["items"]}
