#!/usr/bin/env python3
"""Fieldstone on a coordinator of Citus and two workers, as `runtime/docs/scale.md` sets them up: `try.py PROGRAM POSTGRESQL NODES`.

PostgreSQL's programs are in one folder, the nodes `coordinator`, `one` and `two` in another, with a database `master` each that is
empty as yet. Tables are divided, two servers import, find, race for keys, are backed up and checked while clients write, and go on
while workers are killed in turns under load; what clients were told is held to what is there, and the store, moved into a folder,
must be sound.
"""

import collections
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from records_client import Client

DATASETS = 6
ROWS = 10_000
KEYS = 30
CLIENTS = 6
KILLS = 4
BACKUPS = 5
# how long all may take to be there again once a worker is back
BACK_MAX = 120
DATASET_LIST = ", ".join(f"{{name: D{number}}}" for number in range(DATASETS))
MANIFEST = f"""
tenants:
  - name: Museum
    areas:
      - name: Halls
        schemas:
          - document:
              name: Exhibit
              fields:
                - {{name: No, dataType: string, isPrimaryKey: true, isRequired: true}}
                - {{name: Title, dataType: string}}
            datasets: [{DATASET_LIST}]
    apiKeys:
      - name: curator
        roles: [ACCOUNT ADMINISTRATOR]
        areas: {{all: [view, add, edit, delete]}}
"""


