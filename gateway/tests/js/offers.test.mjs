import assert from "node:assert/strict";
import { test } from "node:test";

import { Offers } from "../../assets/js/offers.js";

const challenge = (status, set_id = null) => ({ id: "chal_1", status, set_id });

test("a challenge that is no longer listed is asked for until it is settled", () => {
  const offers = new Offers();
  assert.deepEqual(offers.see(["chal_1", "chal_2"]), []);
  assert.deepEqual(offers.see(["chal_2"]), ["chal_1"]);
  assert.equal(offers.settle(challenge("open")), null, "newer ones have crowded it out");
  assert.deepEqual(offers.see(["chal_2"]), ["chal_1"]);
  assert.equal(offers.settle(challenge("accepted", "set_1")), "set_1");
  assert.deepEqual(offers.see(["chal_2"]), []);
  assert.equal(offers.isWaiting, true);
});

test("a challenge that ended otherwise leads nowhere", () => {
  const offers = new Offers();
  offers.see(["chal_1"]);
  offers.see([]);
  assert.equal(offers.settle(challenge("cancelled")), null);
  assert.deepEqual(offers.see([]), []);
  assert.equal(offers.isWaiting, false);
});
