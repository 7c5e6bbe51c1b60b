/** Moments in the place of rows: the same sums, the same fits, and a refusal wherever single rows are needed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  csvTables,
  momentsOfTables,
  Pipeline,
  readCsv,
  simulate,
  TableEncoding,
  TaskMoments,
  TaskSet,
  Table,
} from "../../../src/data/index.js";
import { openCore } from "../../../src/core/index.js";
import { rootedRows } from "../../../src/learning/families/mixed/spectra/rooted-rows.js";
import { TaskSpectra } from "../../../src/learning/families/mixed/spectra/task-spectra.js";
import { TaskSpectrum } from "../../../src/learning/families/mixed/spectra/task-spectrum.js";
import { withConstantColumn } from "../../../src/learning/tasks/constant-column.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { readTables } from "../../../src/node/index.js";
import { temporaryFolder } from "../../temporary.js";
import { thorough } from "../../thorough.js";

/** Every row times itself, the constant 1 first: all that the squared loss sees, for each row that is stood for. */
function secondMoments(tasks: TaskSet, task: number): number[] {
  const { x, y, n } = [...tasks][task]!;
  const p = tasks.d + 2;
  const sum = new Array<number>(p * p).fill(0);
  for (let row = 0; row < n; row++) {
    const z = [1, ...x.subarray(row * tasks.d, (row + 1) * tasks.d), y[row]!];
    for (let i = 0; i < p; i++) for (let j = 0; j < p; j++) sum[i * p + j]! += (z[i]! * z[j]!) / n;
  }
  return sum;
}

/** The rows of a set in chunks of so many of each task. */
function momentsInChunks(tasks: TaskSet, size: number): TaskSet {
  const moments = new TaskMoments();
  const most = Math.max(...tasks.taskSizes);
  for (let from = 0; from < most; from += size) {
    moments.add(tasks.where((row) => row >= from && row < from + size));
  }
  return moments.tasks();
}

const rows = fc.integer({ min: 1, max: 60 });
const number = fc.double({ min: -100, max: 100, noNaN: true });

describe("moments of tasks", () => {
  test("have the rows' second moments, whatever the chunks, also where columns depend on each other", () => {
    const anySet = fc
      .record({
        n: fc.array(rows, { minLength: 1, maxLength: 4 }),
        d: fc.integer({ min: 1, max: 4 }),
        size: rows,
      })
      .chain(({ n, d, size }) =>
        fc.record({
          size: fc.constant(size),
          tied: fc.boolean(),
          offset: fc.constantFrom(0, 1e6),
          tasks: fc.tuple(
            ...n.map((count) =>
              fc.array(fc.array(number, { minLength: d + 1, maxLength: d + 1 }), {
                minLength: count,
                maxLength: count,
              }),
            ),
          ),
        }),
      );
    fc.assert(
      fc.property(anySet, ({ tasks: given, size, tied, offset }) => {
        const tasks = TaskSet.from(
          given.map((own, i) => ({
            name: `t${i}`,
            x: own.map((z) => z.slice(1).map((v, j) => offset + (tied && j > 0 ? 2 * z[1]! : v))),
            y: own.map((z) => z[0]!),
          })),
        );
        const moments = momentsInChunks(tasks, size);
        expect(moments.names).toEqual(tasks.names);
        expect([...moments.taskSizes]).toEqual([...tasks.taskSizes]);
        for (let i = 0; i < tasks.m; i++) {
          const [own, kept] = [secondMoments(tasks, i), secondMoments(moments, i)];
          const scale = Math.max(...own.map(Math.abs));
          kept.forEach((value, at) =>
            expect(Math.abs(value - own[at]!)).toBeLessThan(1e-12 * scale),
          );
          const held = moments.offsets[i + 1]! - moments.offsets[i]!;
          expect(held).toBeLessThanOrEqual(2 * (tasks.d + 1));
        }
      }),
      { seed: 18, numRuns: thorough ? 200 : 60 },
    );
  });

  test("of a task are the same to the bit however other tasks' rows cut its own into chunks", () => {
    const [n, d] = [150, 3];
    const x = Array.from({ length: n }, (_, i) => [Math.sin(i), Math.cos(7 * i), Math.sin(i * i)]);
    const y = x.map(([a], i) => a! + 0.1 * Math.cos(i * i));
    const task = (name: string, from: number, to: number) => {
      return { name, x: x.slice(from, to), y: y.slice(from, to) };
    };
    const after = (cuts: readonly number[]) => {
      const moments = new TaskMoments();
      let from = 0;
      for (const to of [...new Set(cuts), n].sort((a, b) => a - b)) {
        // A task of few rows comes with every chunk.
        const other = { name: "other", x: [[1, 2, to]], y: [to] };
        if (to > from) moments.add(TaskSet.from([task("own", from, to), other]));
        expect(moments.rows).toBeGreaterThan(to);
        from = to;
      }
      const own = moments.tasks().select(["own"]);
      expect(own.standFor).toEqual(Float64Array.of(n));
      expect(own.offsets[1]).toBe(2 * (d + 1));
      return [...own.x, ...own.y];
    };
    const whole = after([]);
    const anyCuts = fc.array(fc.integer({ min: 1, max: n - 1 }), { maxLength: 12 });
    fc.assert(
      fc.property(anyCuts, (cuts) => {
        expect(after(cuts)).toEqual(whole);
      }),
      { seed: 4, numRuns: 30 },
    );
  });

  test("of no more rows than would stand for them are these, bit for bit", () => {
    const tasks = TaskSet.from([
      {
        name: "a",
        x: [
          [1, 2],
          [3, 5],
          [0.1, 0.2],
        ],
        y: [1, 2, 3],
      },
    ]);
    const moments = momentsInChunks(tasks, 2);
    expect(moments.x).toEqual(tasks.x);
    expect(moments.y).toEqual(tasks.y);
  });
});

