/** What is printed of one-sided Wishart noise whose text claims less than a release loses. */
import { expect, test } from "vitest";
import { createMechanism } from "../../../src/privacy/mechanisms/create.js";
import { describeGuarantee, Ledger, wishartEvent } from "../../../src/privacy/index.js";

const mechanism = createMechanism({ name: "wishart-older", statistic: "covariance", tasks: 3, dimension: 2, clip: 1, delta: 0 }); // prettier-ignore
const event = (clip: number, scale: number, nominal?: number) =>
  wishartEvent({ dimension: 2, degreesOfFreedom: 3, scale, clip, ...(nominal === undefined ? {} : { nominal }) }); // prettier-ignore

test("the epsilon of a nominal claim is not below what its releases lose, if any claims too little", () => {
  const stated = (...events: ReturnType<typeof event>[]) => {
    const ledger = new Ledger({ epsilon: 1, delta: 0, adjacency: "replace", nominal: true });
    events.forEach((one, k) => ledger.charge(one, { round: k + 1 }));
    return describeGuarantee(ledger, mechanism, "secure", []);
  };
  // K^2 / (2 v) is 0.2, and 2.5 where 0.5 is claimed.
  const [honest, less] = [event(1, 2.5), event(10, 20, 0.5)];
  expect(stated(honest, honest).epsilon).toBe(1);
  for (const { epsilon, private: isPrivate, trueDelta } of [
    stated(honest, less),
    stated(less, honest),
  ]) {
    expect(epsilon).toBeCloseTo(2.7, 12);
    expect(isPrivate).toBe(false);
    expect(trueDelta).toBeCloseTo(1 - Math.exp(-2.7), 12);
  }
});
