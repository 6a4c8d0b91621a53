#!/usr/bin/env python3
"""Fieldstone beside litestream itself, as `runtime/docs/operations/litestream.md` says it: `try.py PROGRAM LITESTREAM`.

Clients write while litestream copies the log to a folder. What it restores is held to what the clients were told, in the
middle of the load, after the server was killed and both were started again, and after both were stopped in order; and so is
the store itself.
"""

import datetime
import http.client
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from records_client import Client

CLIENTS = 4
# how long what was acknowledged takes to be in the copy, mostly: litestream looks each second
BEHIND = 6
# how long it may take on a machine that does much else
COPIED_MAX = 120
MANIFEST = """
tenants:
  - name: Museum
    areas:
      - name: Halls
        schemas:
          - document:
              name: Exhibit
              fields:
                - {name: No, dataType: string, isPrimaryKey: true, isRequired: true}
                - {name: Title, dataType: string}
            datasets: [{name: Exhibits}]
    apiKeys:
      - name: curator
        roles: [ACCOUNT ADMINISTRATOR]
        areas: {all: [view, add, edit, delete]}
"""


class Server:
    """A program that serves a folder, and who asks it."""

    def __init__(self, program, data):
        self.program, self.data, self.process, self.address = program, data, None, None

    def run(self, *arguments):
        """What a command answers in JSON."""
        command = [self.program, "--data", self.data, "--format", "json", *arguments]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE)
        assert done.returncode == 0, (arguments, done.stdout)
        return json.loads(done.stdout)

    def start(self, *arguments):
        """Begins to serve; whether it does."""
        command = [self.program, "--data", self.data, "--log", "error", "serve", "--listen", "127.0.0.1:0", *arguments]
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.address = line.removeprefix("listening on http://").strip()
        return line.startswith("listening on http://")

    def serve(self, *arguments):
        """Begins to serve, which must be."""
        assert self.start(*arguments)

    def begin(self):
        """Begins to serve what was in use; without the log where that is refused, and why is told."""
        if self.start():
            return
        command = [self.program, "--data", self.data, "serve", "--listen", "127.0.0.1:0"]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        assert done.returncode == 1 and "--without-log" in done.stderr, done
        self.serve("--without-log")

    def end(self, how):
        """Ends by a signal."""
        end(self.process, how)


def end(process, how):
    """Ends a process and waits for it; one that is asked to stop must do so in good order."""
    process.send_signal(how)
    code = process.wait(60)
    assert how == signal.SIGKILL or code == 0, code


def dataset(client):
    """The path of the only dataset's records."""
    [place] = client.datasets().values()
    return place


def long_title(key):
    """What a record says before it is changed."""
    return f"title of {key}; " * 20 + "end"


