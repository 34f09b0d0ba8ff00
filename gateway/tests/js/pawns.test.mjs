import assert from "node:assert/strict";
import { test } from "node:test";

import { PawnHand } from "../../assets/js/pawns.js";

function hand() {
  const seen = { marks: null, played: [] };
  const board = { piece: (square) => (square === "d3" ? "2" : ""), mark: (marks) => { seen.marks = marks; }, ghosts: (pieces) => { seen.ghosts = pieces; } };
  const made = new PawnHand(board, (move) => seen.played.push(move));
  made.offer([{ from: [1, 2], to: [2, 2] }, { from: [1, 2], to: [2, 3] }, { from: [1, 0], to: [2, 0] }]);
  return { hand: made, seen };
}

test("a tapped pawn shows where it steps and what it captures", () => {
  const { hand: made, seen } = hand();
  made.tap("c2");
  assert.deepEqual([seen.marks.chosen, seen.marks.steps, seen.marks.captures], ["c2", ["c3"], ["d3"]]);
});

test("a tap on another pawn changes one's mind, and elsewhere lets go", () => {
  const { hand: made, seen } = hand();
  made.tap("c2");
  made.tap("a2");
  assert.equal(seen.marks.chosen, "a2");
  made.tap("f6");
  assert.equal(seen.marks.chosen, null);
});

test("only a legal target plays, and plays once", () => {
  const { hand: made, seen } = hand();
  made.tap("c3");
  made.tap("c2");
  made.tap("d3");
  made.tap("c2");
  made.tap("c3");
  assert.deepEqual(seen.played, [{ from: [1, 2], to: [2, 3] }]);
});

test("pawns given as odds are placed together with the last one", () => {
  const { hand: made, seen } = hand();
  made.offer([{ place: { count: 2, squares: [[0, 0], [0, 1], [1, 0]] } }], "1");
  made.tap("a1");
  made.tap("f6");
  made.tap("a1");
  made.tap("b1");
  assert.deepEqual([[...seen.ghosts], seen.played], [[["b1", "1"]], []]);
  made.tap("a2");
  assert.deepEqual(seen.played, [{ place: [[0, 1], [1, 0]] }]);
});
