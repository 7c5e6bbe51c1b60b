/**
 * How close the bounds on the epsilon of random allocations are: k of t rounds, one of each of k blocks, under zero-out.
 *
 *   npm run bench:allocations -- [--allocations 1/2,1/10,...] [--sigma 0.1,0.25,0.5,1,2,4] [--delta 1e-5,1e-9]
 *
 * Prints Markdown: the upper bound, which is what is charged, and in brackets the part of it that the lower bound lacks; for every
 * allocation the processor time of an upper bound by itself, the mean over its row. Exits with 1 where a gap is above 1 %.
 */
import { among, parseArgs } from "../parse-args.js";
import {
  epsilonBounds,
  epsilonOf,
  randomAllocationEvent,
} from "../../build/modules/privacy/index.js";

const { values: options } = parseArgs({
  options: {
    allocations: {
      type: "string",
      default: "1/2,1/10,5/10,9/10,1/100,5/100,30/100,1/1000,10/1000,100/1000,1/100000,100/100000",
    },
    sigma: { type: "string", default: "0.1,0.25,0.5,1,2,4" },
    delta: { type: "string", default: "1e-5,1e-9" },
  },
});
const [sigmas, deltas] = [options.sigma, options.delta].map((text) => text.split(",").map(Number));
const allocations = options.allocations.split(",").map((text) => text.split("/").map(Number));
const bad = allocations.filter(([k, t]) => !(k >= 1 && k < t));
among("allocations", bad.map((pair) => pair.join("/")), []); // prettier-ignore

const seconds = () => process.cpuUsage().user / 1e6;
let widest = 0;
for (const delta of deltas) {
  console.log(`\nEpsilon at delta ${delta}, by noise over the sensitivity of a round:\n`);
  console.log(`| k of t | ${sigmas.join(" | ")} | s |`);
  console.log(`| --- |${" --: |".repeat(sigmas.length + 1)}`);
  for (const [picks, rounds] of allocations) {
    let spent = 0;
    const cells = sigmas.map((sigma) => {
      const event = randomAllocationEvent({ sigma, rounds, picks });
      const before = seconds();
      epsilonOf([event], { delta });
      spent += seconds() - before;
      const { lower, upper } = epsilonBounds([event], { delta });
      const gap = upper > 0 ? 1 - lower / upper : 0;
      widest = Math.max(widest, gap);
      return `${upper.toPrecision(5)} (${(100 * gap).toFixed(3)} %)`;
    });
    const time = (spent / sigmas.length).toFixed(2);
    console.log(`| ${picks} of ${rounds} | ${cells.join(" | ")} | ${time} |`);
  }
}
console.log(`\nWidest gap: ${(100 * widest).toFixed(3)} %`);
if (widest > 0.01) process.exitCode = 1;
