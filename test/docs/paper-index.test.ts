/** Every figure and table of the papers has one entry, from which the command and the page are made. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../package/packed.js";

interface Entry {
  readonly id: string;
  readonly shows: string;
  readonly makes: readonly string[];
  readonly verdict: string;
  readonly why: string;
  readonly replicates: number;
}

interface Statement {
  readonly id: string;
  readonly says: string;
  readonly entry?: string;
  readonly makes?: readonly string[];
  readonly verdict: string;
  readonly found: string;
}

const { INDEX, STATEMENTS, VERDICTS, experimentsBehind, experimentsOf } = (await import(
  /* @vite-ignore */ join(root, "bench/paper/index/index.js")
)) as {
  INDEX: readonly Entry[];
  STATEMENTS: readonly Statement[];
  experimentsBehind(statement: Statement): readonly string[];
  VERDICTS: Record<string, string>;
  experimentsOf(
    names: readonly string[],
    experiments: readonly string[],
  ): { experiments: string[]; refused: { name: string; why: string }[] };
};

test("docs/REPRODUCTION.md has the index as the data say (node scripts/paper-index.mjs)", async () => {
  const { withIndex, PAGE } = (await import(
    /* @vite-ignore */ join(root, "scripts/paper-index.mjs")
  )) as { PAGE: string; withIndex(page: string): Promise<string> };
  const page = readFileSync(join(root, PAGE), "utf8");
  expect(await withIndex(page)).toBe(page);
  await expect(withIndex("no marks")).rejects.toThrow("no mark");
});

describe("the index", () => {
  // The file of experiments imports the build; its names are read off the text, so that a missing one is seen without it.
  const text = readFileSync(join(root, "bench/paper/experiments.js"), "utf8");
  const body = text.slice(text.indexOf("EXPERIMENTS = {"));
  const experiments = [...body.matchAll(/^ {2}"?([\w-]+)"?(?:: \w+)?,$/gm)].map(
    ([, name]) => name!,
  );

  test("names experiments that there are, and none is without an entry or a statement", () => {
    expect(experiments).toContain("leakage");
    const named = new Set([
      ...INDEX.flatMap(({ makes }) => makes),
      ...STATEMENTS.flatMap(experimentsBehind),
    ]);
    for (const name of named) expect(experiments).toContain(name);
    expect(experiments.filter((name) => !named.has(name))).toEqual([]);
  });

  test("has every figure from 1 to 11 of the first paper, and says what each verdict rests on", () => {
    const ids = INDEX.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (let k = 1; k <= 11; k++) expect(ids).toContain(`mp-mtl-fig-${k}`);
    expect(ids).toContain("pmtl-table-1");
    for (const { id, verdict, why, replicates, makes } of INDEX) {
      expect(VERDICTS, id).toHaveProperty([verdict]);
      expect(why.length, id).toBeGreaterThan(10);
      // No measurement is claimed that nothing was run for.
      const measured = !["cannot be tried here", "nothing to measure"].includes(verdict);
      expect(replicates > 0 && makes.length > 0, id).toBe(measured);
    }
  });

  test("has a verdict and a way to it for every statement, and no name twice", () => {
    const ids = [...INDEX, ...STATEMENTS].map(({ id }) => id);
    expect(new Set([...ids, ...experiments]).size).toBe(ids.length + experiments.length);
    for (const statement of STATEMENTS) {
      const { id, entry, makes, verdict, found } = statement;
      expect(VERDICTS, id).toHaveProperty([verdict]);
      expect(found.length, id).toBeGreaterThan(10);
      expect((entry === undefined) !== (makes === undefined), id).toBe(true);
      if (entry !== undefined) expect(INDEX.map((one) => one.id)).toContain(entry);
      // What was tried and found so has something to run; what a proof settles has not.
      if (["reproduced", "older noise", "in part"].includes(verdict)) {
        expect(experimentsBehind(statement).length, id).toBeGreaterThan(0);
      }
    }
    const { experiments: found, refused } = experimentsOf(
      ["mp-mtl-tuning", "mp-mtl-theorem-1", "mp-mtl-leak"],
      experiments,
    );
    expect(found).toEqual(["tuning", "tuning-as-printed", "leakage"]);
    expect(refused.map(({ name }) => name)).toEqual(["mp-mtl-theorem-1"]);
    expect(refused[0]!.why).toContain("contradicted");
  });

  test("turns numbers into experiments, each once, and says why there is nothing to run", () => {
    const asked = ["mp-mtl-fig-6", "leakage", "mp-mtl-fig-1", "mp-mtl-fig-2", "magic"];
    const { experiments: found, refused } = experimentsOf(asked, experiments);
    expect(found[0]).toBe("both-algorithms");
    expect(found.filter((name) => name === "leakage")).toHaveLength(1);
    expect(refused.map(({ name }) => name)).toEqual(["mp-mtl-fig-2", "magic"]);
    expect(refused[0]!.why).toContain("nothing to measure");
    expect(experimentsOf(["all"], experiments)).toEqual({ experiments, refused: [] });
  });
});
