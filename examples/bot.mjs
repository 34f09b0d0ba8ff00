// A bot in JavaScript, with Node 18 and nothing else: plays one set of Breakthrough against the house.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const url = process.env.FARSIDE_URL ?? "http://127.0.0.1:8080";

/** One call. It is repeated after a broken connection, a limit or a fault of the platform, unless `once`. */
async function call(key, method, path, body, { once = false } = {}) {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  if (key) headers.authorization = `Bearer ${key}`;
  for (let pause = 100; ; pause = Math.min(2 * pause, 5000)) {
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) }).catch((fault) => ({ fault }));
    if (answer.ok) return answer.json();
    const mayRepeat = answer.status === 429 || (!once && (answer.fault || answer.status >= 500));
    if (!mayRepeat) throw answer.fault ?? Object.assign(new Error("refused"), await answer.json());
    await sleep(1000 * (answer.headers?.get("retry-after") ?? 0) || pause);
  }
}

async function newBot() {
  const name = randomUUID().slice(0, 13);
  const owner = await call(null, "POST", "/v1/players", { name: `owner-${name}` }, { once: true });
  return (await call(owner.key, "POST", "/v1/bots", { name: `bot-${name}` })).key;
}

/** Takes what it can, else runs for the far row. */
function choose({ seat, state }) {
  const merit = ({ to: [row, column] }) => (state.body.cells[row][column] ? 100 : 0) + (seat === 1 ? row : -row);
  return state.legal_moves.reduce((best, move) => (merit(move) > merit(best) ? move : best));
}

const key = process.env.FARSIDE_KEY ?? (await newBot());
let { set } = await call(key, "POST", "/v1/challenges", { game: "breakthrough", opponent: "house:easy" });
while (set.status === "active") {
  const { turns } = await call(key, "GET", "/v1/me/turns?wait=5");
  for (const turn of turns) {
    const move = { game: turn.game, ply: turn.ply, move: choose(turn) };
    await call(key, "POST", `/v1/sets/${turn.set_id}/moves`, move).catch((problem) => {
      if (!["game_over", "stale_ply", "not_your_turn"].includes(problem.code)) throw problem; // else: it came too late
    });
  }
  set = await call(key, "GET", `/v1/sets/${set.id}`);
}
console.log(set.status, set.id, set.points);
