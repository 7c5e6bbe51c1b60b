/** The column of ones that is written where rows are placed is that of a set that has it. */
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { withConstantColumn } from "../../../src/learning/tasks/constant-column.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import type { RowPrecision } from "../../../src/learning/tasks/row-precision.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 4, d: 3, rows: (i) => 2 + i });

test.each<RowPrecision>(["float64", "float32"])("in %s", (rowPrecision) => {
  const options = { loss: "squared", lossScale: "mean", intercept: false, rowPrecision } as const;
  const { tasks: placed } = placeTasks(tasks, { ...options, constantColumn: true }, { core: openCore() }); // prettier-ignore
  const { tasks: copied } = placeTasks(withConstantColumn(tasks), options, { core: openCore() });
  expect([placed.d, placed.features, placed.known]).toEqual([4, 4, copied.known]);
  const entries = (of: typeof placed) => [...of.core.arena.view(of.wideRows(0, of.rows), of.rows * of.d)]; // prettier-ignore
  expect(entries(placed)).toEqual(entries(copied));
  expect(entries(placed).filter((_, at) => at % 4 === 3)).toEqual(new Array(14).fill(1));
  expect(placed.rows).toBe(14);
});

test("a value beyond Float32 is named by its own column", () => {
  const [first, ...rest] = [...tasks];
  const x = first!.x.slice();
  x[4] = 1e39;
  const far = tasks.withFeatures(
    Float64Array.of(...x, ...rest.flatMap((one) => [...one.x])),
    tasks.featureNames,
  );
  const options = { loss: "squared", lossScale: "mean", intercept: false, rowPrecision: "float32", constantColumn: true } as const; // prettier-ignore
  expect(() => placeTasks(far, options, { core: openCore() })).toThrow(
    `row 1, column ${JSON.stringify(tasks.featureNames[1])}`,
  );
});
