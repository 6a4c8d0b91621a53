"""Writes the OpenAPI documents of a running server into a folder: the whole one and that of every schema.

    documents.py URL KEY FOLDER
"""

import json
import sys
import urllib.request
from pathlib import Path

url, key, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])


def get(path: str) -> bytes:
    request = urllib.request.Request(url + path, headers={"Authorization": key})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def write(name: str, document: bytes) -> None:
    text = json.dumps(json.loads(document), indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text)


folder.mkdir(parents=True, exist_ok=True)
write("whole", get("/openapi.json"))
for area in json.loads(get("/v1/my/businessareas"))["items"]:
    schemas = f"/v1/businessareas/{area['businessAreaId']}/schemas"
    for schema in json.loads(get(schemas))["items"]:
        name = "".join(c if c.isascii() and c.isalnum() else "_" for c in schema["name"].lower())
        write(f"schema_{name}", get(f"{schemas}/{schema['schemaId']}/openapi.json"))
