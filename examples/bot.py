"""A bot: takes what it can, else runs for the far row; plays one set of Breakthrough against the house."""
import os, secrets
from farside import Client

url = os.environ.get("FARSIDE_URL", "http://127.0.0.1:8080")
key = os.environ.get("FARSIDE_KEY")
if not key:
    name = secrets.token_hex(6)
    owner = Client(url, Client(url).sign_up(f"owner-{name}")["key"])
    key = owner.create_bot(f"bot-{name}")["key"]
bot = Client(url, key)

def choose(turn):
    cells, forward = turn["state"]["body"]["cells"], 1 if turn["seat"] == 1 else -1
    def merit(move):
        row, column = move["to"]
        return cells[row][column] != 0, forward * row
    return max(turn["state"]["legal_moves"], key=merit)

ended = bot.play(choose, bot.create_challenge("breakthrough", opponent="house:easy")["set"]["id"])
print(ended["status"], ended["id"], ended["points"])
