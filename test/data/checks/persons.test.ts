/** Persons with several rows, in several tasks: counted, bounded, refused; and rows that were not prepared each by itself. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  boundPersons,
  Pipeline,
  recordsApart,
  requireBound,
  requireRecordsApart,
  Table,
  tasksFromTable,
  TaskSet,
} from "../../../src/data/index.js";

/** Tasks of rows whose x is their number over all tasks, by the persons of each. */
function tasksOf(persons: readonly (readonly (string | number)[])[]): TaskSet {
  let row = 0;
  return TaskSet.from(
    persons.map((of, i) => ({
      name: `task ${i}`,
      persons: of,
      x: of.map(() => [row++]),
      y: of.map(() => 1),
    })),
  );
}

const worlds = fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 5,
});
const bounds = fc.record({
  rowsPerPerson: fc.integer({ min: 1, max: 3 }),
  tasksPerPerson: fc.integer({ min: 1, max: 3 }),
});

/** Most rows of one person in a task, and most tasks of one, counted plainly. */
function most(persons: readonly (readonly unknown[])[]) {
  const counts = persons.map((of) => {
    const seen = new Map<unknown, number>();
    for (const person of of) seen.set(person, (seen.get(person) ?? 0) + 1);
    return seen;
  });
  const all = new Set(persons.flat());
  return {
    rows: Math.max(...counts.flatMap((seen) => [...seen.values()])),
    tasks: Math.max(...[...all].map((person) => counts.filter((seen) => seen.has(person)).length)),
  };
}

const personsIn = (tasks: TaskSet) =>
  tasks.names.map((_, i) => [...tasks.persons!.subarray(tasks.offsets[i], tasks.offsets[i + 1])]);