const { train: exact } = simulate({
  pattern: "low-rank",
  tasks: 12,
  features: 5,
  samples: 80,
  seed: 3,
});
/** With noise, and of about unit size. */
const train = TaskSet.adopt({
  ...exact.arrays(),
  y: exact.y.map((value, row) => (value + 3 * Math.sin(row * row)) / 20),
});
/** Tasks of 3, 17, 31, … rows: fewer than features, few, many. */
const uneven = train.where((row, task) => row < 3 + 14 * (task % 6));

describe("fits of moments", () => {
  test("the mixed model sees the same spectra of every task, of few rows and of many", () => {
    const d = uneven.d + 1;
    const a = Float64Array.from({ length: d }, (_, c) => Math.cos(c));
    const l = Float64Array.from({ length: d * d }, (_, at) =>
      at % d > at / d ? 0 : 0.3 * Math.sin(at + 1),
    );
    const spectraOf = (tasks: TaskSet) => {
      const { x, y, offsets } = withConstantColumn(tasks);
      return new TaskSpectra(openCore(), rootedRows({ x, y, offsets }, tasks), d);
    };
    const [own, kept] = [spectraOf(uneven), spectraOf(momentsInChunks(uneven, 25))];
    const close = (one: number, other: number) =>
      expect(Math.abs(one - other)).toBeLessThan(1e-7 * Math.max(1, Math.abs(one)));
    for (let task = 0; task < own.m; task++) {
      const spectrum = own.of(task, a, l);
      const other = kept.of(task, a, l, new TaskSpectrum(d));
      expect([other.n, other.k]).toEqual([spectrum.n, spectrum.k]);
      close(spectrum.rest, other.rest);
      for (let j = 0; j < spectrum.k; j++) {
        close(spectrum.squares[j]!, other.squares[j]!);
        close(spectrum.observed[j]! ** 2, other.observed[j]! ** 2);
      }
      for (const [spread, noise] of [
        [1, 0.1],
        [10, 3],
      ] as const) {
        close(spectrum.logLikelihood(spread, noise), other.logLikelihood(spread, noise));
      }
    }
  });

  const privately = { random: { mode: "seeded", seed: "moments" }, epsilon: 2, delta: 1e-3 };
  test.each([
    ["mp-mixed", { ...privately, scale: "unit" }, 1e-9],
    ["mixed-model", { scale: "unit" }, 1e-9],
    ["trace-norm", { lambda: 0.05, tolerance: 1e-12 }, 1e-4],
    ["group-sparse", { lambda: 0.05, tolerance: 1e-12 }, 1e-4],
  ] as const)("%s: the models that the rows give", async (method, options, tolerance) => {
    const fit = (data: TaskSet) => makeEstimator(method, options).fit(data);
    const [whole, moments] = [await fit(train), await fit(momentsInChunks(train, 25))];
    const largest = Math.max(...whole.weights.map(Math.abs));
    whole.weights.forEach((w, at) => {
      expect(Math.abs(moments.weights[at]! - w)).toBeLessThan(tolerance * largest);
    });
    expect(moments.guarantee).toEqual(whole.guarantee);
  });

  test("methods that look at single rows refuse them by name", async () => {
    const moments = momentsInChunks(train, 25);
    const refused = async (method: string, options: Record<string, unknown> = {}) => {
      const estimator = makeEstimator(method, options) as { fit(data: TaskSet): Promise<unknown> };
      await expect((async () => estimator.fit(moments))()).rejects.toThrow(
        `${method} takes no moments`,
      );
    };
    await refused("mp-feature-learning", { epsilon: 1 });
    await refused("single-task");
    await refused("pooled");
    await refused("pmtl", { epsilon: 1 });
    await refused("trace-norm", { lossScale: "sum" });
    await refused("mp-mixed", { epsilon: 1, unit: "record", scale: "unit" });
    await expect(
      makeEstimator("mp-mixed", { epsilon: 1e4, delta: 1e-3 }).fit(moments),
    ).rejects.toThrow('how large the values of the column "x1" are, and of 5 more');
    expect(() => moments.split({ trainFraction: 0.5, seed: 1 })).toThrow(
      "split: these tasks are moments",
    );
    expect(() => moments.folds(2, { seed: 1 })).toThrow("folds: these");
    const unit = Pipeline.fit(train, [{ kind: "unit-rows" }]);
    expect(() => unit.apply(moments)).toThrow("transforms of rows: these");
    expect(() => moments.where(() => true)).toThrow("splitting rows: these");
    const model = await makeEstimator("mixed-model", { scale: "unit" }).fit(moments);
    expect(() => model.score(moments)).toThrow("score: these");
  });

  test("sets of labels, weights, sparse rows or moments are refused, and so is no row", () => {
    const one = { name: "a", x: [[1]], y: [1] };
    const add = (tasks: TaskSet) => () => new TaskMoments().add(tasks);
    expect(
      add(
        TaskSet.from([
          { ...one, y: ["a"] },
          { ...one, name: "b", y: ["b"] },
        ]),
      ),
    ).toThrow("numbers as targets");
    expect(add(TaskSet.from([{ ...one, weights: [2] }]))).toThrow("without weights");
    expect(add(momentsInChunks(train, 9))).toThrow("expected dense rows");
    const moments = new TaskMoments();
    expect(() => moments.tasks()).toThrow("no rows were added");
    moments.add(TaskSet.from([one]));
    expect(() => moments.add(TaskSet.from([one], { featureNames: ["other"] }))).toThrow(
      "the features of the first",
    );
  });
});

