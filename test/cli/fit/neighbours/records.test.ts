/**
 * Random tables of which one record differs, and fits that hide records: with the same releases others are given the same, and where own models
 * are made of releases so is everyone.
 */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../temporary.js";
import { thorough } from "../../../thorough.js";
import { faultsOf } from "./faults.js";
import { recordPair } from "./random-records.js";
import { bothWorlds } from "./two-worlds.js";

// A journal has no room for own releases; these tests keep them beside it.
vi.mock(import("../../../../src/learning/release/refuse-resuming.js"), () => ({
  refuseResuming: () => undefined,
}));

/** Tables, and how many of them at least are to be fitted in both worlds. */
const [TABLES, COMPARED] = thorough ? [100, 12] : [16, 2];

test(`of ${TABLES} tables all are given the same, whatever one record holds`, async () => {
  const folder = temporaryFolder();
  let [compared, everyone] = [0, 0];
  for (let k = 0; k < TABLES; k++) {
    const pair = recordPair(`records ${k}`);
    const worlds = pair && (await bothWorlds(join(folder, String(k)), pair));
    if (!worlds) continue;
    const faults = faultsOf(pair, worlds.present, worlds.neighbour, pair.hidden);
    expect(faults ?? [], `table ${k}: ${pair.flags.join(" ")}`).toEqual([]);
    if (!faults) continue;
    compared++;
    if (pair.hidden === "") everyone++;
  }
  expect(compared).toBeGreaterThanOrEqual(COMPARED);
  expect(everyone).toBeGreaterThan(0);
}, 600_000);
