import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerTime, clockText, reading } from "../../assets/js/clock.js";

const at = (ms) => new Date(1_700_000_000_000 + ms).toISOString();
const base = 1_700_000_000_000;

function timed(over) {
  return {
    status: "active", ply: 4, to_move: [1], clocks: { 1: { remaining_ms: 40_000 }, 2: { remaining_ms: 30_000 } },
    last_move: { at: at(0) }, deadline: at(40_000), ...over,
  };
}

test("the difference with the least delay counts", () => {
  const time = new ServerTime();
  assert.equal(time.at(7), 7, "our own clock until something is known");
  time.observe(at(0), base - 500);
  time.observe(at(1000), base + 900);
  assert.equal(time.at(base), base + 500);
});

test("only the clock of the seat to move runs", () => {
  assert.deepEqual(reading(timed(), 1, base + 15_000), { remainingMs: 25_000, running: true, firstMoveMs: null });
  assert.deepEqual(reading(timed(), 2, base + 15_000), { remainingMs: 30_000, running: false, firstMoveMs: null });
});

test("a clock is never negative", () => {
  assert.equal(reading(timed(), 1, base + 90_000).remainingMs, 0);
});

test("a first move has a deadline of its own and the clock waits", () => {
  const first = timed({ ply: 0, last_move: null, deadline: at(30_000) });
  assert.deepEqual(reading(first, 1, base + 10_000), { remainingMs: 40_000, running: true, firstMoveMs: 20_000 });
  const second = timed({ ply: 1, to_move: [2], deadline: at(20_000) });
  assert.equal(reading(second, 2, base).firstMoveMs, 20_000);
  assert.equal(reading(timed({ ply: 2 }), 1, base).firstMoveMs, null);
});

test("a paused or finished game shows what was left", () => {
  assert.equal(reading(timed({ status: "paused" }), 1, base + 15_000).remainingMs, 40_000);
  assert.equal(reading(timed({ deadline: null, clocks: null }), 1, base).remainingMs, null);
});

test("each seat of a game that is over, or of an earlier position, shows what it had left", () => {
  for (const over of [{ status: "finished", to_move: [], deadline: null }, { status: "past" }]) {
    const left = [1, 2].map((seat) => reading(timed(over), seat, base + 15_000));
    assert.deepEqual(left.map(({ remainingMs, running }) => [remainingMs, running]), [[40_000, false], [30_000, false]]);
  }
});

test("a round shows the time to its deadline for both seats", () => {
  const round = timed({ clocks: null, to_move: [1, 2], deadline: at(30_000) });
  for (const seat of [1, 2]) assert.equal(reading(round, seat, base + 1000).remainingMs, 29_000);
});

test("minutes and seconds, and tenths at the end", () => {
  assert.deepEqual([65_999, 10_000, 9_990, 50, -3].map(clockText), ["1:05", "0:10", "9.9", "0.0", "0.0"]);
});
