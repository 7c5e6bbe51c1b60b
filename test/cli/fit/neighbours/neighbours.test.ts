/**
 * Neighbouring tables through the command line: with the same releases, nothing that other tasks are given or that is published of a fit
 * may tell what one task's rows hold, but for what the guarantee lists.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../temporary.js";
import { thorough } from "../../../thorough.js";
import { faultsOf } from "./faults.js";
import { tablePair } from "./random-tables.js";
import { bothWorlds } from "./two-worlds.js";

/** Tables, and how many of them at least are to be fitted in both worlds. */
const [TABLES, COMPARED] = thorough ? [50, 15] : [8, 2];

test(`of ${TABLES} tables other tasks are given the same, whatever one task's rows hold`, async () => {
  const folder = temporaryFolder();
  let compared = 0;
  for (let k = 0; k < TABLES; k++) {
    const pair = tablePair(`neighbours ${k}`);
    const worlds = await bothWorlds(join(folder, String(k)), pair);
    if (!worlds) continue;
    const faults = faultsOf(pair, worlds.present, worlds.neighbour);
    expect(faults ?? [], `table ${k}: ${pair.flags.join(" ")}`).toEqual([]);
    if (faults) compared++;
  }
  expect(compared).toBeGreaterThanOrEqual(COMPARED);
}, 300_000);
