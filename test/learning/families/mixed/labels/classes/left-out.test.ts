/** Log-loss of a task's rows, each by the others, against models that are made without the row. */
import { expect, test } from "vitest";
import { lossLeftOut } from "../../../../../../src/learning/families/mixed/labels/classes/left-out.js";
import {
  againstOthers,
  LogisticTasks,
} from "../../../../../../src/learning/families/mixed/labels/logistic-tasks.js";
import { averagedLogits } from "../../../../../../src/learning/fitted/posterior/posterior-mixture.js";
import { diagonal } from "../../../../../../src/linalg/small-matrices.js";
import { generator } from "../../../../../../bench/uniform-draws.js";

const given = {
  priors: [1, 1].map((scale) => ({
    mean: Float64Array.of(0.5, 0),
    root: diagonal(Float64Array.of(scale, scale)),
  })),
  logWeights: Float64Array.of(0, -60),
  shared: 1,
  inOwn: 0,
  ownPart: 0,
};

/** Models of three classes, each against the rest, of tasks with rows x and classes y. */
const modelsOf = (rows: { x: Float64Array; y: Float64Array; offsets: number[] }) =>
  [0, 1, 2].map((label) => new LogisticTasks(againstOthers(rows, label), 2, {}).solve(given));

/** The log-loss of one row by one task's models. */
function lossOf(models: ReturnType<typeof modelsOf>, x: number, label: number): number {
  const all = (of: (one: (typeof models)[number]) => Float64Array) =>
    Float64Array.from(models.flatMap((one) => [...of(one)]));
  const mixture = {
    weights: all((one) => one.mixtures!.weights),
    means: all((one) => one.mixtures!.means),
    covariances: all((one) => one.mixtures!.covariances),
  };
  const odds = averagedLogits(mixture, Float64Array.of(x), 1, 3).map(Math.exp);
  return -Math.log(odds[label]! / odds.reduce((a, b) => a + b, 0));
}

test("is what models without the row say of it, for every task of a batch, and not what those with it do", () => {
  const { uniform } = generator(3);
  const sizes = [6, 15, 0];
  const offsets = [0, 6, 21, 21];
  const x = Float64Array.from({ length: 42 }, (_, at) => (at % 2 ? 1 : 2 * uniform() - 1));
  const y = Float64Array.from({ length: 21 }, () => Math.floor(3 * uniform()));
  const found = lossLeftOut({ x, y, offsets }, modelsOf({ x, y, offsets }));
  sizes.slice(0, 2).forEach((n, task) => {
    let [left, kept] = [0, 0];
    const rows = Array.from({ length: n }, (_, k) => offsets[task]! + k);
    const some = (those: number[]) => ({
      x: Float64Array.from(those.flatMap((row) => [x[2 * row]!, 1])),
      y: Float64Array.from(those, (row) => y[row]!),
      offsets: [0, those.length],
    });
    for (const row of rows) {
      const others = modelsOf(some(rows.filter((other) => other !== row)));
      left += lossOf(others, x[2 * row]!, y[row]!) / n;
      kept += lossOf(modelsOf(some(rows)), x[2 * row]!, y[row]!) / n;
    }
    expect(Math.abs(found[task]! - left)).toBeLessThan(0.1 * (left - kept));
  });
  expect(found[2]).toBe(0);
});
