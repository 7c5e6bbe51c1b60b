/**
 * The demonstration of what one round tells about a task that stands out.
 * @module
 */
import { simulateLeakage } from "../../../src/data/index.js";
import { audit, measureLeakage } from "../../../src/learning/index.js";
import type {
  CertaintyOutcome,
  LeakageOutcome,
  LeakagePoint,
  Protection,
  Work,
} from "./messages.js";

/** Examples whose figures are averaged. */
const EXAMPLES = 40;
/** Degrees within which an attacker is said to have found the secret direction. */
const FOUND = 5;
/** The papers' own stand-in for no noise. */
const NO_NOISE = 1e40;

/** m and d of the papers' example. */
const SIZE = { tasks: 10, features: 5 };

const degrees = (cosine: number) => (Math.acos(Math.min(1, cosine)) * 180) / Math.PI;
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** What singular values are shrunk by, as in the papers. */
const LAMBDA = 50;

/** One round of Algorithm 2 on the papers' example, many times. */
export async function demonstrateLeakage(job: {
  epsilon: number;
  protection: Protection;
}): Promise<LeakageOutcome> {
  const { protection } = job;
  const epsilon = protection === "none" ? NO_NOISE : job.epsilon;
  const before: number[] = [];
  const after: number[] = [];
  const turned: number[] = [];
  let shown: Pick<LeakageOutcome, "before" | "after" | "sound"> | undefined;
  for (let example = 0; before.length < EXAMPLES * (SIZE.tasks - 1); example++) {
    const { weights, clip } = simulateLeakage({ ...SIZE, seed: `leakage ${example}` });
    // An outlier below the threshold passes in no case, so there is nothing to protect.
    if (Math.hypot(...weights.subarray(-SIZE.features)) <= 2 * LAMBDA) continue;
    const found = await measureLeakage({
      weights,
      tasks: SIZE.tasks,
      clip,
      lambda: LAMBDA,
      epsilon,
      mechanism: protection === "ours" ? "auto" : "wishart",
    });
    before.push(...Array.from(found.before, degrees));
    after.push(...Array.from(found.after, degrees));
    turned.push(...Array.from(found.kept, degrees));
    shown ??= {
      before: Float32Array.from(weights),
      after: Float32Array.from(found.weights),
      sound: protection === "ours" && found.guarantee.sound,
    };
  }
  return {
    ...shown!,
    m: SIZE.tasks,
    d: SIZE.features,
    angleBefore: mean(before),
    angleAfter: mean(after),
    turned: mean(turned),
    found: mean(after.map((angle) => (angle < FOUND ? 1 : 0))),
    examples: EXAMPLES,
  };
}

/** From well protected to hardly at all. */
const SWEEP = [0.05, 0.2, 1, 5, 20, 50, 100, 200, 400, 800, 1600, 5000];

/** The attack's success over eps. */
export async function sweepLeakage({
  protection,
}: {
  protection: Protection;
}): Promise<LeakagePoint[]> {
  const points: LeakagePoint[] = [];
  for (const epsilon of SWEEP) {
    const { found } = await demonstrateLeakage({ epsilon, protection });
    points.push({ epsilon, found });
  }
  return points;
}

/** Trials in each of two worlds: enough to prove a tenth of what is lost at eps 0.1. */
const TRIALS = 4000;

/**
 * Plays the mechanism in two worlds, with and without one task, and counts how often the release
 * rules one of them out.
 */
export async function demonstrateCertainty({
  epsilon,
  protection,
}: Work["certainty"]["job"]): Promise<CertaintyOutcome> {
  const report = await audit({
    mechanism: protection === "paper" ? "wishart" : "two-sided-wishart",
    adjacency: "zero-out",
    dimension: SIZE.features,
    tasks: SIZE.tasks,
    epsilon,
    delta: 0,
    trials: TRIALS,
  });
  return {
    epsilon,
    trials: TRIALS,
    confidence: report.confidence,
    verdict: report.verdict,
    provenDelta: report.proven.delta,
    claimedDelta: report.claim.delta,
  };
}
