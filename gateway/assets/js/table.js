/**
 * A game on a page, live: follows the set's events, shows positions, and lets the viewer play when it is their turn.
 *
 * It stands on what `templates/table.html` renders and works on the page of a set and on the one for practice alike.
 * What differs between pages is in what they render; parts that a page does not have are left alone. For tests:
 * `#table` has `data-set`, `data-game`, `data-ply` (what is shown) and `data-state` (`loading`, `watching`, `to-move`,
 * `sending`, `waiting` or `over`); `#status`, `#round`, `#connection`, `#refused` and `#announcer` are texts.
 */

import { Refusal, call, persist } from "./api.js";
import { Board } from "./board.js";
import { ServerTime } from "./clock.js";
import { Cursor, History } from "./history.js";
import { PieceHand } from "./makers.js";
import { PawnHand } from "./pawns.js";
import { refresh } from "./refresh.js";
import { Replay } from "./replay.js";
import { showClocks, showSeats } from "./seats.js";
import { sound } from "./sound.js";
import { boardsOf, changes, squareName } from "./squares.js";
import { follow } from "./stream.js";
import { moveInWords, roundInWords, targetBoard, turnInWords } from "./words.js";

/** How often clocks are drawn. */
const TICK_MS = 100;
/** How long the end of a game stands before the next game takes its place. */
const LOOK_MS = 2000;
/** A connection that comes back sooner than this was not worth a word. */
const LOST_AFTER_MS = 1500;

export class Table extends EventTarget {
  #time = new ServerTime();
  /** What is on the screen: game and ply. @type {{game: number, ply: number} | null} */
  #shown = null;
  /** Events up to this one happened before the page was rendered. */
  #past;
  /** The last ply of each game that was announced. @type {Map<number, number>} */
  #told = new Map();
  #sending = false;
  /** One after the other, so that the last word is the latest. */
  #rereading = Promise.resolve();
  /** @type {Map<string, boolean>} what does not answer */
  #lost = new Map();

