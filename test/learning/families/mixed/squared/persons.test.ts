/** All rows of a person hidden together: what they move a release by, what it costs, and whom it is promised to. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../src/data/index.js";
import { Auto, MpMixed, type FittedModel } from "../../../../../src/learning/index.js";
import { betweenUploads } from "../../../../../src/learning/families/mixed/records/record-between.js";
import {
  pairMoments,
  rowMoments,
} from "../../../../../src/learning/families/mixed/records/record-moments.js";
import { releasesOf } from "../../../../../src/learning/release/private-estimator.js";
import { loadModel, saveModel } from "../../../../../src/model/index.js";

const D = 3;
const value = fc.double({ min: -50, max: 50, noNaN: true });
const rowOf = fc.array(value, { minLength: D + 1, maxLength: D + 1 });

/** Up to three tasks, and which of their rows are of one person; in the other world these are others. */
const worlds = fc.array(
  fc.array(fc.record({ own: rowOf, other: rowOf, persons: fc.boolean() }), { minLength: 1, maxLength: 6 }), // prettier-ignore
  { minLength: 1, maxLength: 3 },
);

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

function rowsOf(world: World, which: "own" | "other") {
  const rows = world.flat().map((row) => (row.persons ? row[which] : row.own));
  const offsets = [0];
  for (const task of world) offsets.push(offsets.at(-1)! + task.length);
  return {
    x: Float64Array.from(rows.flatMap((row) => [...row.slice(0, D - 1), 1])),
    y: Float64Array.from(rows, (row) => row[D]!),
    offsets,
  };
}

/** How far the sum over tasks moves. */
function moved(world: World, uploads: (rows: ReturnType<typeof rowsOf>) => Float64Array): number {
  const [a, b] = [uploads(rowsOf(world, "own")), uploads(rowsOf(world, "other"))];
  const length = a.length / world.length;
  const sums = Array.from({ length }, (_, at) =>
    world.reduce((sum, _task, i) => sum + a[i * length + at]! - b[i * length + at]!, 0),
  );
  return Math.hypot(...sums);
}

/** The bound that the person keeps: most rows in a task, times tasks. */
function bound(world: World): number {
  const counts = world.map((task) => task.filter(({ persons }) => persons).length);
  return Math.max(...counts) * counts.filter((count) => count > 0).length;
}

describe("a person moves the sums by at most rows times tasks of what a record does", () => {
  test.each([
    ["moments of rows", Math.SQRT2, (rows) => rowMoments(rows, D, 2)],
    ["moments of pairs", Math.SQRT2, (rows) => pairMoments(rows, D, 2)],
    [
      "how far tasks lie apart",
      2,
      (rows) => betweenUploads(rows, { effects: new Float64Array(D).fill(0.3), features: 0.7, row: 2, task: 1.3 }), // prettier-ignore
    ],
  ] as readonly [string, number, (rows: ReturnType<typeof rowsOf>) => Float64Array][])(
    "%s",
    (_, each, uploads) => {
      fc.assert(
        fc.property(worlds, (world) => {
          expect(moved(world, uploads)).toBeLessThanOrEqual(each * bound(world) * (1 + 1e-12));
        }),
        { seed: 3, numRuns: 300 },
      );
    },
  );
});

const m = 12;
const n = 10;
/** Persons p, p + m, ... of task p have two rows each; the last of a task is also in the next one. */
const persons = Array.from({ length: m }, (_, i) =>
  Array.from({ length: n }, (_r, row) => (row < n - 1 ? `${i}-${row >> 1}` : `${(i + 1) % m}-0`)),
);
const wave = (at: number) => Math.sin(12.9898 * (at + 1));
const dataOf = (withPersons: boolean) =>
  TaskSet.from(
    persons.map((of, i) => ({
      name: `task ${i}`,
      x: of.map((_, row) => [wave(i * n + row), wave(3 * (i * n + row))]),
      y: of.map((_, row) => 0.4 * wave(i * n + row) + 0.1 * wave(7 * (i * n + row))),
      ...(withPersons ? { persons: of } : {}),
    })),
  );
const data = dataOf(true);
const options = {
  unit: "record",
  epsilon: 1,
  delta: 1e-4,
  scale: "unit",
  random: { mode: "seeded", seed: 5 },
} as const;
const both = { rowsPerPerson: 2, tasksPerPerson: 2 } as const;

