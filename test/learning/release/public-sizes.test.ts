/** What a plan may know of the data: their sizes, and which columns were not declared. */
import { expect, test } from "vitest";
import { readCsv, tasksFromTable } from "../../../src/data/index.js";
import { publicSizes } from "../../../src/learning/release/public-sizes.js";

test("sizes, the most rows of a task, and the columns whose range nobody declared, the target last", async () => {
  const lines = ["school,score,a,b,c", "t,1,2,3,4", "t,2,3,4,5", "u,1,0,1,1", "t,0,2,2,2"];
  const table = await readCsv(lines.join("\n"), { name: "t.csv" });
  const sizes = async (declared: readonly string[]) => {
    const columns = Object.fromEntries(
      declared
        .filter((name) => name !== "score")
        .map((name) => [name, { kind: "number", range: [0, 10] }] as const),
    );
    const target = { column: "score", kind: "number", range: [0, 10] } as const;
    const schema = { columns, ...(declared.includes("score") ? { target } : {}) };
    const { tasks } = tasksFromTable(table, {
      task: "school",
      target: "score",
      schema,
      undeclared: "auto",
    });
    return publicSizes(tasks);
  };
  const common = { m: 2, d: 3, rows: 4, mostRows: 3 };
  expect(await sizes([])).toEqual({ ...common, undeclared: [0, 1, 2, 3] });
  expect(await sizes(["b"])).toEqual({ ...common, undeclared: [0, 2, 3] });
  expect(await sizes(["a", "b", "c"])).toEqual({ ...common, undeclared: [3] });
  expect(await sizes(["a", "b", "c", "score"])).toEqual({ ...common, undeclared: [] });
});
