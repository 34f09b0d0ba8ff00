/**
 * The engine beside a finished game: its best line from the position shown, and a graph of the whole game.
 *
 * Needs a session, and keeps to the quota of analyses: the graph fills as answers come. For tests: `[data-action=line]`
 * and `#line`, `[data-action=graph]` and `#graph` with `data-done`.
 */

import { Refusal, call } from "./api.js";
import { forSeatOne, graphPoints, scoreInWords, turningPoint } from "./scores.js";
import { squareName } from "./squares.js";

/** Nodes for the line, and for each position of the graph. */
const LINE_NODES = 200_000;
const GRAPH_NODES = 20_000;
const WIDTH = 600;
const HEIGHT = 160;
const SVG = "http://www.w3.org/2000/svg";

/** @typedef {import("./history.js").Cursor} Cursor */

/** Shows the engine's line from the position shown. @param {Cursor} cursor */
export async function showLine(cursor) {
  const place = document.getElementById("line");
  const state = cursor.state;
  if (!place || !state) return;
  place.textContent = "Thinking …";
  if (state.to_move.length === 0 || state.result) {
    place.textContent = "The game is over here: step back for a position to look at.";
    return;
  }
  try {
    const found = await ask(cursor, state.ply, LINE_NODES);
    const line = found.pv.map(written).join(" ");
    const score = scoreInWords(forSeatOne(found.score, state.to_move[0]));
    place.textContent = `${line || written(found.move)}: ${score} (depth ${found.depth}, ${found.nodes.toLocaleString("en")} positions).`;
  } catch (error) {
    place.textContent = error instanceof Error ? error.message : String(error);
  }
}

/** Draws the graph of the game shown, position by position. @param {Cursor} cursor @param {(ply: number) => void} onChoose */
export async function showGraph(cursor, onChoose) {
  const figure = document.getElementById("graph");
  if (!figure) return;
  figure.hidden = false;
  delete figure.dataset.done;
  const { game, last } = cursor;
  /** @type {(number | null)[]} */
  const scores = Array(last + 1).fill(null);
  for (let ply = 0; ply <= last; ply += 1) {
    const state = cursor.history.at(game, ply);
    const known = state?.result ? settled(state) : await evaluated(cursor, state, ply);
    if (known === undefined) break;
    scores[ply] = known;
    draw(figure, scores, onChoose);
  }
  figure.dataset.done = "true";
}

function settled(/** @type {any} */ state) {
  const winner = state.result.winner;
  return winner === null ? 0 : winner === 1 ? 30_000 : -30_000;
}

/** A position's score; undefined when the engine will not say any more. */
async function evaluated(/** @type {Cursor} */ cursor, /** @type {any} */ state, /** @type {number} */ ply) {
  if (!state || state.to_move.length === 0) return null;
  for (;;) {
    try {
      const found = await ask(cursor, ply, GRAPH_NODES);
      return forSeatOne(found.score, state.to_move[0]);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 429) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function ask(/** @type {Cursor} */ cursor, /** @type {number} */ ply, /** @type {number} */ nodes) {
  const { history, game } = cursor;
  const line = history.line(game, ply);
  if (!line) throw new Error("The moves that lead here are not kept any more.");
  return call("POST", `/games/${history.set.game}/analysis`, { ...line, nodes });
}

function written(/** @type {any} */ move) {
  if (move.from) return `${squareName(move.from)}-${squareName(move.to)}`;
  if (move.at) return `${move.piece}@${squareName(move.at)}`;
  if (move.place) return `places ${move.place.map(squareName).join(" ")}`;
  return Object.values(move).map(written).join(" & ");
}

function draw(/** @type {HTMLElement} */ figure, /** @type {(number | null)[]} */ scores, /** @type {(ply: number) => void} */ onChoose) {
  const points = graphPoints(scores, WIDTH, HEIGHT);
  const svg = shape("svg", { viewBox: `-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`, role: "img", "aria-label": inWords(scores), class: "graph-lines" });
  svg.append(shape("path", { class: "graph-level", d: `M0 ${HEIGHT / 2}H${WIDTH}` }));
  svg.append(shape("path", { class: "graph-line", d: points.map(({ x, y }, index) => `${index ? "L" : "M"}${x} ${y}`).join("") }));
  for (const { x, y, ply } of points) svg.append(shape("circle", { class: "graph-point", cx: x, cy: y, r: 4, "data-ply": ply }));
  svg.addEventListener("click", (event) => {
    const point = /** @type {Element} */ (event.target).closest("[data-ply]");
    if (point) onChoose(Number(point.getAttribute("data-ply")));
  });
  const caption = document.createElement("figcaption");
  caption.textContent = `Above the line red is ahead, below it blue. ${inWords(scores)}`;
  figure.replaceChildren(svg, caption);
}

function inWords(/** @type {(number | null)[]} */ scores) {
  const known = scores.filter((score) => score !== null);
  if (known.length < scores.length) return `${known.length} of ${scores.length} positions looked at.`;
  const turn = turningPoint(scores);
  const end = scoreInWords(/** @type {number} */ (scores.at(-1)));
  return turn === null ? `Level throughout; at the end ${end}.` : `The largest turn came with move ${turn}; at the end ${end}.`;
}

function shape(/** @type {string} */ name, /** @type {Record<string, string | number>} */ attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