describe("accounting", () => {
  const sigmas = (given: object) =>
    releasesOf(new MpMixed({ ...options, ...given }), dataOf(false)).stages.map(({ events }) => {
      const [event] = events;
      return event && "sigma" in event ? [event.sensitivity, event.sigma] : [NaN, NaN];
    });

  test("four rows of a person cost four times the noise", () => {
    const [one, four] = [sigmas({}), sigmas(both)];
    one.forEach(([sensitivity, sigma], k) => {
      expect(four[k]![0]! / sensitivity!).toBeCloseTo(4, 6);
      expect(four[k]![1]! / sigma!).toBeCloseTo(4, 4);
    });
  });

  test("where tasks are hidden too, a person in two of them has at most twice what a task has", () => {
    const given = { ...options, unit: "both" } as const;
    const recordOf = (bound: object) =>
      releasesOf(new MpMixed({ ...given, ...bound }), dataOf(false)).recordOf!.epsilon;
    const [one, few, many] = [{}, both, { rowsPerPerson: 500, tasksPerPerson: 1 }].map(recordOf);
    expect(few).toBeGreaterThan(one!);
    // However many rows: the person is within the task.
    expect(many).toBeLessThanOrEqual(1);
    expect(recordOf({ rowsPerPerson: 500, tasksPerPerson: 2 })).toBeGreaterThan(many!);
  });
});

describe("what is said, and to whom", () => {
  const fit = (given: object, set = data) =>
    new MpMixed({ ...options, ...both, ...given }).fit(set);

  test("the guarantee names the person and the bound", async () => {
    const { guarantee } = await fit({ random: { mode: "secure" } });
    expect(guarantee).toMatchObject({ unit: "person", person: both, epsilon: 1 });
    expect(guarantee.neighbours).toMatch(
      /^all rows of one person, at most 2 in each of at most 2 tasks, are as they are/,
    );
    expect(guarantee.notCovered.join()).not.toContain("a person who has several records");
  });

  const line = ({ protection }: Pick<FittedModel, "protection">, of: string, against: string) =>
    protection.find((one) => one.of === of && one.against === against)!.epsilon;

  test("the table has persons in the place of records, also in a file", async () => {
    const model = await fit({ ownModel: "noisy", random: { mode: "secure" } });
    const read = loadModel(saveModel(model));
    for (const one of [model, read, model.forTask("task 3")]) {
      expect(line(one, "person", "own model")).toBe(1);
      expect(line(one, "person", "other tasks")).toBeLessThan(1);
      expect(line(one, "task", "other tasks")).toBeNull();
      expect(one.protection.some(({ of }) => of === "record")).toBe(false);
    }
    expect(model.recordGuarantee).toMatchObject({ unit: "person" });
  });

  test("where tasks are hidden, a person has a figure of its own", async () => {
    const model = await fit({ unit: "both", random: { mode: "secure" } });
    expect(line(model, "task", "other tasks")).toBe(1);
    expect(line(model, "person", "other tasks")).toBe(model.guarantee.recordOf!.epsilon);
    expect(model.guarantee).toMatchObject({ unit: "task", person: both });
  });

  test("persons beyond the bound are refused before anything is charged", async () => {
    for (const bound of [{ rowsPerPerson: 1 }, { tasksPerPerson: 1 }]) {
      await expect(fit(bound)).rejects.toThrow(/^persons: some person has more than/);
    }
  });

  test("auto hands the bound on, and expects less of the same budget", async () => {
    const { random: _, ...asked } = options;
    const [one, four] = [{}, both].map((bound) => new Auto({ ...asked, ...bound }).choose(data));
    expect(four!.share).toBeLessThan(one!.share);
    const model = await new Auto({ ...options, ...both, epsilon: 8 }).fit(data);
    expect(model.guarantee).toMatchObject({ unit: "person", person: both });
  });

  test("a bound without a unit of records is refused", () => {
    expect(() => new MpMixed({ rowsPerPerson: 2 })).toThrow(/^rowsPerPerson: .*unit "record"/);
    expect(() => new MpMixed({ tasksPerPerson: 2, unit: "task" })).toThrow(/^tasksPerPerson/);
    expect(() => new MpMixed({ ...options, rowsPerPerson: 0 })).toThrow("rowsPerPerson");
  });
});
