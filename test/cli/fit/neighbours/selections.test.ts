/**
 * Private selections of random tables in neighbouring worlds: with the same releases and the same noisy scores of the same runs all others are
 * given the same.
 */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../temporary.js";
import { thorough } from "../../../thorough.js";
import { faultsOf } from "./faults.js";
import { KeptSelections } from "./kept-selections.js";
import { selectionOf } from "./random-selections.js";
import { bothWorlds } from "./two-worlds.js";

vi.mock(import("../../../../src/learning/tuning/selection-budget.js"), async (actual) => {
  const { budgetOf, ...rest } = await actual();
  const { withKeptScores } = await import("./kept-selections.js");
  return { ...rest, budgetOf: (...about) => withKeptScores(budgetOf(...about)) };
});

/** Tables, and how many of them at least are to be fitted in both worlds. */
const [TABLES, COMPARED] = thorough ? [24, 8] : [4, 1];

test(`of ${TABLES} selections other tasks are given the same, whatever one task's rows hold`, async () => {
  const folder = temporaryFolder();
  let compared = 0;
  for (let k = 0; k < TABLES; k++) {
    const pair = selectionOf(`selections ${k}`);
    const worlds = await bothWorlds(join(folder, String(k)), pair, () => new KeptSelections());
    if (!worlds) continue;
    const faults = faultsOf(pair, worlds.present, worlds.neighbour);
    expect(faults ?? [], `table ${k}: ${pair.flags.join(" ")}`).toEqual([]);
    if (faults) compared++;
  }
  expect(compared).toBeGreaterThanOrEqual(COMPARED);
}, 600_000);
