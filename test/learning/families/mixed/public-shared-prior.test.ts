/** A public prior as a shared one, in the units of the data: effects as declared, variances as they are before any release. */
import { expect, test } from "vitest";
import { tableFrom, tasksFromTable, TaskSet } from "../../../../src/data/index.js";
import { publicSharedPrior, type PublicPrior } from "../../../../src/learning/index.js";
import { START } from "../../../../src/learning/families/mixed/squared/squared-settings.js";

const prior: PublicPrior = {
  coefficients: { u: 1.5, v: -0.25, w: 0 },
  intercept: 4,
  source: "a study",
};
const d = 4;

/** Off the diagonal of [d, d] there is nothing. */
function expectDiagonal(matrix: Float64Array, expected: readonly number[]): void {
  matrix.forEach((value, at) =>
    expect(value).toBeCloseTo(at % (d + 1) === 0 ? expected[at / (d + 1)]! : 0, 12),
  );
}

// Slopes have other variances than the intercept has: 2 / 3 each, and 1.
test("of rows as they are: the declared effects, slopes that share their variance, the intercept's own", () => {
  const like = TaskSet.from([{ name: "t", x: [[1, 2, 0]], y: [3] }], {
    featureNames: ["u", "v", "w"],
  });
  const { components, guarantee, featureNames, loss } = publicSharedPrior(prior, like);
  expect([...components["fixedEffects"]!.data]).toEqual([1.5, -0.25, 0, 4]);
  expectDiagonal(components["covariance"]!.data, [START.slopes / 3, START.slopes / 3, START.slopes / 3, START.intercept]); // prettier-ignore
  expectDiagonal(components["fixedEffectsCovariance"]!.data, [0, 0, 0, 0]);
  expectDiagonal(components["releaseCovariance"]!.data, [0, 0, 0, 0]);
  expect([...components["noise"]!.data]).toEqual([START.noise]);
  expect([guarantee.kind, loss]).toEqual(["none", "squared"]);
  expect(featureNames).toEqual(["u", "v", "w"]);
});

test("holds nothing of the rows of the tasks it is for", () => {
  const table = tableFrom({
    site: ["a", "a", "a", "a"],
    u: [700.25, 900.25, 800.25, null],
    y: [1, 2, 3, 4],
  });
  const schema = { task: "site", target: "y", missing: "impute" } as const;
  const { tasks } = tasksFromTable(table, schema);
  // The mean of the task's rows stands for what is missing.
  expect(JSON.stringify(tasks.encoding.table)).toContain("800.25");
  const made = publicSharedPrior({ coefficients: { u: 1 } }, tasks);
  expect(made.preprocessing?.encoding?.columns[0]?.column).toBe("u");
  expect(JSON.stringify(made)).not.toContain("800.25");
});

test("of a target in a declared range: variances are of targets of half the size", () => {
  const list = [{ name: "t", x: [[1, 2, 0]], y: [70] }];
  const shape = { featureNames: ["u", "v", "w"], targetRange: [50, 150] } as const;
  const like = TaskSet.from(list, shape);
  const { components } = publicSharedPrior(prior, like);
  // y = 4 + 1.5 u - 0.25 v is (y - 100) / 50 in the data.
  [0.03, -0.005, 0, -1.92].forEach((value, k) =>
    expect(components["fixedEffects"]!.data[k]).toBeCloseTo(value, 12),
  );
  const of = [START.slopes / 3, START.slopes / 3, START.slopes / 3, START.intercept];
  expectDiagonal(components["covariance"]!.data, of.map((value) => value / 4)); // prettier-ignore
  expect(components["noise"]!.data[0]).toBeCloseTo(START.noise / 4, 12);
});
