import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeatOne, graphPoints, scoreInWords, turningPoint } from "../../assets/js/scores.js";

test("scores are told from red's side", () => {
  assert.deepEqual([forSeatOne(120, 1), forSeatOne(120, 2)], [120, -120]);
  assert.equal(scoreInWords(120), "red is ahead by 1.2");
  assert.equal(scoreInWords(-29_950), "blue wins by force");
  assert.equal(scoreInWords(5), "level");
});

test("a graph has a point for each known score and stays within its height", () => {
  const points = graphPoints([0, 99_999, null, -99_999], 300, 100);
  assert.deepEqual(points, [{ x: 0, y: 50, ply: 0 }, { x: 100, y: 0, ply: 1 }, { x: 300, y: 100, ply: 3 }]);
});

test("the turning point is the largest change", () => {
  assert.equal(turningPoint([0, 50, 900, 950]), 2);
  assert.equal(turningPoint([0, 0]), null);
});
