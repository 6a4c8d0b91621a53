"""Every case of fixtures/conformance through the Python module: texts and bytes, compared exactly."""

import json
import pathlib
import sys

from fieldstone import Checker, Lookups, Rejected


def lookups_of(case):
    # what a case does not list is unknown, files too
    told = case.get("lookups")
    return None if told is None else Lookups(json.dumps({"domains": {}, "files": {}, **told}))


def outcome(checker, case):
    lookups = lookups_of(case)
    try:
        if "stored" in case:
            checked = checker.merge(case["stored"], case["change"].encode(), lookups)
        else:
            body = bytes.fromhex(case["input_hex"]) if "input_hex" in case else case["input"]
            checked = checker.check(body, lookups)
    except Rejected as rejected:
        expected = case.get("rejected", [])
        told = []
        for at, item in enumerate(rejected.items):
            entry = {"code": item.code, "offset": item.offset}
            if at < len(expected) and "name" in expected[at]:
                entry["name"] = item.name
            told.append(entry)
        return {"rejected": told}
    assert checked.is_clean == (not checked.faults)
    return {
        "normal_form": checked.normal_form,
        "primary_key": checked.primary_key,
        "errors": json.loads(checked.errors),
    }


def main(folder):
    count, wrong = 0, []
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        family = json.loads(path.read_text())
        checkers = {key: Checker(json.dumps(document)) for key, document in family["schemas"].items()}
        for case in family["cases"]:
            found = outcome(checkers[case["schema"]], case)
            names = ["rejected"] if "rejected" in case else ["normal_form", "primary_key", "errors"]
            expected = {name: case[name] for name in names}
            count += 1
            if found != expected:
                wrong.append(f"{path.name}: {case['name']}\n  expected {expected}\n  found    {found}")
    if wrong or count < 2500:
        sys.exit("\n".join([f"{len(wrong)} of {count} cases", *wrong]))
    print(f"{count} conformance cases in Python")


main(sys.argv[1])
