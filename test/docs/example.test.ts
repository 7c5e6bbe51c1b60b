/**
 * docs/EXAMPLE.md: its commands run as printed on the table that it tells how to get, and print about the figures that
 * it states. The table lies beside the project; where it is absent the test is skipped.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { built, root } from "../package/packed.js";
import { describeThoroughShared, sharedPath } from "../shared.js";
import { blocksOf, openProject } from "./code-blocks.js";

const TABLE = "data/tables/scotland.csv.gz";
const page = "docs/EXAMPLE.md";

/** Errors on test rows that fits have printed, in order. */
const errors = (output: string) =>
  [...output.matchAll(/^ *test: +nMSE ([\d.]+)/gm)].map(([, value]) => Number(value));

/** Numbers of the last column of the tables of a page, row by row. */
const stated = readFileSync(join(root, page), "utf8")
  .split("\n")
  .flatMap((line) => /^\|.*\| ([\d., ]+?) *\|$/.exec(line)?.[1] ?? [])
  .map((cell) => cell.split(", ").map(Number));

describeThoroughShared("the worked example (skipped where dist/ is not built)", [TABLE], () => {
  test.skipIf(!built || process.platform === "win32")(
    "its commands print what it states",
    async () => {
      const run = openProject();
      await run({
        language: "sh",
        code: `gunzip -c '${sharedPath(TABLE)}' > scotland.csv`,
        line: 0,
      });
      const outputs = [];
      for (const block of blocksOf(page)) {
        if (["js", "sh"].includes(block.language)) outputs.push(await run(block));
      }
      const [look, declared, ends, curve, fit, predicted, own] = outputs as [
        ...[string, string, string, string, string, string, string],
      ];
      expect(look.match(/would list as not charged/g)).toHaveLength(2);
      expect(declared).not.toContain("not charged");
      const [alone, together, ...budgets] = stated as [number[], number[], ...number[][]];
      const [first, second, third, ...joined] = errors(ends);
      expect(Math.min(first!, second!, third!)).toBeCloseTo(alone[0]!, 1.7);
      expect(Math.min(...joined)).toBeCloseTo(together[0]!, 1.7);
      const runs = errors(curve);
      expect(runs).toHaveLength(12);
      budgets.forEach((cells, k) => {
        const sorted = runs.slice(3 * k, 3 * k + 3).sort((a, b) => a - b);
        cells.forEach((value, i) => expect(sorted[i], `row ${k}`).toBeCloseTo(value, 1));
      });
      expect(fit).toContain("joint (1, 0.00001)-DP of each task against all others");
      expect(fit).toContain("noise source: secure");
      expect(fit).not.toMatch(/not sound/);
      const inside = Number(predicted.trim().split("\n").at(-1));
      expect(inside).toBeGreaterThan(0.84);
      expect(inside).toBeLessThan(0.96);
      expect(own).toMatch(/^1 true \d+/);
    },
    300_000,
  );
});
