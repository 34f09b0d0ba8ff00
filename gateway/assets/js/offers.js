/**
 * One's own open challenges as a page lists them: which are gone, and what became of those.
 *
 * Pure. A challenge that is no longer listed may have been accepted, cancelled, or crowded out by newer ones.
 */

export class Offers {
  /** @type {Set<string>} */
  #open = new Set();

  /** Whether one of them may still become a set. */
  get isWaiting() {
    return this.#open.size > 0;
  }

  /**
   * Takes note of what is listed now.
   *
   * @param {string[]} listed ids of open challenges
   * @returns {string[]} those that were open before and are not listed
   */
  see(listed) {
    const gone = [...this.#open].filter((id) => !listed.includes(id));
    for (const id of listed) this.#open.add(id);
    return gone;
  }

  /**
   * Takes a challenge as the API answers it; one that is not open is not asked for again.
   *
   * @param {{id: string, status: string, set_id: string | null}} challenge
   * @returns {string | null} the set that it became
   */
  settle({ id, status, set_id }) {
    if (status !== "open") this.#open.delete(id);
    return set_id;
  }
}
