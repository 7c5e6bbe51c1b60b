import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Pipeline,
  TaskSet,
  type PipelineState,
  type TransformSpec,
} from "../../../src/data/index.js";

const tasks = TaskSet.from([
  {
    name: "a",
    x: [
      [3, 4, 7],
      [0, 0, 7],
      [6, 8, 7],
    ],
    y: [1, 2, 3],
  },
  { name: "b", x: [[1, 2, 7]], y: [4] },
]);
const fit = (...specs: TransformSpec[]) => Pipeline.fit(tasks, specs);

describe("unit rows", () => {
  test("have norm one; a row of zeros stays", () => {
    const set = TaskSet.from([
      {
        name: "a",
        x: [
          [3, 4],
          [0, 0],
        ],
        y: [1, 2],
      },
    ]);
    const unit = Pipeline.fit(set, [{ kind: "unit-rows" }]).apply(set);
    expect([...unit.x]).toEqual([0.6, 0.8, 0, 0]);
  });

  test("whatever the size of the entries", () => {
    const entry = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 9 }), (row) => {
        const set = TaskSet.from([{ name: "a", x: [row], y: [0] }]);
        const unit = Pipeline.fit(set, [{ kind: "unit-rows" }]).apply(set).x;
        const norm = Math.hypot(...unit);
        if (row.every((value) => value === 0)) expect(norm).toBe(0);
        else expect(Math.abs(norm - 1)).toBeLessThan(row.length * 2 ** -52);
      }),
    );
  });
});

