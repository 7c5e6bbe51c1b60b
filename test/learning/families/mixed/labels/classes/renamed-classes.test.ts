/** Models of several classes do not depend on which class is called what, and are there of tasks that say little of classes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ClassesExchange } from "../../../../../../src/learning/families/mixed/labels/classes/classes-exchange.js";
import { classesPlan } from "../../../../../../src/learning/families/mixed/labels/classes/classes-plan.js";
import { generator } from "../../../../../../bench/uniform-draws.js";
import { thorough } from "../../../../../thorough.js";

const CLASSES = 4;
/** Of the tasks below: one without rows, and one whose rows are of one class. */
const [EMPTY, SAME] = [2, 3];

/** Six tasks along one feature, of classes 0 to 2; the fourth class nobody has. */
function drawnRows(seed: number) {
  const { uniform } = generator(seed);
  const offsets = [0];
  const [x, y]: [number[], number[]] = [[], []];
  for (let task = 0; task < 6; task++) {
    const n = task === EMPTY ? 0 : 4 + Math.floor(4 * uniform());
    for (let row = 0; row < n; row++) {
      const value = 2 * uniform() - 1;
      x.push(value, 1);
      y.push(task === SAME ? 1 : Math.min(2, Math.floor(1.5 * (value + 1) * uniform())));
    }
    offsets.push(y.length);
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y), offsets };
}

/** What tasks end with where class c is called names[c], and noise goes with the classes. */
function solved(
  rows: ReturnType<typeof drawnRows>,
  names: readonly number[],
  mu: number,
  seed: number,
) {
  const m = rows.offsets.length - 1;
  const sizes = { m, d: 2, meanRows: rows.y.length / m, classes: CLASSES };
  const called = { ...rows, y: rows.y.map((label) => names[label]!) };
  const exchange = new ClassesExchange(called, sizes, mu);
  const { normal } = generator(seed);
  classesPlan(sizes, mu).forEach(({ length, statistic, fraction }, k) => {
    const deviation = (statistic === "moment" ? Math.SQRT2 : 2) / (mu * Math.sqrt(fraction));
    const sum = new Float64Array(length);
    exchange.upload(k).forEach((value, at) => (sum[at % length]! += value));
    const own = length / CLASSES;
    for (const name of names)
      for (let at = 0; at < own; at++) sum[name * own + at]! += deviation * normal();
    exchange.receive(k, sum, deviation);
  });
  const { models, covariances, alone, mixtures } = exchange.solve();
  /** Of a task and class c, by the name that it had at first. */
  return (task: number, c: number) =>
    [models, covariances, alone, mixtures!.weights, mixtures!.means].map((all) => {
      const size = all.length / (m * CLASSES);
      const at = (task * CLASSES + names[c]!) * size;
      return all.slice(at, at + size);
    });
}

test("classes of other names have the same models, also where tasks have no rows, rows of one class, and a class that nobody has", () => {
  const names = fc.shuffledSubarray([0, 1, 2, 3], { minLength: CLASSES, maxLength: CLASSES });
  const mus = fc.constantFrom(0.5, 5, Infinity);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), names, mus, (seed, others, mu) => {
      const rows = drawnRows(seed);
      const [first, second] = [[0, 1, 2, 3], others].map((called) =>
        solved(rows, called, mu, seed),
      );
      for (let task = 0; task < 6; task++) {
        for (let c = 0; c < CLASSES; c++) {
          const found = second!(task, c);
          first!(task, c).forEach((wanted, k) =>
            wanted.forEach((value, at) => {
              expect(Number.isFinite(value)).toBe(true);
              expect(Math.abs(found[k]![at]! - value)).toBeLessThan(1e-8 * (1 + Math.abs(value)));
            }),
          );
        }
      }
    }),
    { numRuns: thorough ? 12 : 2, seed: 5 },
  );
});

test("of a task whose rows are of one class that class has the highest level, and the one that nobody has is below it", () => {
  const of = solved(drawnRows(11), [0, 1, 2, 3], Infinity, 11);
  const levels = [0, 1, 2, 3].map((c) => of(SAME, c)[0]![1]!);
  expect(Math.max(...levels)).toBe(levels[1]);
  expect(levels[3]!).toBeLessThan(levels[1]! - 1);
  // Nothing is known of a task without rows but what all have in common.
  const spread = (task: number) => of(task, 1)[1]![2]!;
  expect(spread(EMPTY)).toBeGreaterThan(spread(0));
});
