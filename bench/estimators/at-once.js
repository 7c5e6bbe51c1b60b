/**
 * How much this machine does at once: a fit on one thread in a process of its own, and the same in two processes at the same time.
 *
 *   node bench/estimators/at-once.js [--all] [--only METHOD] [--seconds S]
 *
 * The two share nothing but the machine, so nothing in them waits for anything. Twice the fits of one, by the clock, is what two
 * processors can do at best. What is missing is taken by the machine (memory, clock speed, other guests) and by the helper
 * threads of the two engines, which compile and collect. No division of a fit over two threads can be expected to gain more,
 * so the gains that `threads.js` prints are to be read against these.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { CASES, fitOf, isBrief, wordsOf } from "./thread-cases.js";

const { values: options } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    only: { type: "string" },
    seconds: { type: "string", default: "3" },
    child: { type: "string" },
  },
});
const time = 1000 * Number(options.seconds);

/** Fits one after the other until the time is over, and the mean ms of a fit. */
async function meanOf(fit) {
  const start = performance.now();
  let fits = 0;
  do {
    await fit({ threads: 1 });
    fits++;
  } while (performance.now() - start < time);
  return (performance.now() - start) / fits;
}

/** A process that fits warm, says so, and then measures whenever it is told. */
async function serve(index) {
  const fit = fitOf(CASES[index]);
  await meanOf(fit);
  process.on("message", async () => process.send(await meanOf(fit)));
  process.send("warm");
}

async function heard(child) {
  const [value] = await once(child, "message");
  return value;
}

/** Mean ms of a fit in each of these processes, all at the same time. */
function measured(children) {
  return Promise.all(
    children.map((child) => {
      child.send("measure");
      return heard(child);
    }),
  );
}

async function compare() {
  console.log(`load of the machine: ${loadavg()[0].toFixed(1)} on its processors\n`);
  console.log(
    "| method, m x n x d | ms, one | ms, two at once | gain of two |\n| --- | --- | --- | --- |",
  );
  for (const [index, one] of CASES.entries()) {
    if (!(options.all || isBrief(one))) continue;
    if (options.only !== undefined && one[0] !== options.only) continue;
    const children = [0, 1].map(() =>
      fork(fileURLToPath(import.meta.url), ["--child", `${index}`, "--seconds", options.seconds]),
    );
    await Promise.all(children.map(heard));
    // In turns, so that a slower minute of the machine counts for both.
    const alone = [];
    const both = [];
    for (let turn = 0; turn < 3; turn++) {
      alone.push(...(await measured([children[turn % 2]])));
      both.push(...(await measured(children)));
    }
    for (const child of children) child.kill();
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    console.log(
      `| ${wordsOf(one)} | ${mean(alone).toFixed(0)} | ${mean(both).toFixed(0)} ` +
        `| ${((2 * mean(alone)) / mean(both)).toFixed(2)} |`,
    );
  }
}

await (options.child === undefined ? compare() : serve(Number(options.child)));
