import seedrandom from "seedrandom";
import { describe, expect, test } from "vitest";
import { gaussianDelta, gaussianEpsilon } from "../../../src/privacy/index.js";
import { linearDiscriminant } from "../../../src/privacy/audit/linear-discriminant.js";
import { proveLoss, type TrialScores } from "../../../src/privacy/audit/prove-loss.js";
import { thorough } from "../../thorough.js";

/** n draws by `draw` from a seeded generator. */
function draws(seed: string, n: number, draw: (uniform: () => number) => number): Float64Array {
  const uniform = seedrandom(seed);
  return Float64Array.from({ length: n }, () => draw(uniform));
}

function normal(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Likelihood-ratio scores of a mu-GDP mechanism. */
function gaussianScores(mu: number, n: number, seed: string): TrialScores {
  return {
    name: "gaussian",
    present: draws(`${seed} a`, n, (u) => mu * normal(u) + (mu * mu) / 2),
    neighbour: draws(`${seed} b`, n, (u) => mu * normal(u) - (mu * mu) / 2),
  };
}

describe("a proven loss", () => {
  test("comes close to the Gaussian's true one, and stays below it", () => {
    // Fixed seed; by construction a bound is wrong with probability at most 0.001.
    const mu = 1;
    const epsilon = gaussianEpsilon(mu, 0.05);
    const proof = proveLoss([gaussianScores(mu, 40_000, "x")], { epsilon, delta: 0.05 }, 0.999);
    expect(proof.verdict).toBe("consistent");
    expect(proof.byEpsilon.epsilon).toBeLessThanOrEqual(epsilon);
    expect(proof.byEpsilon.epsilon).toBeGreaterThan(0.8 * epsilon);
    expect(proof.byDelta.delta).toBeLessThanOrEqual(gaussianDelta(epsilon, mu));
    expect(proof.byDelta.delta).toBeGreaterThan(0.5 * 0.05);
  });

  test("beyond the claim is a violation", () => {
    const claim = { epsilon: gaussianEpsilon(1, 0.01), delta: 0.01 };
    const proof = proveLoss([gaussianScores(2, 4000, "twice")], claim, 0.999);
    expect(proof.verdict).toBe("violated");
    expect(proof.byEpsilon.epsilon).toBeGreaterThan(claim.epsilon);
    expect(proof.byDelta.delta).toBeGreaterThan(claim.delta);
  });

  test("finds proofs at infinity, in either world", () => {
    const seen = draws("support", 4000, (u) => (u() < 0.1 ? Infinity : 0));
    const never = new Float64Array(4000);
    const claim = { epsilon: 0.1, delta: 0 };
    const one = proveLoss([{ name: "s", present: seen, neighbour: never }], claim, 0.99);
    expect(one.byDelta).toMatchObject({ world: "present", falseAlarms: 0 });
    expect(one.byDelta.delta).toBeGreaterThan(0.07);
    const other = { name: "s", present: never, neighbour: seen.map((x) => -x) };
    const two = proveLoss([other], claim, 0.99);
    expect(two.byDelta).toMatchObject({ world: "neighbour", falseAlarms: 0 });
    expect(two.byDelta.delta).toBe(one.byDelta.delta);
  });

  test("finds the tied largest score of the Laplace mechanism", () => {
    const epsilon = 1;
    const laplace = (u: () => number) => Math.sign(u() - 0.5) * -Math.log(1 - u());
    const score = (x: number) => epsilon * (Math.abs(x) - Math.abs(x - 1));
    const scores = {
      name: "laplace",
      present: draws("laplace a", 40_000, (u) => score(1 + laplace(u) / epsilon)),
      neighbour: draws("laplace b", 40_000, (u) => score(laplace(u) / epsilon)),
    };
    const proof = proveLoss([scores], { epsilon, delta: 0 }, 0.999);
    expect(proof.verdict).toBe("consistent");
    expect(proof.byEpsilon.epsilon).toBeGreaterThan(0.9);
  });

  test("alarms no more often than stated where the claim is tight", () => {
    // Audits of a tight claim at confidence 0.9. The chance of an alarm is at most 0.1, so more than 38 alarms of 200, or 19 of 80,
    // have probability below 1e-4; the seeds are fixed.
    const [audits, most] = thorough ? [200, 38] : [80, 19];
    const claim = { epsilon: 0, delta: gaussianDelta(0, 0.5) };
    let alarms = 0;
    for (let k = 0; k < audits; k++) {
      const proof = proveLoss([gaussianScores(0.5, 200, `audit ${k}`)], claim, 0.9);
      if (proof.verdict === "violated") alarms++;
    }
    expect(alarms).toBeLessThanOrEqual(most);
  });

  test("many distinguishers of nothing prove nothing", () => {
    const noise = Array.from({ length: 20 }, (_, k) => ({
      name: `noise ${k}`,
      present: draws(`n ${k}`, 2000, normal),
      neighbour: draws(`m ${k}`, 2000, normal),
    }));
    const proof = proveLoss(noise, { epsilon: 0, delta: 0 }, 0.999);
    expect(proof.verdict).toBe("consistent");
  });

  test("names what it refuses", () => {
    const ok = gaussianScores(1, 10, "ok");
    expect(() => proveLoss([], { epsilon: 1, delta: 0 }, 0.9)).toThrow("trials: expected");
    expect(() => proveLoss([ok], { epsilon: 1, delta: 0 }, 1)).toThrow("confidence: expected");
    const bad = { ...ok, present: ok.present.map((x, k) => (k === 3 ? NaN : x)) };
    expect(() => proveLoss([bad], { epsilon: 1, delta: 0 }, 0.9)).toThrow('scores of "gaussian"');
    const short = { ...ok, present: ok.present.slice(1) };
    expect(() => proveLoss([short], { epsilon: 1, delta: 0 }, 0.9)).toThrow("expected 9");
  });
});

describe("the linear discriminant", () => {
  const shifted = (mu: number, seed: string) => {
    const values = draws(seed, 2000 * 5, normal);
    return Array.from({ length: 2000 }, (_, r) =>
      values.slice(5 * r, 5 * r + 5).map((x, k) => 10 * x + (k === 3 ? 10 * mu : 0)),
    );
  };

  test("finds the feature that differs, from training trials only", () => {
    const scores = linearDiscriminant("black box", shifted(2, "p"), shifted(0, "q"));
    expect(scores.trained).toBe(500);
    const proof = proveLoss([scores], { epsilon: 0, delta: 0.3 }, 0.999);
    // The best test of two normals two standard deviations apart has advantage 0.683.
    expect(proof.byDelta.delta).toBeGreaterThan(0.5);
    expect(proof.byDelta.delta).toBeLessThan(0.683);
  });

  test("a constant difference is a proof in itself", () => {
    const worlds = [3, 4].map((x) => Array.from({ length: 400 }, () => Float64Array.of(x, 1)));
    const scores = linearDiscriminant("constant", worlds[0]!, worlds[1]!);
    const proof = proveLoss([scores], { epsilon: 1, delta: 0 }, 0.99);
    expect(proof.byDelta).toMatchObject({ hits: 200, falseAlarms: 0, trials: 200 });
  });
});
