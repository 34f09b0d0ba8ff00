/**
 * Calls of the JSON API from a page, with the session that the page has.
 *
 * A move may be sent as often as it takes: the same move for the same ply gets the first answer again. So a lost
 * connection is waited out here. Not here: what an answer means on the page.
 */

/** A request that was refused: `code` is for programs, the message for people. */
export class Refusal extends Error {
  /** @param {number} status @param {any} problem `application/problem+json` */
  constructor(status, problem) {
    super(problem?.reason ?? problem?.errors?.[0]?.detail ?? problem?.detail ?? "The platform does not answer.");
    this.status = status;
    this.code = problem?.code ?? "unavailable";
    this.problem = problem;
  }

  /** Whether the same request may well be answered later. */
  get isPassing() {
    return this.status >= 500 || this.status === 429;
  }
}

/**
 * One request.
 *
 * @param {"GET" | "POST"} method
 * @param {string} path below `/v1`
 * @param {unknown} [body]
 * @returns {Promise<any>} what was answered
 * @throws {Refusal} an answer that refuses
 * @throws {TypeError} no answer at all
 */
export async function call(method, path, body) {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(`/v1${path}`, { method, headers, body: text, credentials: "same-origin" });
  const json = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(answer.status, json);
  return json;
}

/** Pauses between attempts, in milliseconds; the last one is repeated. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000];

/**
 * Sends what is safe to send again, until it is answered or refused for good.
 *
 * @param {() => Promise<any>} send
 * @param {(waiting: boolean) => void} onWaiting whether the platform does not answer at the moment
 * @returns {Promise<any>}
 */
export async function persist(send, onWaiting) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await send();
      onWaiting(false);
      return answer;
    } catch (error) {
      if (error instanceof Refusal && !error.isPassing) {
        onWaiting(false);
        throw error;
      }
      onWaiting(true);
      await pause(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)]);
    }
  }
}

/** Waits; not longer than until the browser finds its network again. @param {number} ms @returns {Promise<void>} */
function pause(ms) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
  });
}
