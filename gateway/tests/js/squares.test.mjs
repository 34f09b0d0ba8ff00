import assert from "node:assert/strict";
import { test } from "node:test";

import { boardsOf, changes, neighbour, placementsBySquare, squareAt, squareName, stepsByPawn } from "../../assets/js/squares.js";

test("a name leads to its square and back", () => {
  for (const at of [[0, 0], [11, 11], [9, 2]]) assert.deepEqual(squareAt(squareName(at)), at);
  assert.equal(squareName([1, 2]), "c2");
});

test("steps are found by the pawn and the square it goes to", () => {
  const step = { from: [1, 2], to: [2, 3] };
  const byPawn = stepsByPawn([step, { from: [1, 2], to: [2, 2] }, { place: {} }]);
  assert.deepEqual([...byPawn.keys()], ["c2"]);
  assert.equal(byPawn.get("c2").get("d3"), step);
});

test("placements are found by square and piece", () => {
  const bySquare = placementsBySquare([{ at: [0, 0], piece: "X" }, { at: [0, 0], piece: "O" }]);
  assert.deepEqual([...bySquare.get("a1").keys()], ["X", "O"]);
});

test("arrows move as the eye sees the board, and stop at its edge", () => {
  assert.equal(neighbour("c2", "ArrowUp", 6, false), "c3");
  assert.equal(neighbour("c2", "ArrowUp", 6, true), "c1");
  assert.equal(neighbour("a1", "ArrowLeft", 6, false), "a1");
  assert.equal(neighbour("a1", "ArrowLeft", 6, true), "b1");
  assert.equal(neighbour("c2", "Home", 6, false), "a2");
  assert.equal(neighbour("c2", "Home", 6, true), "f2");
  assert.equal(neighbour("c2", "x", 6, false), null);
});

test("what a move changed is the squares that differ", () => {
  const before = boardsOf({ cells: [[1, 0], [0, 2]] }).get("");
  const after = boardsOf({ cells: [[0, 0], [0, 1]] }).get("");
  assert.deepEqual([...changes(before, after)].sort(), ["a1", "b2"]);
  assert.deepEqual([...boardsOf({ boards: { 1: { cells: [["X"]] }, 2: { cells: [[null]] } } }).keys()], ["1", "2"]);
});