describe("bounding what a person contributes", () => {
  test("leaves nobody more than the bound, drops nothing that is within it, and then has nothing to do", () => {
    fc.assert(
      fc.property(worlds, bounds, (persons, bound) => {
        const all = tasksOf(persons);
        let kept: TaskSet;
        try {
          kept = boundPersons(all, bound);
        } catch (error) {
          expect(String(error)).toMatch(/would have no row left/);
          return;
        }
        const { rows, tasks } = most(personsIn(kept));
        expect(rows).toBeLessThanOrEqual(bound.rowsPerPerson);
        expect(tasks).toBeLessThanOrEqual(bound.tasksPerPerson);
        expect(boundPersons(kept, bound)).toBe(kept);
        requireBound(kept, bound);
        const before = most(persons);
        const within = before.rows <= bound.rowsPerPerson && before.tasks <= bound.tasksPerPerson;
        expect(kept === all).toBe(within);
        if (!within)
          expect(() => requireBound(all, bound)).toThrow(/^persons: some person has more/);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test("the first rows of the first tasks stay, with their values", () => {
    const kept = boundPersons(
      tasksOf([
        ["a", "b", "a", "a"],
        ["b", "c"],
        ["a", "c", "d"],
      ]),
      {
        rowsPerPerson: 2,
        tasksPerPerson: 1,
      },
    );
    expect([...kept.x]).toEqual([0, 1, 2, 5, 8]);
    expect(kept.taskSizes).toEqual(Uint32Array.of(3, 1, 1));
  });

  test("a task is not lost without a word", () => {
    const all = tasksOf([["a"], ["a", "a"]]);
    expect(() => boundPersons(all, { rowsPerPerson: 9, tasksPerPerson: 1 })).toThrow(
      /^task "task 1" would have no row left/,
    );
  });

  test("without persons nothing is bounded or refused", () => {
    const all = TaskSet.from([{ name: "one", x: [[1], [2]], y: [1, 2] }]);
    expect(all.persons).toBeUndefined();
    expect(boundPersons(all, { rowsPerPerson: 1, tasksPerPerson: 1 })).toBe(all);
    requireBound(all, { rowsPerPerson: 1, tasksPerPerson: 1 });
  });
});

describe("persons travel with their rows", () => {
  const all = tasksOf([
    ["a", "b"],
    ["b", "c", "a"],
  ]);

  test("through selections and splits", () => {
    expect([...all.persons!]).toEqual([0, 1, 1, 2, 0]);
    expect([...all.select(["task 1", "task 0"]).persons!]).toEqual([1, 2, 0, 0, 1]);
    const { train, test: held } = all.splitBy((row) => row === 0);
    expect([...train.persons!]).toEqual([0, 1]);
    expect([...held.persons!]).toEqual([1, 2, 0]);
    const piped = Pipeline.fit(all, [{ kind: "constant", name: "one", value: 1 }]).apply(all);
    expect(piped.persons).toEqual(all.persons);
  });

  test("from a column of a table, which is no feature", () => {
    const table = new Table([
      { name: "school", values: ["u", "v", "u"] },
      { name: "pupil", values: Float64Array.of(7, 7, 9) },
      { name: "age", values: Float64Array.of(1, 2, 3) },
      { name: "y", values: Float64Array.of(4, 5, 6) },
    ]);
    const { tasks } = tasksFromTable(table, { task: "school", target: "y", person: "pupil" });
    expect(tasks.featureNames).toEqual(["age"]);
    // Rows by task: those of u, then that of v.
    expect([...tasks.persons!]).toEqual([0, 1, 0]);
    expect(() =>
      tasksFromTable(table, { task: "school", target: "y", person: "pupil", features: ["pupil"] }),
    ).toThrow(/whose row each is/);
    const gap = table.withColumns(
      table.columns.map((column) =>
        column.name === "pupil" ? { name: "pupil", values: Float64Array.of(7, NaN, 9) } : column,
      ),
    );
    expect(() => tasksFromTable(gap, { task: "school", target: "y", person: "pupil" })).toThrow(
      "row 1",
    );
  });

  test.each([
    [
      [["a"], ["a", "b"]],
      [1, 1],
      /^task "task 1": persons: expected one for each of its 1 rows, got 2/,
    ],
    [[["a"], undefined], [1, 1], /^task "task 1": persons: .* got none/],
    [[[""]], [1], /^task "task 0", row 0: persons: expected a text/],
    [[[1.5]], [1], /^task "task 0", row 0: persons/],
  ] as const)("%j is refused", (persons, sizes, message) => {
    const inputs = persons.map((of, i) => ({
      name: `task ${i}`,
      x: Array.from({ length: sizes[i]! }, () => [1]),
      y: Array.from({ length: sizes[i]! }, () => 1),
      ...(of ? { persons: of } : {}),
    }));
    expect(() => TaskSet.from(inputs)).toThrow(message);
  });
});

describe("rows prepared each by itself", () => {
  const table = (ages: Float64Array) =>
    new Table([
      { name: "school", values: ["u", "u", "v"] },
      { name: "age", values: ages },
      { name: "y", values: Float64Array.of(4, 5, 6) },
    ]);
  const schema = { task: "school", target: "y", kinds: { age: { kind: "number", range: [0, 8] } } } as const; // prettier-ignore
  const gaps = table(Float64Array.of(1, NaN, 3));

  test("a mean of the task ties them together, whether or not there are gaps", () => {
    for (const ages of [gaps, table(Float64Array.of(1, 2, 3))]) {
      const { tasks } = tasksFromTable(ages, { ...schema, missing: "impute" });
      expect(recordsApart(tasks)).toBe(false);
      expect(() => requireRecordsApart(tasks, 'unit "record"')).toThrow(
        /^unit "record" protects single records, but means of the column "age"/,
      );
    }
  });

  test("the middle of the range does not, and no other row changes it", () => {
    const of = (first: number) =>
      tasksFromTable(table(Float64Array.of(first, NaN, 3)), { ...schema, missing: "center" }).tasks;
    expect(recordsApart(of(1))).toBe(true);
    requireRecordsApart(of(1), "unit");
    expect([...of(1).x]).toEqual([-0.75, 0, -0.25]);
    expect([...of(8).x]).toEqual([1, 0, -0.25]);
  });

  test("statistics of a task's features tie its rows, declared ones do not", () => {
    const all = tasksOf([["a", "b"], ["c"]]);
    const scaled = Pipeline.fit(all, [{ kind: "standardize", scope: "task" }]).apply(all);
    expect(recordsApart(scaled)).toBe(false);
    expect(recordsApart(Pipeline.fit(all, [{ kind: "unit-rows" }]).apply(all))).toBe(true);
  });
});