  constructor() {
    super();
    const { set, viewer, event } = this.root.dataset;
    this.setId = set ?? "";
    this.viewer = viewer ?? "";
    this.#past = Number(event);
    this.history = new History(this.setId);
    const { game, ply, latest } = this.root.dataset;
    this.cursor = new Cursor(this.history, Number(game), latest === undefined ? Number(ply) : null);
    this.replay = new Replay(this.cursor, () => this.show());
    this.#bind();
    follow(this.setId, (name, data) => this.#take(name, data), (up) => this.#connected("stream", up));
    setInterval(() => this.#tick(), TICK_MS);
    document.addEventListener("keydown", (pressed) => {
      if (pressed.key === "Escape") this.hand.cancel();
    });
  }

  get root() {
    return /** @type {HTMLElement} */ (document.getElementById("table"));
  }

  /** Where the viewer sits in the game that is shown. @returns {number | null} */
  get seat() {
    const seats = this.history.latest(this.cursor.game)?.seats;
    if (!seats || this.viewer === "") return null;
    return seats[1] === this.viewer ? 1 : seats[2] === this.viewer ? 2 : null;
  }

  /** The boards of the page as it is now, and what plays on them. */
  #bind() {
    this.boards = [...this.root.querySelectorAll("svg.board")].map((svg) => {
      const board = new Board(/** @type {SVGSVGElement} */ (svg), (square, byKey) => this.hand.tap(square, board, byKey));
      return board;
    });
    const form = document.getElementById("placing");
    const play = (/** @type {any} */ move) => void this.#play(move);
    this.hand = this.boards.length > 1 && form instanceof HTMLFormElement
      ? new PieceHand(this.boards, form, play)
      : new PawnHand(this.boards[0], play);
  }

  #take(/** @type {string} */ name, /** @type {any} */ data) {
    const isNews = data.seq === undefined ? name === "snapshot" : data.seq > this.#past;
    const change = this.history.take(name, data);
    const at = (data.state ?? data.set)?.server_time;
    if (at) this.#time.observe(at, Date.now());
    if (!isNews && data.seq < this.#past) return;
    if (isNews && (name === "move" || name === "round")) this.#tell(data.state);
    if (isNews && name !== "move" && name !== "round" && name !== "clock_credited") {
      this.#rereading = this.#rereading.then(() => this.#reread(name, change.game));
    }
    this.show();
  }

  /** The server's sentences are read again when more than the position has changed. */
  async #reread(/** @type {string} */ name, /** @type {number | null} */ game) {
    const isNewGame = name === "game_started" && game !== null && game !== this.cursor.game && this.cursor.isLive;
    if (isNewGame) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      this.cursor.open(game);
    }
    const parts = isNewGame ? ["table", "moves"] : ["status"];
    await refresh(`${location.pathname}?game=${this.cursor.game}`, parts);
    if (isNewGame) this.#bind();
    this.show();
    if (name === "game_finished" || name === "set_finished") this.#ended(name);
  }

  #ended(/** @type {string} */ name) {
    const result = this.history.latest(this.cursor.game)?.result;
    if (name === "game_finished" && result && this.seat !== null) sound(result.winner === this.seat ? "won" : "lost");
    this.#announce(document.getElementById("status")?.textContent ?? "");
    this.dispatchEvent(new Event(name));
  }

  /** Says a move once, to whoever listens. */
  #tell(/** @type {any} */ state) {
    if ((this.#told.get(state.number) ?? 0) >= state.ply) return;
    this.#told.set(state.number, state.ply);
    this.#announce(moveInWords(state, this.seat));
    if (this.seat === null || !state.last_move) return;
    if (state.last_move.seat === null) sound("reveal");
    else if (state.last_move.notation.includes("x")) sound("capture");
    else sound(state.last_move.seat === this.seat ? "move" : "reply");
  }

  /** Shows the position at the cursor, and offers moves when there are any to make. */
  show() {
    const state = this.cursor.state;
    if (!state) return;
    const before = this.#shown;
    this.#shown = { game: state.number, ply: state.ply };
    if (before?.game !== state.number || before.ply !== state.ply) this.#draw(state, before);
    showSeats(state);
    this.#tick();
    this.replay.show(state.number);
    this.#say(state);
    this.#offer(state);
    this.root.dataset.ply = String(state.ply);
  }

  #draw(/** @type {any} */ state, /** @type {{game: number, ply: number} | null} */ before) {
    const boards = boardsOf(state.body);
    const previous = this.history.at(state.number, state.ply - 1);
    const isNext = before !== null && before.game === state.number && before.ply === state.ply - 1;
    for (const board of this.boards) {
      const pieces = boards.get(board.maker) ?? new Map();
      const last = previous ? changes(boardsOf(previous.body).get(board.maker) ?? new Map(), pieces) : played(state);
      board.show(pieces, last, isNext ? slideOf(state) : null);
      const note = board.svg.closest("figure")?.querySelector("[data-note]");
      if (note) note.textContent = noteOf(state.body.boards[board.maker]);
    }
    const text = document.getElementById("board-text");
    if (text) text.textContent = state.board_text;
  }

  #say(/** @type {any} */ state) {
    const round = document.getElementById("round");
    if (round && state.body.boards) round.textContent = roundInWords(state, this.seat);
    const status = document.getElementById("status");
    const latest = this.history.latest(this.cursor.game);
    // What a game that is over comes to is the server's sentence.
    if (!status || latest.result || this.history.isOver) return;
    if (!this.cursor.isLive) status.textContent = "You look at an earlier position; the game goes on.";
    else status.textContent = turnInWords(latest, this.seat, (seat) => this.#name(latest.seats[seat]));
  }

  #name(/** @type {string} */ participant) {
    const { creator, creatorName, acceptorName } = this.root.dataset;
    return (participant === creator ? creatorName : acceptorName) ?? "";
  }

  #offer(/** @type {any} */ state) {
    const seat = this.seat;
    const isMine = this.cursor.isLive && state.status === "active" && seat !== null && state.to_move.includes(seat);
    this.#mark(isMine);
    if (!isMine || this.#sending || state.submitted) {
      this.hand.offer([], "");
    } else if (state.legal_moves.length > 0) {
      this.hand.offer(state.legal_moves, state.body.boards ? targetBoard(state, seat) : String(seat));
    } else {
      void this.#askMoves(state);
    }
  }

  #mark(/** @type {boolean} */ isMine) {
    const latest = this.history.latest(this.cursor.game);
    const over = latest?.result !== null || this.history.isOver;
    const word = over ? "over" : this.#sending ? "sending" : isMine ? "to-move" : this.seat === null ? "watching" : "waiting";
    this.root.dataset.state = word;
  }

  /** Where moves are secret, events do not carry them: the viewer's own are asked for. */
  async #askMoves(/** @type {any} */ state) {
    const set = await persist(() => call("GET", `/sets/${this.setId}`), (waiting) => this.#connected("moves", !waiting));
    const mine = set.games.find((/** @type {any} */ game) => game.number === state.number);
    if (!mine || (mine.ply === state.ply && mine.legal_moves.length === 0 && !mine.submitted)) return;
    this.history.put(mine);
    this.show();
  }

  async #play(/** @type {any} */ move) {
    const { number, ply } = this.history.latest(this.cursor.game);
    this.#sending = true;
    this.#mark(true);
    this.#refused("");
    try {
      const send = () => call("POST", `/sets/${this.setId}/moves`, { game: number, ply, move });
      const state = await persist(send, (waiting) => this.#connected("moves", !waiting));
      this.history.put(state);
      if (state.ply > ply) this.#tell(state);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.problem?.state) this.history.put(error.problem.state);
      this.#refused(error.message);
    } finally {
      this.#sending = false;
      this.show();
    }
  }

  /** Resigns the game that is shown. */
  async resign() {
    const game = this.cursor.game;
    await this.act("resign", { game });
  }

  /** Asks for a change of the set: `resign`, `pause` or `resume`. @param {string} what @param {unknown} [body] */
  async act(what, body) {
    try {
      await persist(() => call("POST", `/sets/${this.setId}/${what}`, body), (waiting) => this.#connected("moves", !waiting));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#refused(error.message);
    }
  }

  #tick() {
    const state = this.cursor.state;
    if (!state) return;
    showClocks(this.root, this.cursor.isLive ? state : { ...state, status: "past" }, this.#time.at(Date.now()));
  }

  #announce(/** @type {string} */ text) {
    const announcer = document.getElementById("announcer");
    if (announcer) announcer.textContent = text;
  }

  #refused(/** @type {string} */ text) {
    const place = document.getElementById("refused");
    if (!place) return;
    place.textContent = text;
    place.hidden = text === "";
  }

  #connected(/** @type {string} */ what, /** @type {boolean} */ up) {
    this.#lost.set(what, !up);
    const show = () => {
      const notice = document.getElementById("connection");
      if (notice) notice.hidden = ![...this.#lost.values()].includes(true);
    };
    if (up) show();
    else setTimeout(show, LOST_AFTER_MS);
  }
}

/** Squares that the last move names, where the position before it is not known. */
function played(/** @type {any} */ state) {
  const move = state.last_move?.move ?? {};
  return [move.from, move.to].filter(Boolean).map(squareName);
}

function slideOf(/** @type {any} */ state) {
  const move = state.last_move?.move;
  return move?.from ? { from: squareName(move.from), to: squareName(move.to) } : null;
}

function noteOf(/** @type {any} */ board) {
  if (board.status === "made") return `Made in round ${board.rounds}`;
  return board.status === "held" ? "Full without a line: held" : "";
}
