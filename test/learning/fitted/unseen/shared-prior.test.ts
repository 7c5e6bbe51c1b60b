/** Tasks that come later must have the columns of the fit, and an error says which are other ones, and what to write. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import {
  requireSame,
  type SharedPrior,
} from "../../../../src/learning/fitted/unseen/shared-prior.js";

const prior = { featureNames: ["age", "bmi", "sex=M"] } as unknown as SharedPrior;
const tasks = (d: number, options?: { featureNames?: string[]; targetRange?: [number, number] }) =>
  TaskSet.from([{ name: "new", x: [new Array<number>(d).fill(1)], y: [2] }], options);

describe("requireSame", () => {
  test.each([2, 4])("%d features instead of three", (d) => {
    expect(() => requireSame(prior, tasks(d))).toThrow(
      `the tasks have ${d} features, the prior has 3: "age", "bmi", "sex=M".`,
    );
  });

  test("names the first feature that is another one, and how arrays get the prior's names", () => {
    expect(() => requireSame(prior, tasks(3, { featureNames: ["age", "x", "y"] }))).toThrow(
      'feature 1 of the tasks is "x", that of the prior is "bmi". If arrays',
    );
    expect(() =>
      requireSame(prior, tasks(3, { featureNames: [...prior.featureNames] })),
    ).not.toThrow();
  });

  test("a target on another scale", () => {
    const scaled = {
      featureNames: [...prior.featureNames],
      targetRange: [0, 9] as [number, number],
    };
    expect(() => requireSame(prior, tasks(3, scaled))).toThrow("targetRange of TaskSet.from");
  });
});
