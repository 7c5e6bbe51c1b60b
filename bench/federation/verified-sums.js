/**
 * What a verified sum costs a participant and each of the two aggregators, and what liars come to.
 *
 *   npm run build && node bench/federation/verified-sums.js [--chromium] [--liars 1000] [--json]
 *
 * A participant's time is that of its one report, from its vector to the bytes it sends; with --chromium it is
 * measured in a page, too. It depends on the vector's length only, so 10,000 participants are in the terms, and
 * two of them report. Bytes are set beside those of the leader's share of vector and bits.
 */
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { chromium } from "playwright-core";
import { openCore } from "../../build/modules/core/index.js";
import {
  Helper,
  keyPair,
  Leader,
  makeReport,
  randomBytesFrom,
  reportBytes,
  sessionId,
  taskIntegers,
  termsOfSum,
  verifiedMechanism,
  verifyKeyBytes,
} from "../../build/modules/federation/verified-sums/index.js";

const { values: options } = parseArgs({
  options: {
    chromium: { type: "boolean", default: false },
    liars: { type: "string", default: "100" },
    json: { type: "boolean", default: false },
  },
});
const PARTICIPANTS = 10_000;
const CASES = [
  { statistic: "vector", dimension: 30 },
  { statistic: "covariance", dimension: 30 },
  { statistic: "vector", dimension: 300 },
  { statistic: "vector", dimension: 10_000 },
];
const random = randomBytesFrom({ mode: "secure" });
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

function roundOf({ statistic, dimension }) {
  const asked = { statistic, tasks: PARTICIPANTS, dimension, clip: 1, delta: 1e-6 };
  const terms = termsOfSum(verifiedMechanism(asked), 0.1);
  const session = sessionId({ plan: "bench", run: "bench", round: 1, attempt: 1 });
  const keys = [keyPair(random), keyPair(random)];
  const verifyKey = random(verifyKeyBytes(terms));
  const shared = {
    terms,
    session,
    verifyKey,
    core: openCore(),
    random: { mode: "secure" },
    round: 1,
  };
  return {
    terms,
    session,
    aggregators: keys.map((pair) => pair.public),
    leader: new Leader({ ...shared, keys: keys[0] }),
    helper: new Helper({ ...shared, keys: keys[1] }),
  };
}

/** Milliseconds of processor time, which a busy machine changes less than the clock's. */
function timed(run, times) {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / 1000);
  return result;
}

function measure(setting) {
  const { terms, session, aggregators, leader, helper } = roundOf(setting);
  const times = { report: [], leader: [], helper: [] };
  const upload = Float64Array.from({ length: setting.dimension }, (_, i) => Math.sin(i));
  const reports = setting.dimension > 1000 ? 5 : 30;
  for (let i = 0; i < reports; i++) {
    const participant = `p${i}`;
    const report = timed(() => {
      const integers = taskIntegers(terms.grid, upload);
      return makeReport({ terms, session, participant, aggregators, integers, random });
    }, times.report);
    const { message } = timed(() => leader.receive(participant, report), times.leader);
    const reply = timed(() => helper.receive(participant, message), times.helper);
    const half = [];
    if (timed(() => leader.answer(participant, reply), half) !== "accepted") {
      throw new Error("an honest report was refused");
    }
    times.leader[i] += half[0];
  }
  const { pine } = terms;
  const shares = pine.parameters.length * pine.parameters.field.bytes;
  return {
    ...setting,
    entries: terms.grid.entries,
    precision: terms.grid.precision,
    firstReport: times.report[0],
    report: median(times.report),
    leader: median(times.leader),
    helper: median(times.helper),
    bytes: reportBytes(pine),
    shares,
    vector: terms.grid.entries * pine.parameters.field.bytes,
  };
}

/** Liars over the norm by one grid step, by half and by a factor of three, among ten honest participants. */
function liars(count) {
  const { terms, session, aggregators, leader, helper } = roundOf(CASES[0]);
  const { radius } = terms.grid.lattice;
  const send = (participant, norm) => {
    const integers = new Float64Array(terms.grid.entries);
    integers[0] = norm;
    const report = makeReport({ terms, session, participant, aggregators, integers, random });
    const { message } = leader.receive(participant, report);
    leader.answer(participant, helper.receive(participant, message));
  };
  const norms = [radius + 1, Math.ceil(1.5 * radius), 3 * radius];
  for (let i = 0; i < count; i++) send(`liar${i}`, norms[i % 3]);
  for (let i = 0; i < 10; i++) send(`honest${i}`, radius);
  const refused = [...leader.refused.keys()];
  if (!refused.every((name) => name.startsWith("liar"))) throw new Error("one honest was refused");
  const accepted = leader.accepted.length;
  const sum = leader.open(helper.give(leader.close()));
  return { liars: count, refused: refused.length, accepted, sumInSteps: sum[0] / radius };
}

/** The same report in a page: milliseconds by its clock, the first and the median. */
async function inChromium() {
  const module = fileURLToPath(
    new URL("../../build/modules/federation/verified-sums/index.js", import.meta.url),
  );
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from ${JSON.stringify(module)};`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    format: "iife",
    globalName: "verified",
    platform: "browser",
    write: false,
    conditions: ["default"],
    minify: true,
  });
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.setContent("<!doctype html><title>bench</title>");
    await page.addScriptTag({ content: outputFiles[0].text });
    return await page.evaluate(
      ([cases, tasks]) =>
        cases.map(({ statistic, dimension }) => {
          /* global verified, performance */
          const mechanism = verified.verifiedMechanism({
            statistic,
            tasks,
            dimension,
            clip: 1,
            delta: 1e-6,
          });
          const terms = verified.termsOfSum(mechanism, 0.1);
          const random = verified.randomBytesFrom({ mode: "secure" });
          const aggregators = [verified.keyPair(random).public, verified.keyPair(random).public];
          const session = verified.sessionId({ plan: "b", run: "b", round: 1, attempt: 1 });
          const upload = Float64Array.from({ length: dimension }, (_, i) => Math.sin(i));
          const times = Array.from({ length: 11 }, () => {
            const start = performance.now();
            const integers = verified.taskIntegers(terms.grid, upload);
            verified.makeReport({
              terms,
              session,
              participant: "p",
              aggregators,
              integers,
              random,
            });
            return performance.now() - start;
          });
          const median = times.toSorted((a, b) => a - b)[5];
          return { statistic, dimension, first: times[0], median };
        }),
      [CASES, PARTICIPANTS],
    );
  } finally {
    await browser.close();
  }
}

const rows = CASES.map(measure);
const attack = liars(Number(options.liars));
const page = options.chromium ? await inChromium() : undefined;
if (options.json) console.log(JSON.stringify({ rows, attack, page }));
else {
  console.table(
    rows.map((row) => ({
      statistic: row.statistic,
      d: row.dimension,
      entries: row.entries,
      bits: row.precision,
      "first report ms": row.firstReport.toFixed(0),
      "report ms": row.report.toFixed(1),
      "leader ms": row.leader.toFixed(1),
      "helper ms": row.helper.toFixed(1),
      "KB sent": (row.bytes / 1000).toFixed(1),
      "of its shares": (row.bytes / row.shares).toFixed(3),
      "of its vector": (row.bytes / row.vector).toFixed(2),
    })),
  );
  console.table([attack]);
  if (page) console.table(page);
}
