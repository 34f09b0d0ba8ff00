// A boardgame.io server with standard Breakthrough, in memory, on the loopback interface. Its packages are found through
// NODE_PATH. Prints its port when it listens.
'use strict';

const { Server, Origins } = require('boardgame.io/server');

const SIZE = 8;
const EMPTY = 0;
const SIDES = { 0: { pawn: 1, ahead: 1, goal: SIZE - 1 }, 1: { pawn: 2, ahead: -1, goal: 0 } };

function setup() {
  const cells = new Array(SIZE * SIZE).fill(EMPTY);
  cells.fill(SIDES[0].pawn, 0, 2 * SIZE);
  cells.fill(SIDES[1].pawn, -2 * SIZE);
  return { cells, won: null };
}

function mayStep(cells, side, from, to) {
  const inside = [from, to].every((cell) => Number.isInteger(cell) && cell >= 0 && cell < cells.length);
  if (!inside || cells[from] !== side.pawn || cells[to] === side.pawn) return false;
  const rows = Math.floor(to / SIZE) - Math.floor(from / SIZE);
  const columns = Math.abs((to % SIZE) - (from % SIZE));
  return rows === side.ahead && (columns === 1 || (columns === 0 && cells[to] === EMPTY));
}

function step({ G, playerID }, from, to) {
  const side = SIDES[playerID];
  if (!mayStep(G.cells, side, from, to)) return 'INVALID_MOVE';
  const opponent = SIDES[1 - playerID].pawn;
  G.cells[to] = side.pawn;
  G.cells[from] = EMPTY;
  if (Math.floor(to / SIZE) === side.goal || !G.cells.includes(opponent)) G.won = playerID;
  return undefined;
}

const breakthrough = {
  name: 'breakthrough',
  minPlayers: 2,
  maxPlayers: 2,
  setup,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { step },
  endIf: ({ G }) => (G.won === null ? undefined : { winner: G.won }),
};

const server = Server({ games: [breakthrough], origins: [Origins.LOCALHOST] });
server.run({ port: { port: 0, host: '127.0.0.1' } }).then(({ appServer }) => {
  // Players may wait for the others to be seated for longer than Node keeps a connection.
  appServer.keepAliveTimeout = 0;
  process.stdout.write(`${appServer.address().port}\n`);
});
// It ends with the program that started it, which holds the other end of its input.
process.stdin.resume().on('end', () => process.exit(0));
