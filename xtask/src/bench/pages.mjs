/**
 * Judges pages of a running platform with Lighthouse, on a phone and on a desktop, and prints a table.
 *
 * Arguments: the folder of Lighthouse, the platform's address. Fails when a page has less than 95 anywhere, or when it asks
 * another host for anything. Not here: how the platform is started.
 */

import { pathToFileURL } from "node:url";

const [folder, site] = process.argv.slice(2);
const { default: lighthouse, desktopConfig } = await import(pathToFileURL(`${folder}/core/index.js`).href);
const { launch } = await import(pathToFileURL(`${folder}/../chrome-launcher/dist/index.js`).href);

const BAR = 95;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const SCREENS = [["phone", undefined], ["desktop", desktopConfig]];
const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--disable-breakpad",
];

/** One page of each kind that everybody may see; the set is one that is being played. */
async function pages() {
  const { sets: [{ id, creator }] } = await (await fetch(`${site}/v1/sets?status=active&limit=1`)).json();
  return [
    "/", "/games", "/games/breakthrough", "/games/breakthrough/leaderboard", `/sets/${id}`, "/play", "/play/maker-breaker",
    "/bots", `/bots/${creator.id}`, `/players/${creator.owner.id}`, "/guide", "/docs", "/sign-up", "/sign-in",
  ];
}

/** How long the platform may take to start and its exhibition to begin, in milliseconds. */
const START_LIMIT_MS = 60_000;

/** Waits until the exhibition plays, so that pages have something to show. */
async function settled() {
  const end = Date.now() + START_LIMIT_MS;
  while (Date.now() < end) {
    const answer = await fetch(`${site}/v1/sets?status=active&limit=2`).catch(() => null);
    if (answer?.ok && (await answer.json()).sets.length >= 2) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the exhibition does not play");
}

/** The points of a page in each category, and hosts that are not ours. */
async function judge(address, port, config) {
  const found = await lighthouse(address, { port, onlyCategories: CATEGORIES, logLevel: "error" }, config);
  const { categories, audits } = found.lhr;
  const requests = audits["network-requests"].details.items.map((request) => request.url);
  const strangers = requests.filter((url) => /^(https?|wss?):/.test(url) && new URL(url).origin !== site);
  const lost = CATEGORIES.flatMap((name) => categories[name].auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9).map(({ id }) => id);
  return { points: CATEGORIES.map((name) => Math.round(categories[name].score * 100)), lost, strangers };
}

/** The same, by the middle one of three looks where the first falls short: a busy machine spoils a single one. */
async function judgeFairly(address, port, config) {
  const looks = [await judge(address, port, config)];
  if (shortfalls(looks[0]) === 0) return looks[0];
  for (let look = 2; look <= 3; look += 1) looks.push(await judge(address, port, config));
  return looks.sort((one, other) => one.points[0] - other.points[0])[1];
}

/** How many figures are below the bar, and requests go to other hosts. */
function shortfalls({ points, strangers }) {
  return points.filter((number) => number < BAR).length + strangers.length;
}

await settled();
const chrome = await launch({ chromeFlags: FLAGS, ignoreDefaultFlags: false, logLevel: "error" });
let failures = 0;
try {
  console.log(`| page | screen | ${CATEGORIES.join(" | ")} | lost points on |`);
  console.log(`|---|---|${CATEGORIES.map(() => "---|").join("")}---|`);
  for (const page of await pages()) {
    for (const [screen, config] of SCREENS) {
      const found = await judgeFairly(site + page, chrome.port, config);
      const { points, lost, strangers } = found;
      failures += shortfalls(found);
      console.log(`| ${page.replace(/(set|bot|player)_\w+/, "{$1}")} | ${screen} | ${points.join(" | ")} | ${[...lost, ...strangers].join(", ")} |`);
    }
  }
} finally {
  chrome.kill();
}
if (failures > 0) {
  console.error(`${failures} figures are below ${BAR}, or requests to other hosts`);
  process.exitCode = 1;
}
