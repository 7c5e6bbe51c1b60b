/** Own models of several classes against what the others say of a task's rows. */
import { describe, expect, test } from "vitest";
import { modelsAgainstPredicted } from "../../../../../../src/learning/families/mixed/labels/classes/against-predicted.js";
import {
  againstOthers,
  LogisticTasks,
} from "../../../../../../src/learning/families/mixed/labels/logistic-tasks.js";
import { diagonal } from "../../../../../../src/linalg/small-matrices.js";
import { generator } from "../../../../../../bench/uniform-draws.js";

/** One task of `n` rows of a feature in [-1, 1], its classes drawn from a softmax of these slopes and levels. */
function drawnTask(n: number, slopes: readonly number[], levels: readonly number[]) {
  const { uniform } = generator(7);
  const x = Float64Array.from({ length: 2 * n }, (_, at) => (at % 2 ? 1 : 2 * uniform() - 1));
  const y = Float64Array.from({ length: n }, (_, row) => {
    const odds = slopes.map((slope, c) => Math.exp(slope * x[2 * row]! + levels[c]!));
    let left = uniform() * odds.reduce((a, b) => a + b, 0);
    return odds.findIndex((part) => (left -= part) < 0);
  });
  return { x, y, offsets: [0, n] };
}

/** One prior for learning together and one for learning alone, the latter next to impossible. */
const wide = {
  priors: [2, 2].map((scale) => ({
    mean: new Float64Array(2),
    root: diagonal(Float64Array.of(scale, scale)),
  })),
  logWeights: Float64Array.of(0, -60),
  shared: 1,
  inOwn: 0,
  ownPart: 0,
};

describe("models against what the others predict", () => {
  const rows = drawnTask(600, [-2.5, 0, 1, 1.5], [0, 1.2, 0.4, -2]);
  const of = (label: number) => new LogisticTasks(againstOthers(rows, label), 2, {});
  const each = [0, 1, 2, 3].map(of);
  const first = each.map((one) => one.solve(wide, true));
  const again = (models: typeof first) =>
    modelsAgainstPredicted(rows, models, (label, added) =>
      each[label]!.solveAgain(wide, added, models[label]!),
    );
  /** Sum over the rows of the softmax score of every class's slope and level, by the mean models. */
  const score = (models: typeof first) => {
    const sums = new Float64Array(8);
    for (let row = 0; row < rows.y.length; row++) {
      const features = rows.x.subarray(2 * row, 2 * row + 2);
      const odds = models.map((one) =>
        Math.exp(0.75 * (one.models[0]! * features[0]! + one.models[1]!)),
      );
      const whole = odds.reduce((a, b) => a + b, 0);
      odds.forEach((part, c) => {
        const residual = (rows.y[row] === c ? 1 : 0) - part / whole;
        features.forEach((value, j) => (sums[2 * c + j]! += residual * value));
      });
    }
    return Math.hypot(...sums);
  };

  test("come several times nearer to where a softmax's score is zero, and there with more rounds", () => {
    const second = again(first);
    expect(score(second)).toBeLessThan(score(first) / 3);
    expect(score(again(second))).toBeLessThan(score(second));
  });

  test("of two classes are those of either against the other, as they are", () => {
    const two = first.slice(0, 2);
    const solve = () => {
      throw new Error("nothing is to be made again");
    };
    expect(modelsAgainstPredicted(rows, two, solve)).toEqual(two);
  });

  test("are not made again of a class whose line misses next to nothing", () => {
    const even = first.map((models, c) => ({
      ...models,
      // Nearly even odds of four classes, whatever the row.
      mixtures: {
        weights: models.mixtures!.weights,
        means: models.mixtures!.means.map((_, at) => (at % 2 ? -Math.log(3) - c / 1e3 : 0)),
        covariances: new Float64Array(models.mixtures!.covariances.length),
      },
    }));
    const solve = () => {
      throw new Error("nothing is to be made again");
    };
    expect(modelsAgainstPredicted(rows, even, solve)).toEqual(even);
  });

  test("stay as they are of a task whose rows the others say nearly for certain, and are made again of the one beside it", () => {
    const n = 60;
    const x = Float64Array.from({ length: 2 * n }, (_, at) => (at % 2 ? 1 : at / n - 1));
    // Classes that follow from the feature, beside the rows above.
    const y = Float64Array.from({ length: n }, (_, row) => Math.min(3, Math.floor((4 * row) / n)));
    const both = {
      x: Float64Array.of(...x, ...rows.x),
      y: Float64Array.of(...y.map((label) => (label < 2 ? 0 : 3)), ...rows.y),
      offsets: [0, n, n + 600],
    };
    const solvers = [0, 1, 2, 3].map(
      (label) => new LogisticTasks(againstOthers(both, label), 2, {}),
    );
    const before = solvers.map((one) => one.solve(wide, true));
    const after = modelsAgainstPredicted(both, before, (label, added) => {
      expect(added[0]).toBeUndefined();
      return solvers[label]!.solveAgain(wide, added, before[label]!);
    });
    const alone = again(first);
    after.forEach(({ models, covariances, mixtures }, label) => {
      expect(models.slice(0, 2)).toEqual(before[label]!.models.slice(0, 2));
      expect(covariances.slice(0, 3)).toEqual(before[label]!.covariances.slice(0, 3));
      expect(models.slice(2)).toEqual(alone[label]!.models);
      expect(mixtures!.means.slice(16)).toEqual(alone[label]!.mixtures!.means);
    });
  });
});
