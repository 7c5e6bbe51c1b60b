/**
 * The papers' model-leakage experiment: what one round tells the others of an outlying model.
 * @module
 */
import {
  closeCore,
  finiteArray,
  integer,
  nonNegative,
  object,
  openCore,
  positive,
} from "../../core/index.js";
import { norm } from "../../linalg/norm.js";
import type { Adjacency, Guarantee, MechanismName } from "../../privacy/index.js";
import type { RandomOptions } from "../../random/index.js";
import { planReleases } from "../release/plan-releases.js";
import { PrivateReleases } from "../release/private-releases.js";
import { matrixProjection } from "../steps/projection.js";
import { Curator } from "../round/curator.js";
import type { Participants } from "../round/participants.js";
import { runRounds } from "../round/run.js";
import { lowRankRule } from "../sharing/low-rank.js";

/** Options of {@link measureLeakage}. */
export interface MeasureLeakageOptions {
  /** Models before the round, [m, d]; the last task's is the one that leaks. */
  readonly weights: Float64Array;
  /** m >= 2. */
  readonly tasks: number;
  /** K > 0. */
  readonly clip: number;
  /** eta lambda, the threshold on singular values, >= 0; default 50, the papers'. */
  readonly lambda?: number;
  /** eps of the round, > 0; of the papers' mechanism nominal. */
  readonly epsilon: number;
  /** Default 0. */
  readonly delta?: number;
  /** Default "auto", which is sound; the papers' is "wishart". */
  readonly mechanism?: MechanismName | "auto";
  /** Default "replace". */
  readonly adjacency?: Adjacency;
  /** Default secure. */
  readonly random?: RandomOptions;
}

/** What the round did to the other tasks' models. */
export interface Leakage {
  /** Models after the round, [m, d]. */
  readonly weights: Float64Array;
  /** |cos| of the angle between each other task's model and the last task's before the round, [m - 1]. */
  readonly before: Float64Array;
  /** The same angles after the round, [m - 1]. */
  readonly after: Float64Array;
  /** |cos| of the angle between each other task's model before and after the round, [m - 1]. */
  readonly kept: Float64Array;
  /** What the round's noise promises. */
  readonly guarantee: Guarantee;
}

function cosines(a: Float64Array, b: (i: number) => Float64Array, m: number): Float64Array {
  const d = a.length / m;
  return Float64Array.from({ length: m - 1 }, (_, i) => {
    const [v, w] = [a.subarray(i * d, (i + 1) * d), b(i)];
    // Each by its own norm: products of large or small models are no numbers, or zero.
    const [long, wide] = [norm(v) || 1, norm(w) || 1];
    return Math.abs(v.reduce((sum, e, j) => sum + (e / long) * (w[j]! / wide), 0));
  });
}

/**
 * One round of Algorithm 2 without data: clip, release, project. With hardly any noise (the papers'
 * eps 1e40) a large model is the only direction that passes and every other model turns into a
 * multiple of it; at eps 0.1 the projection is near the identity and each keeps its own direction.
 *
 * @throws RangeError naming the option.
 * @see Liang et al., the figure on model leakage; `simulateLeakage` makes its models.
 */
export async function measureLeakage(options: MeasureLeakageOptions): Promise<Leakage> {
  object("options", options);
  const m = integer("tasks", options.tasks, 2);
  const d = integer("weights.length / tasks", options.weights.length / m, 1);
  const before = finiteArray("weights", options.weights, m * d);
  const clip = positive("clip", options.clip);
  const { delta = 0, mechanism = "auto", adjacency = "replace" } = options;
  const { epsilon, random = { mode: "secure" } } = options;
  const core = openCore();
  const { arena, kernels } = core;
  const rule = lowRankRule(nonNegative("lambda", options.lambda ?? 50));
  const plan = planReleases({
    options: { epsilon, delta, adjacency, mechanism, random, noise: "auto" },
    tasks: m,
    stages: [{ statistic: "covariance", m, d, clip, rounds: 1, shift: "auto" }],
  });
  const releases = new PrivateReleases(plan, { core, random });
  try {
    const models = arena.copyOf(before);
    const shared = arena.f64(m * d);
    const after = arena.f64(m * d);
    const project = matrixProjection(core, m, d);
    const participants: Participants = {
      m,
      uploadLength: d,
      upload: () => {
        kernels.clipRows(models, shared, m, d, clip);
        return shared;
      },
      receive: (broadcast) => {
        project(broadcast, shared, after);
      },
    };
    const curator = new Curator({ core, m, d, rule, privacy: releases.stages[0] });
    await runRounds({ participants, curator, rounds: 1 });
    const weights = arena.view(after, m * d).slice();
    const last = before.slice((m - 1) * d);
    return {
      weights,
      before: cosines(before, () => last, m),
      after: cosines(weights, () => last, m),
      kept: cosines(weights, (i) => before.subarray(i * d, (i + 1) * d), m),
      guarantee: releases.guarantee([]),
    };
  } finally {
    releases.close();
    closeCore(core);
  }
}
