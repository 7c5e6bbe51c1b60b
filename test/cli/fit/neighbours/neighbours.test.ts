/**
 * Neighbouring tables through the command line: with the same releases, nothing that other tasks are given or that is published of a fit
 * may tell what one task's rows hold, but for what the guarantee lists.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../../../src/cli/terminal/exit-code.js";
import { temporaryFolder } from "../../../temporary.js";
import { thorough } from "../../../thorough.js";
import { tablePair, type TablePair } from "./random-tables.js";
import { bothWorlds, type World } from "./two-worlds.js";
import { decidedOf, unlistedDecisions } from "./what-was-decided.js";
import { differences, published, seenByOthers, warned } from "./what-differs.js";

/** Tables, and how many of them at least are to be fitted in both worlds. */
const [TABLES, COMPARED] = thorough ? [120, 40] : [20, 6];

/** What is wrong with a pair of worlds, in words; undefined where one of them is refused before anything is released. */
function faultsOf(pair: TablePair, present: World, neighbour: World): string[] | undefined {
  if (!neighbour.model) {
    const late = neighbour.releases > 0 || neighbour.code === EXIT.other;
    return late ? [`ended after releases: ${neighbour.err}`] : undefined;
  }
  const [one, two] = [present.model!, neighbour.model];
  const decided = differences(decidedOf(one), decidedOf(two));
  if (decided.length > 0) {
    if (pair.declared) return [`decided by rows though all is declared: ${decided.join(", ")}`];
    return unlistedDecisions(one, two);
  }
  // How many rows a task has is public, and tells in all that is made of it.
  if (pair.resized) return [];
  const seen = differences(seenByOthers(one, pair.changed), seenByOthers(two, pair.changed));
  const shown = differences(published(present.document), published(neighbour.document));
  const said = differences(warned(present), warned(neighbour)).length > 0 ? ["warnings"] : [];
  return [...seen, ...shown.map((path) => `document: ${path}`), ...said];
}

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
