/** What an evaluation says that eps promises leaves out what its fits learn of columns, and choose, without a charge. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Cell, CellResult } from "../../../../src/cli/evaluation/cells/cell.js";
import { runCell } from "../../../../src/cli/evaluation/cells/run-cell.js";
import { learnedIn } from "../../../../src/cli/evaluation/findings/learned.js";
import { floatsRemark, promiseOf } from "../../../../src/cli/evaluation/findings/promise.js";
import { cellsOf } from "../../../../src/cli/evaluation/plan/plan-cells.js";
import { readSource } from "../../../../src/cli/evaluation/plan/source.js";
import { temporaryFolder } from "../../../temporary.js";

const folder = temporaryFolder();
const data = join(folder, "rows.csv");
const ranges = join(folder, "schema.json");

beforeAll(() => {
  const rows = Array.from(
    { length: 80 },
    (_, i) => `t${i % 8},${(i * 7) % 11},${20 + i},${"ab"[i % 3 === 0 ? 1 : 0]}`,
  );
  writeFileSync(data, ["task,y,age,ward", ...rows].join("\n"));
  const columns = {
    age: { kind: "number", range: [0, 100] },
    ward: { kind: "category", levels: ["a", "b"], missing: "zeros" },
  };
  const target = { column: "y", kind: "number", range: [0, 10] };
  const said = { format: "mp-mtl-schema", version: 1, task: "task", target, columns };
  writeFileSync(ranges, JSON.stringify(said));
});

/** The result of one private cell, as `evaluate` plans it. */
async function resultOf(given: object, change: Partial<Cell> = {}): Promise<CellResult> {
  const values = {
    data,
    task: "task",
    target: "y",
    loss: "auto",
    trainFraction: 0.7,
    missing: "impute",
    methods: ["pmtl"],
    epsilon: [1],
    replicates: 1,
    tune: "none",
    normalize: "none",
    seed: "0",
    adjacency: "replace",
    delta: "auto",
    ...given,
  } as never;
  const [cell] = cellsOf(values, {}, await readSource(values), []);
  const few = { ...cell!.options, rounds: 2 };
  return runCell({ ...cell!, options: few, ...change });
}

test("columns and loss that are found by looking at all rows", async () => {
  const result = await resultOf({});
  const learned = [
    'kinds of the columns "age", "ward", found by looking at all tasks\' rows',
    'levels of the column "ward" observed over all tasks',
    "the loss, chosen by the values of the target over all tasks",
  ];
  expect(learnedIn([result])).toEqual(expect.arrayContaining(learned));
  const said = promiseOf([result]).join("\n");
  for (const what of learned) expect(said).toContain(what);
  expect(said).toContain("The promise leaves out what is learned of columns without a charge");
});

test("noise in floating point, of which proofs do not cover the last bits", async () => {
  const exact = await resultOf({ ranges });
  const drawn = await resultOf({ ranges }, { options: { noise: "float", rounds: 2, delta: 1e-5 } });
  expect(floatsRemark([exact])).toEqual([]);
  expect(floatsRemark([exact, drawn])).toEqual([expect.stringContaining("the noise of pmtl")]);
  expect(promiseOf([drawn]).join("\n")).toContain("Of pmtl it is proven for noise of real numbers");
  expect(promiseOf([exact]).join("\n")).not.toContain("real numbers");
});

test("nothing where everything is declared", async () => {
  const result = await resultOf({ ranges });
  expect(learnedIn([result])).toEqual([]);
  expect(promiseOf([result]).join("\n")).not.toContain("leaves out");
});

test("a choice of hyper-parameters that is not charged, or holds while other runs stay unseen", async () => {
  const candidates = [{ lambda: 1 }, { lambda: 0.1 }];
  const folds = 2;
  const chosen = await resultOf(
    { ranges },
    { tuning: { kind: "cv", candidates, folds, oneStandardError: false } },
  );
  expect(promiseOf([chosen]).join("\n")).toContain("Of pmtl it leaves out the choice");
  const repetitions = { kind: "poisson", mean: 1 } as const;
  const random = await resultOf(
    { ranges },
    { tuning: { kind: "private", candidates, folds, repetitions, scoreShare: 0.15 } },
  );
  expect(promiseOf([random]).join("\n")).toContain("while nobody sees the runs");
  const all = await resultOf(
    { ranges },
    { tuning: { kind: "private", candidates, folds, repetitions: "all", scoreShare: 0.15 } },
  );
  expect(promiseOf([all]).join("\n")).not.toMatch(/nobody sees|leaves out/);
});

test("results of an earlier release, which do not say it, are said not to", async () => {
  const result = await resultOf({ ranges });
  const { learned: _, unseen: __, ...older } = result.guarantee!;
  expect(promiseOf([{ ...result, guarantee: older }]).join("\n")).toContain(
    "of an earlier release, do not say",
  );
});
