"""Writes the schemas of fixtures/conformance as JSON texts: JavaScript would round their bounds when it reads them."""

import json
import pathlib
import sys

source, target = map(pathlib.Path, sys.argv[1:])
texts = {
    path.name: {key: json.dumps(document) for key, document in json.loads(path.read_text())["schemas"].items()}
    for path in source.glob("*.json")
}
target.write_text(json.dumps(texts))