/** A table of three tasks, one of them with few rows, longer than two pieces. */
function text(count: number): string {
  const lines = ["site,u,v,y"];
  for (let i = 0; i < count; i++) {
    const u = Math.sin(i) * 3;
    const v = Math.cos(7 * i);
    lines.push(`s${i % 1000 === 0 ? 2 : i % 2},${u},${v},${u - 2 * v + Math.sin(i * i)}`);
  }
  return `${lines.join("\n")}\n`;
}

describe("tables in pieces", () => {
  const whole = text(36_000);
  const all = async (tables: AsyncIterable<Table>) => {
    const list: Table[] = [];
    for await (const table of tables) list.push(table);
    return list;
  };

  test("have the rows of the whole, and their lines", async () => {
    const pieces = await all(csvTables(whole, { name: "t.csv" }));
    expect(pieces.length).toBeGreaterThan(2);
    const one = await readCsv(whole, { name: "t.csv" });
    for (const column of one.columnNames) {
      const values = pieces.flatMap((table) => [...table.column(column).values]);
      expect(values).toEqual([...one.column(column).values]);
    }
    const last = pieces.at(-1)!;
    expect(last.place(last.rows - 1, "y")).toBe(one.place(one.rows - 1, "y"));
    const bad = whole.replace(/\n$/, ",5\n");
    await expect(all(csvTables(bad, { name: "t.csv" }))).rejects.toThrow("line 36001 has 5 cells");
    await expect(all(csvTables("", { name: "t.csv" }))).rejects.toThrow("t.csv is empty");
  });

  test("come to the moments of the whole table's tasks", async () => {
    const file = join(temporaryFolder(), "t.csv");
    writeFileSync(file, whole);
    const schema = { task: "site", target: "y" };
    const { tasks, rows, dropped } = await momentsOfTables(readTables(file), schema);
    expect([rows, dropped]).toEqual([36_000, 0]);
    const table = await readCsv(whole);
    const held = TableEncoding.fit(table, schema).apply(table).tasks;
    for (const [i, name] of held.names.entries()) {
      const kept = secondMoments(tasks, tasks.indexOf(name));
      secondMoments(held, i).forEach((value, at) => expect(kept[at]).toBeCloseTo(value, 10));
    }
    await expect(momentsOfTables(readTables("none.csv"), schema)).rejects.toThrow(
      "there is no such file",
    );
    expect(() => readTables("t.npy")).toThrow("only .csv, .tsv and .parquet");
    expect(() => readTables("t.csv.gz")).toThrow("only .csv, .tsv and .parquet");
    const impute = { ...schema, missing: "impute" as const };
    await expect(momentsOfTables(csvTables(whole), impute)).rejects.toThrow(
      "a task's mean cannot stand",
    );
  });
});

