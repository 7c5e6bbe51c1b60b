/**
 * Neighbouring participants: with the same releases nothing that other participants receive, or that the curator writes and counts, may tell
 * what one participant's rows hold. Of what is masked, or for the curator alone, times and lengths are compared.
 */
import { describe, expect, test } from "vitest";
import { thorough } from "../../thorough.js";
import { CASES, madeOf, titleOf, WORLDS } from "./cases.js";
import { bothWorlds } from "./two-worlds.js";

describe("with the same releases all others see the same", () => {
  // Each run with rows of another kind: all kinds with all runs take minutes.
  const all = CASES.map((one, k) => [titleOf(one), WORLDS[k % WORLDS.length]!, one] as const);
  test.each(thorough ? all : all.filter(([, , { always }]) => always))(
    "%s, the rows of one owner: %s",
    async (_title, world, one) => {
      const { setting, usual, ownIn } = madeOf(one);
      const { present, neighbour } = await bothWorlds(setting, usual, ownIn(world));
      expect(present.releases.length).toBeGreaterThan(0);
      const at = present.lines.findIndex((line, i) => line !== neighbour.lines[i]);
      expect(neighbour.lines[at], `line ${at}`).toBe(present.lines[at]);
      expect(neighbour.lines.length).toBe(present.lines.length);
    },
    300_000,
  );
});
