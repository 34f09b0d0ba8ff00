import assert from "node:assert/strict";
import { test } from "node:test";

import { moveInWords, roundInWords, targetBoard, turnInWords } from "../../assets/js/words.js";

const name = (seat) => ({ 1: "Ada", 2: "Bob" })[seat];
const moved = (seat, notation) => ({ last_move: { moves: [{ seat, notation }] } });

test("a move is told to a spectator by colour and to a player as theirs", () => {
  assert.equal(moveInWords(moved(1, "c2-c3"), null), "Red: c2 to c3.");
  assert.equal(moveInWords(moved(2, "d4xc3"), 2), "You: d4 takes c3.");
  assert.equal(moveInWords(moved(2, "d4xc3"), 1), "They: d4 takes c3.");
  assert.equal(moveInWords({ last_move: null }, null), "The game begins.");
});

test("a round is told as one", () => {
  const state = { last_move: { moves: [{ seat: 1, notation: "X@b4" }, { seat: 2, notation: "O@c3" }] } };
  assert.equal(moveInWords(state, 1), "You: X on b4, They: O on c3.");
});

test("the turn is told by who looks", () => {
  const state = { status: "active", to_move: [2], submitted: false, legal_moves: [] };
  assert.equal(turnInWords(state, 2, name), "Your move.");
  const odds = { ...state, legal_moves: [{ place: { count: 12, squares: [] } }] };
  assert.match(turnInWords(odds, 2, name), /place 12 pawns/);
  assert.equal(turnInWords(state, 1, name), "Bob is to move.");
  assert.equal(turnInWords({ ...state, to_move: [1, 2] }, null, name), "Both are to place a piece.");
  assert.equal(turnInWords({ ...state, status: "paused" }, 2, name), "Paused.");
  assert.match(turnInWords({ ...state, submitted: true }, 1, name), /^Your piece is in/);
});

test("odd rounds are played on one's own board", () => {
  const round = (number) => ({ body: { round: number }, result: null });
  assert.deepEqual([1, 2].map((number) => targetBoard(round(number), 2)), ["2", "1"]);
  assert.equal(roundInWords(round(1), 1), "Round 1: place on your own board");
  assert.equal(roundInWords(round(2), null), "Round 2: both place on each other’s boards");
  assert.equal(roundInWords({ ...round(9), result: {} }, 1), "Ended in round 9");
});
