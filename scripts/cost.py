#!/usr/bin/env python3
"""What a move costs: processor time of each service, commits, and bytes, measured over five processes under a small load.

    cargo build --release --workspace --bins
    cargo xtask with python3 scripts/cost.py --programs target/release

The services run on a PostgreSQL database of their own and a Redis, both named by FARSIDE_TEST_POSTGRES_URL and
FARSIDE_TEST_REDIS_URL. Processor time is user and system time from /proc, after a warm-up, divided by the moves that were
accepted meanwhile; that of PostgreSQL is that of the backends of this database. It says what a move costs, not how many
fit: the load is far below what the machine can do. Needs nothing but Python and psql.
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import random
import subprocess
import tempfile
import threading
import time
import urllib.parse

SERVICES = {"rules": "rules-svc", "match": "match-svc", "ledger": "ledger-svc", "rating": "rating-svc", "gateway": "gateway"}
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
PORT = 21_700


class Client:
    """One keep-alive connection with a key."""

    def __init__(self, port, key=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=70)
        self.headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})

    def call(self, method, path, body=None):
        while True:
            data = None if body is None else json.dumps(body)
            self.connection.request(method, f"/v1{path}", data, self.headers)
            with self.connection.getresponse() as response:
                answer, status = json.load(response), response.status
            if status < 400:
                return answer
            if status not in (429, 503):
                raise RuntimeError(f"{method} {path}: {answer}")
            time.sleep(0.1)


def sql(url, query):
    done = subprocess.run(["psql", "-AtX", "-c", query, url], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@contextlib.contextmanager
def database():
    """A database that is there as long as the measurement."""
    admin = os.environ["FARSIDE_TEST_POSTGRES_URL"]
    name = f"farside_cost_{os.getpid()}"
    sql(admin, f"CREATE DATABASE {name}")
    try:
        yield admin.rsplit("/", 1)[0] + "/" + name
    finally:
        sql(admin, f"DROP DATABASE {name} WITH (FORCE)")


@contextlib.contextmanager
def services(programs, url, folder):
    """The five processes, by name, once the gateway is ready."""
    ports = {name: PORT + index for index, name in enumerate(SERVICES)}
    common = {f"FARSIDE_{name.upper()}_URL": f"http://127.0.0.1:{port}" for name, port in ports.items() if name != "gateway"}
    common |= {"FARSIDE_SERVICE_TOKENS": "match-svc=m,gateway=g", "FARSIDE_LOG_LEVEL": "warn", "FARSIDE_DATABASE_URL": url}
    common |= {"FARSIDE_REDIS_URL": os.environ["FARSIDE_TEST_REDIS_URL"], "FARSIDE_SIGNUP_BURST": "1000"}
    common |= {"FARSIDE_KEY_RATE": "10000", "FARSIDE_KEY_BURST": "10000", "FARSIDE_ADDRESS_BURST": "10000"}
    tokens = {"match": "m", "gateway": "g"}
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("FARSIDE_", "OTEL_"))}
    running = {}
    try:
        for name, program in SERVICES.items():
            own = {"FARSIDE_LISTEN": f"127.0.0.1:{ports[name]}", "FARSIDE_ADMIN_LISTEN": f"127.0.0.1:{ports[name] + 50}"}
            own |= {"FARSIDE_SERVICE_TOKEN": tokens[name]} if name in tokens else {}
            if name == "rules":
                own["FARSIDE_DATABASE_URL"] = ""
            log = open(folder / f"{name}.log", "w")
            running[name] = subprocess.Popen([programs / program], env=plain | common | own, stdout=log, stderr=log)
        wait_ready(ports["gateway"])
        yield running, ports["gateway"]
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait()


def wait_ready(port):
    for _ in range(600):
        with contextlib.suppress(OSError):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError("the gateway is not ready after a minute")


class Load:
    """Pairs of bots that play staked sets one after the other, as fast as they are told of their turns."""

    def __init__(self, port, pairs):
        self.port, self.moves, self.sets, self.over = port, 0, 0, threading.Event()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.pair, args=(index,), daemon=True) for index in range(pairs)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join(timeout=60)

    def bot(self):
        tag = f"{random.randrange(10**12):012}"
        player = Client(self.port).call("POST", "/players", {"name": f"p{tag}"})
        return Client(self.port, Client(self.port, player["key"]).call("POST", "/bots", {"name": f"b{tag}"})["key"])

    def pair(self, index):
        chance = random.Random(index)
        while not self.over.is_set():
            one, other = self.bot(), self.bot()
            stake = {"currency": "PTS", "amount": 10}
            made = one.call("POST", "/challenges", {"game": "breakthrough", "stake": stake})
            set_id = other.call("POST", f"/challenges/{made['challenge']['id']}/accept", {})["set"]["id"]
            self.play(chance, [one, other], set_id)

    def play(self, chance, bots, set_id):
        while not self.over.is_set():
            turns = [(bot, turn) for bot in bots for turn in bot.call("GET", "/me/turns")["turns"]]
            if not turns:
                if bots[0].call("GET", f"/sets/{set_id}")["status"] != "active":
                    with self.lock:
                        self.sets += 1
                    return
            for bot, turn in turns:
                move = {"game": turn["game"], "ply": turn["ply"], "move": chance.choice(turn["state"]["legal_moves"])}
                bot.call("POST", f"/sets/{set_id}/moves", move)
                with self.lock:
                    self.moves += 1


def cpu_s(pid):
    """User and system time of a process; 0 when it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * TICK_S


def backends(url):
    return sql(url, "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()").split()


def picture(running, url, load):
    """Everything that is compared."""
    commits = int(sql(url, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"))
    size = int(sql(url, "SELECT pg_database_size(current_database())"))
    wal = int(float(sql(url, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")))
    cpu = {name: cpu_s(process.pid) for name, process in running.items()}
    cpu["postgres"] = sum(cpu_s(pid) for pid in backends(url))
    events = int(sql(url, "SELECT COALESCE(SUM(length(payload)), 0) FROM match_svc.set_events"))
    return {"moves": load.moves, "sets": load.sets, "commits": commits, "size": size, "wal": wal, "cpu": cpu, "events": events}


def report(before, after, seconds):
    moves = after["moves"] - before["moves"]
    print(f"{moves} moves and {after['sets'] - before['sets']} ended sets in {seconds:.0f} s, {moves / seconds:.0f} moves/s\n")
    print("| process | CPU ms per move |\n|---|---|")
    for name, used in after["cpu"].items():
        print(f"| {name} | {1000 * (used - before['cpu'][name]) / moves:.2f} |")
    print("\n| per move | |\n|---|---|")
    print(f"| transactions, reading ones included | {(after['commits'] - before['commits']) / moves:.2f} |")
    print(f"| bytes of WAL | {(after['wal'] - before['wal']) / moves:.0f} |")
    print(f"| bytes of events | {(after['events'] - before['events']) / moves:.0f} |")
    print(f"| bytes that the database grew | {(after['size'] - before['size']) / moves:.0f} |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("target/release"))
    arguments.add_argument("--pairs", type=int, default=16)
    arguments.add_argument("--seconds", type=float, default=30)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder, database() as url:
        with services(given.programs.absolute(), url, pathlib.Path(folder)) as (running, port):
            load = Load(port, given.pairs)
            load.start()
            time.sleep(5)
            before, began = picture(running, url, load), time.monotonic()
            time.sleep(given.seconds)
            after, ended = picture(running, url, load), time.monotonic()
            load.stop()
    report(before, after, ended - began)


if __name__ == "__main__":
    main()
