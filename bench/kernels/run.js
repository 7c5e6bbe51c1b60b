/**
 * Times the linear-algebra kernels against one-thread NumPy (where python3 has it) and against
 * other JavaScript libraries, each case next to its rivals in the same run.
 *
 *   npm run bench -- [--quick] [--build simd|scalar|relaxed] [--only REGEX] [--no-rivals] [--rivals A,B] [--out FILE]
 *
 * OpenBLAS takes part where MP_MTL_OPENBLAS names a module of it (rivals/openblas.js).
 *
 * Prints best times, ratios, and how many times longer others take; a rival whose values differ from
 * ours by more than 1e-9 is marked "wrong". All of it goes to build/bench-kernels.json as JSON.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { initialize, kernelBuild } from "../../build/modules/core/index.js";
import { cases, flops, inputs } from "./cases.js";
import { ours } from "./ours.js";
import { difference, openRivals } from "./rivals/index.js";
import { bestTime, numpyTime } from "./timing.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    build: { type: "string", default: "simd" },
    only: { type: "string", default: "" },
    "no-rivals": { type: "boolean", default: false },
    rivals: { type: "string" },
    out: { type: "string", default: `${root}build/bench-kernels.json` },
  },
});
initialize({ build: options.build });
const milliseconds = options.quick ? 50 : 200;
/** We and the others take turns, so that a busy spell of the machine meets both. */
const TURNS = 3;
/** A library is dropped from a kernel's larger sizes once a call took so many milliseconds. */
const PATIENCE = 150;
/** Relative difference from our values beyond which an answer counts as wrong. */
const WRONG = 1e-9;

const column = (text, width = 11) => String(text ?? "-").padStart(width);
const figure = (x, digits) => (x === undefined ? undefined : x.toFixed(digits));

const rivals = options["no-rivals"] ? [] : await openRivals(options.rivals?.split(","));
const tooSlow = new Set();

/** A rival at a case: `turn` times it, `error` is that of its answer; undefined if it has no such kernel. */
async function enterRival(rival, testCase, matrices, expected) {
  const key = `${rival.name} ${testCase.kernel}`;
  if (tooSlow.has(key)) return undefined;
  const call = rival.call(testCase, matrices);
  if (!call) return undefined;
  const entry = { best: Infinity };
  const judge = (values) => values && expected && difference(testCase.kernel, expected, values);
  entry.turn = async () => {
    if (call.time) {
      const { best, values } = await call.time(milliseconds);
      entry.error = judge(values);
      entry.best = Math.min(entry.best, best);
    } else {
      entry.best = Math.min(entry.best, await bestTime(call.run, milliseconds, call.restore));
    }
    if (entry.best > PATIENCE) tooSlow.add(key);
  };
  if (!call.time) {
    call.restore?.();
    entry.error = judge(call.values?.(call.run()));
  }
  return entry;
}

async function measure(testCase) {
  const matrices = inputs(testCase);
  const { run, restore, values } = ours(testCase, matrices);
  restore?.();
  run();
  const expected = values && Float64Array.from(values());
  const entries = {};
  const failed = (name) => (error) => (entries[name] = { failed: String(error) });
  for (const rival of rivals) {
    const entry = enterRival(rival, testCase, matrices, expected);
    entries[rival.name] = await entry.catch(failed(rival.name));
  }
  let best = Infinity;
  let numpy;
  for (let turn = 0; turn < TURNS; turn++) {
    best = Math.min(best, await bestTime(run, milliseconds, restore));
    const found = numpyTime(testCase, milliseconds);
    if (found && !(numpy?.milliseconds < found.milliseconds)) numpy = found;
    for (const { name } of rivals) {
      // After its first turn a slow one has been measured long enough.
      if (turn > 0 && entries[name]?.best > PATIENCE) continue;
      await Promise.resolve(entries[name]?.turn?.()).catch(failed(name));
    }
  }
  const result = { ...testCase, ours: best, numpy, ratio: numpy && best / numpy.milliseconds };
  result.rivals = Object.fromEntries(
    Object.entries(entries).map(([name, { best, error, failed } = {}]) => [
      name,
      failed ? { failed } : best && { best, error },
    ]),
  );
  return result;
}

function line({ kernel, shape, ours: best, numpy, ratio, rivals: others }) {
  const rate = flops({ kernel, shape }) && flops({ kernel, shape }) / best / 1e6;
  const times = rivals.map(({ name }) => {
    const found = others[name];
    if (!found || found.failed) return column(found && "fails");
    return column(`${(found.best / best).toPrecision(2)}${found.error > WRONG ? " wrong" : ""}`);
  });
  return (
    `${kernel} ${shape.join(" x ")}`.padEnd(34) +
    column(figure(best, 4)) +
    column(figure(rate, 1), 9) +
    column(figure(numpy?.milliseconds, 4)) +
    column(figure(ratio, 2), 7) +
    times.join("")
  );
}

console.log(
  `${cpus()[0].model}, Node ${process.versions.node}, ${kernelBuild()} build; best times in ms, ` +
    "others as multiples of ours",
);
console.log(
  "kernel".padEnd(34) +
    [column("ours"), column("GFLOP/s", 9), column("numpy"), column("ratio", 7)].join("") +
    rivals.map(({ name }) => column(name)).join(""),
);
const results = [];
for (const testCase of cases(options)) {
  results.push(await measure(testCase));
  console.log(line(results.at(-1)));
}
for (const rival of rivals) rival.close?.();
if (!results.some(({ numpy }) => numpy)) console.log("(no python3 with numpy was found)");

mkdirSync(dirname(options.out), { recursive: true });
writeFileSync(
  options.out,
  JSON.stringify(
    {
      node: process.versions.node,
      cpu: cpus()[0].model,
      build: kernelBuild(),
      numpy: results.find(({ numpy }) => numpy)?.numpy.version,
      results,
    },
    null,
    1,
  ) + "\n",
);
console.log(`wrote ${options.out}`);
