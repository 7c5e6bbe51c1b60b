/**
 * Fits that random flags do not come by, in neighbouring worlds: with the same releases others are given the same, and where own models are made
 * of releases so is everyone.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../temporary.js";
import { someOf } from "../../../thorough.js";
import { combinedPair, COMBINATIONS } from "./combinations.js";
import { faultsOf } from "./faults.js";
import { bothWorlds } from "./two-worlds.js";

// A journal has no room for all that these fits draw; these tests keep own releases beside it, and the rest follows from a seed.
vi.mock(import("../../../../src/learning/release/refuse-resuming.js"), () => ({
  refuseResuming: () => undefined,
}));

/** Tables that are drawn until one is fitted in both worlds. */
const MOST = 60;

test.each(someOf(COMBINATIONS, 9))(
  "others are given the same: $flags",
  async (asked) => {
    const folder = temporaryFolder();
    const refused: string[] = [];
    for (let k = 0; k < MOST; k++) {
      const at = join(folder, String(k));
      mkdirSync(at);
      const pair = combinedPair(asked, k, folder);
      const worlds = pair && (await bothWorlds(at, pair));
      if (!worlds) continue;
      const faults = faultsOf(pair, worlds.present, worlds.neighbour, pair.hidden);
      expect(faults ?? [], `table ${k}: ${pair.flags.join(" ")}`).toEqual([]);
      if (faults) return;
      refused.push(worlds.neighbour.err);
    }
    expect.fail(`no table was fitted in both worlds: ${refused.join("; ")}`);
  },
  100_000,
);
