"""Rows judged and read as dicts: by the engine, and by pydantic with the bounds, patterns and codes of the same schema."""

import json
import pathlib
import sys
import time
from typing import Annotated, List, Literal, Optional

from fieldstone import Checker
from pydantic import Field, TypeAdapter, create_model

folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
order = (folder / "order.json").read_text().strip()
rows = [order.replace("SO20417733", f"SO2041{n:04}").encode() for n in range(1000)]
schema = json.loads((folder / "order.json-schema.json").read_text())


def type_of(prop):
    if "type" not in prop:
        return Literal[tuple(prop["enum"])]
    kinds = prop["type"] if isinstance(prop["type"], list) else [prop["type"]]
    kind = next(kind for kind in kinds if kind != "null")
    if "enum" in prop:
        one = Literal[tuple(code for code in prop["enum"] if code is not None)]
    elif kind == "array":
        one = List[type_of(prop["items"])]
    else:
        names = {"minLength": "min_length", "maxLength": "max_length", "minimum": "ge", "maximum": "le", "pattern": "pattern"}
        limits = {ours: prop[theirs] for theirs, ours in names.items() if theirs in prop}
        one = {"string": str, "integer": int, "number": float, "boolean": bool}[kind]
        one = Annotated[one, Field(**limits)]
    return Optional[one] if "null" in kinds else one


members = {
    f"field_{at}": (type_of(prop), Field(alias=name) if name in schema["required"] else Field(default=None, alias=name))
    for at, (name, prop) in enumerate(schema["properties"].items())
}
model = TypeAdapter(create_model("Order", **members))
checker = Checker((folder / "order.schema.json").read_text())


def rate(one):
    started, seen = time.perf_counter(), 0
    for at in range(count):
        seen += one(rows[at % 1000])
    assert seen == count, "each row is clean"
    return count / (time.perf_counter() - started)


def record(row):
    checked = checker.check(row)
    return checked.is_clean and json.loads(checked.normal_form) is not None


theirs = [rate(lambda row: model.validate_json(row) is not None) for _ in range(2)]
for name, one in [("verdict", checker.is_clean), ("record as dict", record)]:
    ours = [rate(one) for _ in range(2)]
    print(f"Python, {name}: {max(ours):,.0f} rows/s; pydantic {max(theirs):,.0f} rows/s; {max(ours) / max(theirs):.2f} x")