class Nodes:
    """The databases."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.port = (folder / "coordinator.port").read_text(encoding="utf-8").strip()
        self.address = f"postgres://postgres@127.0.0.1:{self.port}/master?sslmode=disable"

    def ask(self, question):
        """The lines that the coordinator answers."""
        command = [self.programs / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--dbname", self.address]
        done = subprocess.run([*command, "--command", question], check=True, stdout=subprocess.PIPE, text=True, cwd="/")
        return done.stdout.split()

    def kill(self, name):
        """Ends all processes of a node at once."""
        main = int((self.folder / name / "data/postmaster.pid").read_text(encoding="utf-8").split()[0])
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(main)], check=False, stdout=subprocess.PIPE, text=True)
        for process in [main, *map(int, listed.stdout.split())]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def start(self, name):
        """Starts it again, as who owns it; what it shared may still be taken for a moment."""
        owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        place = self.folder / name
        command = [*owner, self.programs / "pg_ctl", "start", "--silent", "--wait", "-D", place / "data", "-l", place / "log"]
        for _ in range(20):
            if subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/").returncode == 0:
                return
            time.sleep(0.5)
        raise AssertionError(f"{name} does not start: {(place / 'log').read_text(encoding='utf-8')[-2000:]}")


def keys_of(client, place):
    """How often each key is in a dataset."""
    found, page = collections.Counter(), ""
    while page is not None:
        answer = client.good(f"GET {place}?pageSize=1000" + (f"&pageKey={page}" if page else ""))
        found.update(record["No"] for record in answer["items"])
        page = answer.get("nextPageKey")
    return found


class Load:
    """Clients that create records in all datasets, and what they were told of each key: done, refused, or neither."""

    def __init__(self, servers, credential, name):
        self.done, self.refused, self.is_over, self.failure = set(), set(), threading.Event(), None
        self.threads = []
        for number in range(CLIENTS):
            client = Client(servers[number % len(servers)].address, credential)
            thread = threading.Thread(target=self.write, args=(client, f"{name}{number}"))
            self.threads.append(thread)
            thread.start()

    def write(self, client, name):
        """What one client does until it is over."""
        places, number = list(client.datasets().items()), 0
        try:
            while not self.is_over.is_set():
                dataset, place = places[number % len(places)]
                key = f"{name}-{number}"
                number += 1
                status, document = client.ask(f"POST {place}", {"No": key, "Title": "made under load"})
                if status == 201:
                    self.done.add((dataset, key))
                elif status == 503:
                    # of some of them whether they were done is not known
                    if "not known" not in document["message"]:
                        self.refused.add((dataset, key))
                    time.sleep(0.05)
                else:
                    raise AssertionError((key, status, document))
        except (AssertionError, OSError, http.client.HTTPException) as failure:
            self.failure = failure

    def end(self):
        """Waits for the clients."""
        self.is_over.set()
        for thread in self.threads:
            thread.join()
        assert self.failure is None, self.failure


class Trial:
    """The store, its servers, and what clients were told."""

    def __init__(self, program, nodes, folder):
        self.program, self.nodes, self.folder = program, nodes, folder
        self.servers, self.credential = [], ""

    def run(self, *arguments):
        """What a command answers in JSON."""
        command = [self.program, "--format", "json", *arguments]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, cwd=self.folder)
        assert done.returncode == 0, (arguments, done.stdout)
        return json.loads(done.stdout)

    def on_database(self, *arguments):
        """The same of one that works on the database."""
        return self.run(*arguments, "--data", "data-of-commands", "--database", self.nodes.address)

    def serve(self):
        """One more server."""
        self.begin_server(f"data-{len(self.servers)}", "--database", self.nodes.address)

    def begin_server(self, data, *arguments):
        """A server of a data folder or of the database."""
        command = [self.program, "--log", "error", "serve", "--listen", "127.0.0.1:0", "--data", data, *arguments]
        # pylint: disable=consider-using-with
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=self.folder)
        line = process.stdout.readline()
        assert line.startswith("listening on http://"), line
        process.address = line.removeprefix("listening on http://").strip()
        self.servers.append(process)

    def client(self, number):
        """Who asks one of the servers."""
        return Client(self.servers[number].address, self.credential)

    def divide(self):
        """The tables, which are there before any row is."""
        self.on_database("migrate")
        workers = self.nodes.ask("SELECT count(DISTINCT nodeport) FROM citus_shards WHERE table_name = 'records'::regclass")
        assert workers == ["2"], workers
        steps = self.on_database("apply", "museum.yaml")["steps"]
        self.credential = next(step["secret"] for step in steps if step["name"] == "curator")

    def fill(self):
        """Rows of a file in two datasets, found through either server."""
        for dataset in ("D0", "D1"):
            rows = (json.dumps({"No": f"{dataset}-{number}", "Title": f"row {number}"}) for number in range(ROWS))
            (self.folder / "rows.ndjson").write_text("\n".join(rows), encoding="utf-8")
            self.on_database("import", "rows.ndjson", "--into", f"Halls/Exhibit/{dataset}")
        for number in range(len(self.servers)):
            client = self.client(number)
            places = client.datasets()
            for dataset in ("D0", "D1"):
                assert len(keys_of(client, places[dataset])) == ROWS
                key = f"{dataset}-{ROWS - 1}"
                assert client.good(f"GET {places[dataset]}/by-pk/{key}")["No"] == key
            # one in each of both, once the index has all rows
            search, began = f"GET /v1/dataobjects/search?query=Title:{ROWS - 1}", time.monotonic()
            while (answer := client.ask(search))[0] == 503 and time.monotonic() - began < BACK_MAX:
                time.sleep(1)
            assert answer[0] == 200 and answer[1]["total"] == 2, answer
        print(f"imported, listed and found: {2 * ROWS} records")

    def race(self):
        """Creates of the same keys through both servers at a time."""
        won = collections.Counter()

        def racer(number):
            client = self.client(number % len(self.servers))
            place = client.datasets()["D2"]
            for key in range(KEYS):
                status, document = client.ask(f"POST {place}", {"No": f"race-{key}"})
                assert status in (201, 400), (status, document)
                won[key] += status == 201

        racers = [threading.Thread(target=racer, args=(number,)) for number in range(CLIENTS)]
        for one in racers:
            one.start()
        for one in racers:
            one.join()
        assert won == {key: 1 for key in range(KEYS)}, won
        print(f"each of {KEYS} keys that {CLIENTS} clients wanted at a time has one winner")

    def spread(self):
        """The datasets' records are on both workers."""
        ports = set()
        for dataset in self.nodes.ask("SELECT DISTINCT dataset FROM records"):
            shard = f"get_shard_id_for_distribution_column('records', {dataset})"
            question = f"SELECT nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid) WHERE shardid = {shard}"
            ports.update(self.nodes.ask(question))
        assert len(ports) == 2, ports

    def compare(self, loads):
        """Holds what each server shows to what clients were told."""
        found = {}
        for number in range(len(self.servers)):
            client = self.client(number)
            for dataset, place in client.datasets().items():
                for key, count in keys_of(client, place).items():
                    assert count == 1, (dataset, key, count)
                    found[dataset, key] = found.get((dataset, key), 0) + 1
        for load in loads:
            lost = [one for one in load.done if found.get(one) != len(self.servers)]
            assert not lost, ("acknowledged and not there", len(lost), lost[:5])
            half = [one for one in load.refused if one in found]
            assert not half, ("refused and there", len(half), half[:5])

    def kill_workers(self):
        """Workers are killed in turns while clients write, and are back a few seconds later."""
        loads = []
        for turn in range(KILLS):
            name = ("one", "two")[turn % 2]
            loads.append(Load(self.servers, self.credential, f"load{turn}-"))
            time.sleep(3)
            self.nodes.kill(name)
            time.sleep(4)
            self.nodes.start(name)
            time.sleep(4)
            loads[-1].end()
            began = time.monotonic()
            while True:
                try:
                    self.compare(loads)
                    break
                except AssertionError:
                    if time.monotonic() - began > BACK_MAX:
                        raise
                    time.sleep(1)
            done, refused = len(loads[-1].done), len(loads[-1].refused)
            waited = time.monotonic() - began
            print(f"worker {name} was killed: {done} acknowledged are there once, of {refused} refused none is ({waited:.0f} s)", flush=True)

    def back_up(self):
        """Checks and backups beside clients that write: each backup has every record that was acknowledged before it began."""
        load, acknowledged = Load(self.servers, self.credential, "beside-"), []
        for number in range(BACKUPS):
            time.sleep(1)
            acknowledged.append(load.done.copy())
            self.on_database("backup", f"{number}.tar.zst")
            checked = self.on_database("check")
            assert checked["isSound"], checked
        load.end()
        assert not load.refused, len(load.refused)
        for number, before in enumerate(acknowledged):
            data = f"restored-{number}"
            self.run("restore", f"{number}.tar.zst", "--data", data)
            checked = self.run("check", "--data", data)
            assert checked["isSound"], checked
            self.begin_server(data)
            client = self.client(-1)
            found = {(dataset, key) for dataset, place in client.datasets().items() for key in keys_of(client, place)}
            server = self.servers.pop()
            server.send_signal(signal.SIGTERM)
            assert server.wait(60) == 0
            lost = before - found
            assert not lost, ("acknowledged before the backup and not in it", number, len(lost))
        print(f"{BACKUPS} backups beside {CLIENTS} clients ({len(load.done)} creates) are sound and complete, and as many checks found nothing", flush=True)

    def leave(self):
        """All servers end in order; the store is sound, and so it is in a folder."""
        for server in self.servers:
            server.send_signal(signal.SIGTERM)
            assert server.wait(60) == 0
        checked = self.on_database("check")
        assert checked["isSound"], checked
        self.run("move", "--from", self.nodes.address, "--to", "moved")
        checked = self.run("check", "--data", "moved")
        assert checked["isSound"], checked
        print("the store is sound, there and moved into a folder")

    def tell(self):
        """All of it."""
        (self.folder / "museum.yaml").write_text(MANIFEST, encoding="utf-8")
        self.divide()
        self.serve()
        self.serve()
        self.fill()
        self.race()
        self.spread()
        self.back_up()
        self.kill_workers()
        self.leave()


def main():
    """Tries it, and leaves nothing behind."""
    program, programs, nodes = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(program, Nodes(programs, nodes), pathlib.Path(folder))
        try:
            trial.tell()
        finally:
            for server in trial.servers:
                server.kill()


main()