describe("standardize", () => {
  test("within tasks: mean 0, population variance 1; constant columns become 0", () => {
    const out = fit({ kind: "standardize", scope: "task" }).apply(tasks);
    const [u, v] = [3 / Math.sqrt(6), 4 / Math.sqrt(32 / 3)];
    expect([...out.task("a").x]).toEqual([0, 0, 0, -u, -v, 0, u, v, 0]);
    expect([...out.task("b").x]).toEqual([0, 0, 0]);
  });

  test("a constant column with a mean that rounds is still constant", () => {
    const set = TaskSet.from([{ name: "a", x: [[0.1], [0.1], [0.1]], y: [0, 0, 0] }]);
    const out = Pipeline.fit(set, [{ kind: "standardize", scope: "task" }]).apply(set);
    expect([...out.x]).toEqual([0, 0, 0]);
  });

  test("pooled statistics are said to be pooled, the others not", () => {
    expect(fit({ kind: "standardize", scope: "pooled" }).pooled).toEqual([
      "feature means and standard deviations measured over all tasks' rows",
    ]);
    expect(fit({ kind: "standardize", scope: "task" }).pooled).toEqual([]);
    expect(
      fit({ kind: "standardize", scope: "declared", mean: [0, 0, 0], scale: [1, 1, 1] }).pooled,
    ).toEqual([]);
    const pooled = fit({ kind: "standardize", scope: "pooled" }).apply(tasks);
    expect([...pooled.x].reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
  });

  test("declared statistics are used as they are, and checked", () => {
    const declared = { kind: "standardize", scope: "declared", mean: [1, 2, 7] } as const;
    expect([...fit({ ...declared, scale: [2, 2, 1] }).applyRows("b", tasks.task("a").x)]).toEqual([
      1, 1, 0, -0.5, -1, 0, 2.5, 3, 0,
    ]);
    expect(() => fit({ ...declared, scale: [1, 0, 1] })).toThrow(
      "standardize: scale[1]: expected a number > 0",
    );
    expect(() => fit({ ...declared, scale: [1] })).toThrow(
      "standardize: scale: expected 3 numbers, got 1.",
    );
    expect(() => fit({ ...declared, scale: [1, NaN, 1] })).toThrow("standardize: scale[1]");
  });

  test("statistics of an unknown task are refused by name", () => {
    const pipeline = fit({ kind: "standardize", scope: "task" });
    expect(() => pipeline.applyRows("c", Float64Array.of(1, 2, 3))).toThrow(
      'unknown task "c": no statistics were measured for it.',
    );
    expect(() => pipeline.applyRows("toString", Float64Array.of(1, 2, 3))).toThrow("unknown task");
  });
});

describe("constant", () => {
  test("adds a last column", () => {
    const out = fit({ kind: "constant" }).apply(tasks);
    expect(out.featureNames).toEqual(["x1", "x2", "x3", "constant"]);
    expect([...out.task("b").x]).toEqual([1, 2, 7, 1]);
  });

  test("does not take the name of another feature", () => {
    expect(() => fit({ kind: "constant", name: "x2" })).toThrow(
      'constant: there is a feature "x2" already.',
    );
  });
});

describe("Pipeline", () => {
  const pipeline = fit(
    { kind: "standardize", scope: "task" },
    { kind: "constant", name: "one" },
    { kind: "unit-rows" },
  );

  test("fits each step on the result of those before", () => {
    const out = pipeline.apply(tasks);
    expect(pipeline.featureNames).toEqual(["x1", "x2", "x3", "one"]);
    expect(out.featureNames).toEqual(pipeline.featureNames);
    expect([...out.task("a").x.subarray(0, 4)]).toEqual([0, 0, 0, 1]);
    for (const { x, n } of out) {
      for (let row = 0; row < n; row++) {
        expect(Math.hypot(...x.subarray(4 * row, 4 * row + 4))).toBeCloseTo(1, 15);
      }
    }
  });

  test("treats rows at prediction as it did the training rows, and leaves them alone", () => {
    const rows = tasks.task("a").x.slice();
    expect(pipeline.applyRows("a", rows)).toEqual(pipeline.apply(tasks).task("a").x);
    expect(rows).toEqual(tasks.task("a").x);
    const empty = Pipeline.fit(tasks, []);
    const out = empty.applyRows("a", rows);
    expect(out).toEqual(rows);
    expect(out).not.toBe(rows);
  });

  test("survives JSON exactly", () => {
    const state = JSON.parse(JSON.stringify(pipeline)) as PipelineState;
    expect(Pipeline.fromJSON(state).apply(tasks).x).toEqual(pipeline.apply(tasks).x);
    expect(() => Pipeline.fromJSON({} as PipelineState)).toThrow("pipeline: expected { features");
    const { format: _format, version: _version, ...unmarked } = state; // as it was before versions
    expect(Pipeline.fromJSON(unmarked as PipelineState).toJSON()).toEqual(state);
    expect(() => Pipeline.fromJSON({ ...state, version: 2 })).toThrow(
      "pipeline: format version 2, this release reads version 1; use a newer mp-mtl.",
    );
    expect(() => Pipeline.fromJSON({ ...state, format: "mp-mtl-encoding" })).toThrow(
      "pipeline: expected the format mp-mtl-pipeline",
    );
  });

  test("for one task holds no statistics of another", () => {
    const own = pipeline.forTask("b");
    expect(own.applyRows("b", tasks.task("b").x)).toEqual(pipeline.apply(tasks).task("b").x);
    expect(() => own.applyRows("a", tasks.task("a").x)).toThrow('unknown task "a"');
    expect(JSON.stringify(own)).not.toContain('"a"');
  });

  test("refuses other features, naming the first that differs", () => {
    const renamed = tasks.withFeatures(tasks.x.slice(), ["x1", "u", "x3"]);
    expect(() => pipeline.apply(renamed)).toThrow(
      'feature 1 is "u", the pipeline was fitted with "x2" there.',
    );
    const narrow = TaskSet.from([{ name: "a", x: [[1]], y: [1] }]);
    expect(() => pipeline.apply(narrow)).toThrow(
      "the data has 1 features, the pipeline was fitted on 3.",
    );
    expect(() => pipeline.applyRows("a", Float64Array.of(1))).toThrow("not a multiple of the 3");
    expect(() => fit({ kind: "whiten" } as never)).toThrow("expected one of unit-rows, constant");
  });
});