class Load:
    """Clients that create records and change each once, and what they were told: when, by key and version."""

    def __init__(self, address, credential, place, name):
        self.told, self.asked, self.is_over, self.failure = [], set(), threading.Event(), None
        who = (address, credential, place)
        self.threads = [threading.Thread(target=self.write, args=(*who, f"{name}{n}")) for n in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def write(self, address, credential, place, name):
        """What one client does until it is over, or the server is gone."""
        client = Client(address, credential)
        number = 0
        try:
            while not self.is_over.is_set():
                key = f"{name}-{number}"
                number += 1
                self.asked.add(key)
                made = client.good(f"POST {place}", {"No": key, "Title": long_title(key)})
                self.told.append((time.monotonic(), key, 0))
                client.good(f"PUT {place}/{made['_dataObjectId']}", {"_version": 0, "Title": f"changed {key}"})
                self.told.append((time.monotonic(), key, 1))
                if number % 400 == 0:
                    # long enough for the server to bring its log over
                    time.sleep(1.5)
        except (OSError, http.client.HTTPException):
            pass
        except AssertionError as failure:
            self.failure = failure

    def end(self):
        """Waits for the clients."""
        self.is_over.set()
        for thread in self.threads:
            thread.join()
        assert self.failure is None, self.failure


class Replica:
    """Litestream, copying a database to a folder."""

    def __init__(self, program, database, folder):
        self.program, self.url = program, f"file://{folder}"
        log = (folder.parent / "litestream.log").open("ab")
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([program, "replicate", database, self.url], stdout=log, stderr=log)

    def restore(self, folder, moment=None):
        """What it has by now, or had at a moment, becomes a data folder."""
        folder.mkdir()
        at = [] if moment is None else ["-timestamp", moment.isoformat(timespec="seconds").replace("+00:00", "Z")]
        command = [self.program, "restore", *at, "-o", folder / "fieldstone.db", self.url]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout
        return folder


class Behind(AssertionError):
    """Something that clients were told is not there, or not yet."""


def compare(server, credential, loads, until):
    """Holds what is served to what clients were told until a moment; how many records there are."""
    client = Client(server.address, credential)
    place, key, found = dataset(client), "", {}
    while key is not None:
        page = client.good(f"GET {place}?pageSize=1000" + (f"&pageKey={key}" if key else ""))
        for record in page["items"]:
            assert record["No"] not in found, record
            found[record["No"]] = record
        key = page.get("nextPageKey")
    for load in loads:
        for at, key, version in list(load.told):
            if at <= until and (key not in found or found[key]["_version"] < version):
                raise Behind(key, version, found.get(key))
    asked = set().union(*(load.asked for load in loads))
    for key, record in found.items():
        title = f"changed {key}" if record["_version"] else long_title(key)
        assert key in asked and record["Title"] == title, record
    return len(found)


def compare_restored(program, folder, credential, loads, until):
    """The same of a folder that litestream restored, which must be sound, too."""
    server = Server(program, folder)
    server.begin()
    try:
        count = compare(server, credential, loads, until)
        server.end(signal.SIGTERM)
    finally:
        server.process.kill()
        server.process.wait()
    assert server.run("check")["isSound"]
    return count


class Trial:
    """A server, litestream beside it, and what its clients were told."""

    def __init__(self, programs, folder):
        self.program, self.litestream = programs
        self.folder, self.loads, self.replica = folder, [], None
        (folder / "museum.yaml").write_text(MANIFEST, encoding="utf-8")
        self.server = Server(self.program, folder / "data")
        steps = self.server.run("apply", str(folder / "museum.yaml"))["steps"]
        self.credential = next(step["secret"] for step in steps if step["name"] == "curator")

    def copy(self):
        """Litestream begins."""
        self.replica = Replica(self.litestream, self.server.data / "fieldstone.db", self.folder / "replica")

    def load(self, name):
        """Clients begin."""
        place = dataset(Client(self.server.address, self.credential))
        self.loads.append(Load(self.server.address, self.credential, place, name))
        return self.loads[-1]

    def restore(self, what, until=None, moment=None):
        """Restores, as it was at a moment if one is given, compares, and tells how many records there were. Until when clients
        were told of what is in the copy: what it has by now may still be on its way."""
        until = time.monotonic() if until is None else until
        last = time.monotonic() + (COPIED_MAX if moment is None else 0)
        while True:
            folder = self.replica.restore(self.folder / "restored", moment)
            try:
                count = compare_restored(self.program, folder, self.credential, self.loads, until)
                break
            except Behind:
                if time.monotonic() > last:
                    raise
            finally:
                shutil.rmtree(folder)
            time.sleep(1)
        print(f"{what}: {count} records")
        return until

    def kill(self):
        """Ends whatever is still there."""
        for one in (self.server, self.replica):
            if one is not None and one.process is not None:
                one.process.kill()

    def run(self):
        """All that the page says."""
        self.server.serve()
        self.copy()
        first = self.load("first")
        time.sleep(BEHIND + 6)
        until = self.restore("restored in the middle of the load", time.monotonic() - BEHIND)

        # the server is killed: litestream may bring the log over, and begin one of its own or take it along; and it may have
        # copied what was synced and not yet committed, with its own writes on top, so until it begins anew the moments
        # before the kill are sound, and not the last one; what was in the copy is of an earlier one, in whole seconds
        time.sleep(1)
        moment = datetime.datetime.now(datetime.timezone.utc)
        time.sleep(1)
        self.server.end(signal.SIGKILL)
        first.end()
        time.sleep(BEHIND)
        self.restore("restored of before the server was killed", until, moment)
        end(self.replica.process, signal.SIGTERM)
        self.server.begin()
        self.copy()
        count = compare(self.server, self.credential, self.loads, time.monotonic())
        print(f"there after the server was killed: {count} records")
        time.sleep(BEHIND)
        self.restore("restored after litestream began anew")

        # a restart while litestream runs, and one of both, in order
        second = self.load("second")
        time.sleep(4)
        second.end()
        self.server.end(signal.SIGTERM)
        time.sleep(4)
        self.server.serve()
        third = self.load("third")
        time.sleep(4)
        third.end()
        self.server.end(signal.SIGTERM)
        end(self.replica.process, signal.SIGTERM)
        self.restore("restored after both were stopped in order")
        assert self.server.run("check")["isSound"]
        self.server.serve()
        count = compare(self.server, self.credential, self.loads, time.monotonic())
        print(f"there after both were stopped in order: {count} records")
        self.server.end(signal.SIGTERM)


def main():
    """Tries it, and leaves nothing behind."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial([pathlib.Path(path).resolve() for path in sys.argv[1:3]], pathlib.Path(folder))
        try:
            trial.run()
        finally:
            trial.kill()


main()