test.each([1.7e308, 1.01e60])(
  "a task of numbers so large that their moments are none is named: its fit would end for all, after releases: %d",
  (large) => {
    const moments = new TaskMoments();
    const rows = (y: number) => ({ x: Array.from({ length: 9 }, (_, j) => [j % 3]), y: Array<number>(9).fill(y) }); // prettier-ignore
    const chunk = TaskSet.from([
      { name: "a", ...rows(1) },
      { name: "b", ...rows(large) },
    ]);
    expect(() => moments.add(chunk)).toThrow(/^task "b", a feature or target: .* larger/);
  },
);

describe("percentages in pieces", () => {
  const piece = (cell: (i: number) => string) =>
    new Table(
      [
        { name: "task", values: [..."abababab"] },
        { name: "rate", values: [..."01234567"].map((i) => cell(Number(i))) },
        { name: "y", values: Float64Array.from([3, 1, 4, 1, 5, 9, 2, 6]) },
      ],
      { name: "t.csv" },
    );
  const momentsOf = (...pieces: Table[]) =>
    momentsOfTables((async function* () { yield* pieces; })(), { task: "task", target: "y", undeclared: "auto" }); // prettier-ignore

  test("are numbers", async () => {
    const { tasks, encoding } = await momentsOf(
      piece((i) => `${i} %`),
      piece((i) => `${3 * i}%`),
    );
    const plain = await momentsOf(
      piece((i) => `${i}`),
      piece((i) => `${3 * i}`),
    );
    expect([...tasks.x]).toEqual([...plain.tasks.x]);
    expect(encoding.toJSON().columns[0]!.kind).toBe("number");
  });

  test("are not taken for shares that come before or after them", async () => {
    const [signed, bare] = [piece((i) => `${i} %`), piece((i) => `.${i}`)];
    await expect(momentsOf(signed, bare)).rejects.toThrow(
      't.csv, row 0, column "rate": from about here on cells have no percent sign',
    );
    await expect(momentsOf(bare, signed)).rejects.toThrow("have percent signs");
    await expect(
      momentsOf(
        signed,
        piece(() => ""),
      ),
    ).rejects.toThrow("the value is missing");
  });
});

test("a chunk that is refused leaves nothing behind: neither its labels nor the tasks before the one at fault", () => {
  const chunk = (y: number[] | string[], x = 1) =>
    TaskSet.from([
      { name: "a", x: [[1], [2]], y },
      { name: "b", x: [[x], [2]], y },
    ]);
  const moments = new TaskMoments();
  expect(() => moments.add(chunk(["no", "yes"]))).toThrow("numbers as targets");
  expect(() => moments.add(chunk([1, 2], 1e61))).toThrow('task "b"');
  expect(moments.rows).toBe(0);
  moments.add(chunk([3, 4]));
  const tasks = moments.tasks();
  expect(tasks.targetLevels).toBeUndefined();
  expect([...tasks.y]).toEqual([3, 4, 3, 4]);
});
