/**
 * What a fit remarks on beyond its figures.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { remarksOn, warningsBefore } from "../../../src/cli/fitted/remarks.js";
import { main } from "../../../src/cli/run.js";
import { parseSchema, readCsv, tasksFromTable, type TableSchema } from "../../../src/data/index.js";
import { Auto, MpMixed, Pmtl, PrivateFedAvg, SingleTask } from "../../../src/learning/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const random = { mode: "seeded", seed: "remarks" } as const;
const tasks = makeTasks({ m: 12, d: 2, rows: () => 8 });

test("what the budget could buy, a large epsilon, and models that are all alone", async () => {
  const options = { scale: "unit", delta: 1e-5, random } as const;
  const model = await new MpMixed({ ...options, epsilon: 20 }).fit(tasks);
  const [share, large] = remarksOn(model);
  expect(share).toMatch(/^at 12 tasks and 2 features .* about \d+ % /);
  expect(large).toContain("epsilon 10 or more");
  const small = remarksOn(await new MpMixed({ ...options, epsilon: 0.01 }).fit(tasks));
  expect(small[0]).toContain("about 0 %");
  expect(small[1]).toContain("buys next to nothing");
  expect(small.join()).not.toContain("epsilon 10");
  const alone = { shape: [12], data: new Float64Array(12).fill(0.95) };
  const kept = remarksOn(model.withComponents({ ...model.components, alone }));
  expect(kept.at(-1)).toContain("every task kept its own model");
  // It is a mean over all tasks of what their own rows decide.
  expect(kept.at(-1)).toMatch(/is not charged: for the curator only$/);
});

test("a figure of declared ranges says so where a method takes columns that have none", async () => {
  const of = { epsilon: 3, delta: 1e-5, rounds: 1, random } as const;
  const raw = remarksOn(await new Pmtl(of).fit(tasks), tasks)[0];
  expect(raw).toContain("(a mixed model whose columns have declared ranges, as these have not;");
  // Who calls them of unit size has said how large they are.
  const unit = { epsilon: 3, delta: 1e-5, scale: "unit", random } as const;
  expect(remarksOn(await new MpMixed(unit).fit(tasks), tasks)[0]).toContain("(a mixed model;");
});

test("warnings come before anything is spent, and only where something would be", () => {
  const few = makeTasks({ m: 3, d: 5, rows: () => 20 });
  const before = warningsBefore(new MpMixed({ epsilon: 10, delta: "papers", scale: "unit" }), few);
  expect(before.join("\n")).toMatch(/epsilon 10 or more.*\n.*delta 0\.303.* one task in three/);
  const [nothing] = warningsBefore(new MpMixed({ epsilon: 1, scale: "unit" }), few);
  expect(nothing).toContain("at 3 tasks and 5 features a task-level epsilon of 1 buys next to");
  // auto would spend nothing there.
  expect(warningsBefore(new Auto({ epsilon: 1, scale: "unit" }), few)).toEqual([]);
  expect(warningsBefore(new SingleTask(), few)).toEqual([]);
});

test("a delta that is too large for so many records is warned of, though it is small for the tasks", () => {
  const several = makeTasks({ m: 4, d: 2, rows: () => 50 });
  const of = { epsilon: 1, delta: 0.006, scale: "unit", random } as const;
  const remark =
    /^delta 0\.006 means that one record in 166 may be shown whole.*; of 200 records that is 1 on/;
  for (const unit of ["record", "both"] as const) {
    const warned = warningsBefore(new MpMixed({ ...of, unit }), several);
    expect(warned.filter((one) => remark.test(one))).toHaveLength(1);
    expect(warningsBefore(new MpMixed({ ...of, unit, delta: "auto" }), several).join()).not.toContain("delta"); // prettier-ignore
  }
});

test("gradients of records in units that nobody declared are warned of, by column", async () => {
  const record = { epsilon: 1, unit: "record", random } as const;
  const [raw, ...more] = warningsBefore(new Pmtl(record), tasks);
  expect(raw).toMatch(/^columns without a declared range \(.*x1.*x2.*\) and a target without one: .*recordClip 1/); // prettier-ignore
  expect(raw).toContain("Declare ranges");
  expect(more).toEqual([]);
  expect(warningsBefore(new PrivateFedAvg({ ...record, unit: "both" }), tasks)[0]).toBe(raw);
  // Of tasks an update is cut, of which this is not said; moments need ranges and say so themselves.
  expect(warningsBefore(new Pmtl({ epsilon: 1, random }), tasks).join()).not.toContain("gradient");
  expect(warningsBefore(new MpMixed({ ...record, scale: "unit" }), tasks)).toEqual([]);
  const table = await readCsv("task,y,x\na,1,2\na,2,3\nb,3,1\nb,2,2", { name: "t.csv" });
  const number = { kind: "number" } as const;
  const schema = parseSchema({
    format: "mp-mtl-schema",
    version: 1,
    task: "task",
    target: { column: "y", ...number, range: [0, 5] },
    columns: { x: { ...number, range: [0, 4] } },
  });
  const { tasks: declared } = tasksFromTable(table, { schema });
  expect(warningsBefore(new Pmtl(record), declared)).toEqual([]);
});

test("the command warns on standard error, and tells all of it in JSON", async () => {
  const data = join(temporaryFolder(), "t.csv");
  const rows = [...makeTasks({ m: 3, d: 2, rows: () => 5 })].flatMap(({ name, x, y, n }) =>
    Array.from({ length: n }, (_, j) => [name, y[j], x[2 * j], x[2 * j + 1]].join(",")),
  );
  writeFileSync(data, ["task,y,a,b", ...rows].join("\n"));
  const io = testIo();
  const flags = ["--method", "mp-mixed", "--scale", "unit", "--seed", "1"];
  await main(["fit", "--data", data, "--task", "task", "--target", "y", ...flags, "--json"], io);
  expect(io.err()).toMatch(
    /^before anything is spent: at 3 tasks and 2 features .* next to nothing/,
  );
  const { remarks } = JSON.parse(io.out()) as { remarks: string[] };
  expect(remarks.join()).toContain("buys next to nothing");
});

test("without a method the budget is still the one that was asked for", async () => {
  const data = join(temporaryFolder(), "t.csv");
  const rows = [...makeTasks({ m: 40, d: 2, rows: () => 8 })].flatMap(({ name, x, y, n }) =>
    Array.from({ length: n }, (_, j) => [name, y[j], x[2 * j], x[2 * j + 1]].join(",")),
  );
  writeFileSync(data, ["task,y,a,b", ...rows].join("\n"));
  const run = async (...flags: string[]) => {
    const io = testIo();
    const columns = ["--data", data, "--task", "task", "--target", "y", "--scale", "unit"];
    await main(["fit", ...columns, ...flags, "--seed", "1", "--json"], io);
    return io;
  };
  const { guarantee } = JSON.parse((await run("--epsilon", "2.5")).out()) as {
    guarantee: { epsilon: number };
  };
  expect(guarantee.epsilon).toBe(2.5);
  expect((await run("--clip", "3")).err()).toContain("--clip: not an option of auto");
  const text = async (epsilon: string) => {
    const io = testIo();
    const columns = ["--data", data, "--task", "task", "--target", "y", "--scale", "unit"];
    await main(["fit", ...columns, "--epsilon", epsilon, "--seed", "1"], io);
    return io.out();
  };
  // Ranges save budget only where some is spent.
  expect(await text("2.5")).toContain("publicly known of the columns, which saves budget: mp-mtl");
  expect(await text("0.001")).toContain("publicly known of the columns: mp-mtl");
});

test("auto that shares nothing says so", async () => {
  const model = await new Auto({ epsilon: 0.01, random }).fit(tasks);
  expect(remarksOn(model)).toEqual([
    "nothing was shared; every task kept its own model, made of its rows without noise",
  ]);
});

test("where it was found in all tasks' rows which columns there are, not nothing was shared", async () => {
  const rows = Array.from({ length: 48 }, (_, i) => `s${i % 12},${"abc"[i % 3]},${(i * 7) % 13}`);
  const table = await readCsv(["school,ward,score", ...rows].join("\n"));
  const of = async (schema: Pick<TableSchema, "kinds">) => {
    const { tasks: train } = tasksFromTable(table, { task: "school", target: "score", ...schema });
    return remarksOn(await new Auto({ epsilon: 0.01, random }).fit(train));
  };
  expect(await of({ kinds: { ward: "category" } })).toEqual([
    "nothing was shared but what was found in all tasks' rows; every task kept its own model, made of its rows without noise",
  ]);
  const levels = ["a", "b", "c"];
  expect((await of({ kinds: { ward: { kind: "category", levels } } }))[0]).toMatch(
    /^nothing was shared; every task/,
  );
});

test("the document of a private fit names what in it is for the curator only", async () => {
  const data = join(temporaryFolder(), "t.csv");
  const rows = Array.from({ length: 96 }, (_, i) => `s${i % 12},${(i * 5) % 11},${(i * 7) % 13}`);
  writeFileSync(data, ["school,a,score", ...rows].join("\n"));
  const document = async (method: string) => {
    const io = testIo();
    const table = ["--data", data, "--task", "school", "--target", "score"];
    const more = ["--method", method, "--test-fraction", "0.3", "--json"];
    await main(["fit", ...table, ...more], io);
    return JSON.parse(io.out()) as Record<string, unknown> & { curatorOnly?: string[] };
  };
  const { curatorOnly, ...others } = await document("private-fedavg");
  expect(curatorOnly).toEqual([
    "objective",
    "rank",
    "nonzeroRows",
    "weightsNorm",
    "train",
    "test",
    "droppedRows",
    "notes",
    "threads",
    "seconds",
  ]);
  expect(curatorOnly!.filter((name) => !(name in others))).toEqual([]);
  expect(await document("single-task")).not.toHaveProperty("curatorOnly");
});

test("columns that nobody declared are reckoned with, by the rows and by a model read from its file", async () => {
  const rows = Array.from({ length: 400 }, (_, i) => {
    const [a, b] = [(i * 7) % 13, (i * 5) % 11];
    return `s${i % 40},${a},${b},${2 * a - b + ((i * 3) % 7)}`;
  });
  const table = await readCsv(["school,a,b,score", ...rows].join("\n"));
  const fitted = async (kinds: TableSchema["kinds"], scale: "auto" | "unit") => {
    const roles = { task: "school", target: "score", ...(kinds ? { kinds } : {}) };
    const { tasks: train, encoding } = tasksFromTable(table, roles);
    const estimator = new MpMixed({ epsilon: 3, scale, random: { mode: "seeded", seed: 1 } });
    const model = (await estimator.fit(train)).withPreprocessing({
      encoding: encoding.toJSON(),
      pipeline: null,
    });
    return [remarksOn(model, train)[0], remarksOn(model)[0]];
  };
  for (const said of await fitted(undefined, "auto"))
    expect(said).toContain("with 3 columns that nobody declared");
  for (const said of await fitted({ a: { kind: "number", range: [0, 12] } }, "auto"))
    expect(said).toContain("with 2 columns that nobody declared");
  for (const said of await fitted(undefined, "unit")) expect(said).not.toContain("declared");
});
