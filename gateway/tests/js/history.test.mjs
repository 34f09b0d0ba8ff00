import assert from "node:assert/strict";
import { test } from "node:test";

import { Cursor, History } from "../../assets/js/history.js";

const state = (number, ply) => ({ number, ply, last_move: ply ? { move: { step: ply } } : null });

function played(plies) {
  const history = new History();
  history.take("game_started", { state: state(1, 0) });
  for (let ply = 1; ply <= plies; ply += 1) history.take("move", { state: state(1, ply) });
  return history;
}

test("events make a line of positions", () => {
  const history = played(3);
  assert.equal(history.latest(1).ply, 3);
  assert.deepEqual(history.moves(1, 2), [{ step: 1 }, { step: 2 }]);
  assert.equal(history.at(1, 9), null);
});

test("the same event twice changes nothing", () => {
  const history = played(2);
  history.take("move", { state: state(1, 2) });
  assert.equal(history.game(1).states.length, 3);
});

test("after a snapshot the plies before it are not known", () => {
  const history = new History();
  history.take("snapshot", { set: { status: "active", games: [state(1, 5)] } });
  assert.equal(history.firstKnown(1), 5);
  assert.equal(history.moves(1, 5), null);
  const cursor = new Cursor(history, 1, null);
  cursor.step("first");
  assert.equal(cursor.shown, 5);
});

test("the set is over when its last event says so", () => {
  const history = played(1);
  assert.equal(history.isOver, false);
  history.take("game_started", { state: state(2, 0) });
  assert.equal(history.current, 2);
  history.take("set_finished", { set: { status: "finished" } });
  assert.equal(history.isOver, true);
});

test("a cursor at the end follows the game, and one before it stays", () => {
  const history = played(2);
  const cursor = new Cursor(history, 1, null);
  history.take("move", { state: state(1, 3) });
  assert.equal(cursor.shown, 3);
  cursor.step("previous");
  history.take("move", { state: state(1, 4) });
  assert.deepEqual([cursor.shown, cursor.isLive], [2, false]);
  cursor.step("last");
  history.take("move", { state: state(1, 5) });
  assert.equal(cursor.shown, 5);
});

test("steps stop at both ends and make links", () => {
  const cursor = new Cursor(played(2), 1, null);
  cursor.step("next");
  assert.equal(cursor.shown, 2);
  cursor.step("first");
  cursor.step("previous");
  assert.equal(cursor.shown, 0);
  assert.equal(cursor.link("/sets/set_1"), "/sets/set_1?game=1&ply=0");
  cursor.to(99);
  assert.equal(cursor.isLive, true);
});

test("a line says everything that a position follows from", () => {
  const history = new History();
  const at = (number, ply, seats, to_move = [1]) => ({ ...state(number, ply), seats, to_move });
  history.take("game_started", { state: at(1, 0, { 1: "a", 2: "b" }) });
  history.take("move", { state: at(1, 1, { 1: "a", 2: "b" }, [1, 2]) });
  assert.equal(history.line(1, 0), null, "the set is not known yet");
  history.take("set_finished", { set: { status: "finished", options: { size: 6 }, seed: "00", creator: { id: "a" } } });
  const start = { options: { size: 6 }, seed: "00", game_number: 1, creator_seat: 1 };
  assert.deepEqual(history.line(1, 0), { ...start, moves: [] });
  assert.deepEqual(history.line(1, 1), { ...start, moves: [{ step: 1 }], seat: 1 }, "where both move, for the first");
  history.take("game_started", { state: at(2, 0, { 1: "b", 2: "a" }) });
  assert.equal(history.line(2, 0).creator_seat, 2);
  assert.equal(history.line(2, 3), null);
});
