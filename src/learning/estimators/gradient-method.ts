/**
 * Algorithms 2, 3 and 4: private rounds of projection and accelerated gradient steps.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted-model.js";
import { fixedMomentum } from "../local/momentum.js";
import type { Projection } from "../local/projection.js";
import { ProximalGradient } from "../local/proximal-gradient.js";
import type { LocalPenalty, MakePenalty } from "../penalties/penalty.js";
import type { ResidentTasks } from "../resident-tasks.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { placeTasks, type FitOptions } from "./estimator.js";
import { partsOf } from "./parts.js";
import { initialModels } from "./initial-models.js";
import {
  checkFeatureBound,
  privateSmoothness,
  resolveDelta,
  resolveSchedule,
  type GradientMethodOptions,
} from "./private-options.js";
import { PrivateRounds } from "./private-rounds.js";
import { runPrivate } from "./run-private.js";
import { refuseWarmStart } from "./warm-start.js";

/** What tells one such method from another. */
export interface GradientMethod {
  readonly method: string;
  /** f of Algorithm 1, from the threshold eta lambda. */
  rule(threshold: number): SharingRule;
  /** How a task applies the message. */
  projection(core: Core, m: number, d: number): Projection;
  /** Algorithm 4's second part Q, which never leaves its task. */
  readonly local?: MakePenalty<LocalPenalty>;
  /** Whether Q starts where P does (the papers) or at zero (default). */
  readonly localStartsAtInitial?: boolean;
}

/** Runs T private rounds and returns the models w^(T). */
export async function fitGradientMethod(
  { method, rule: makeRule, projection, local, localStartsAtInitial = false }: GradientMethod,
  options: GradientMethodOptions,
  data: TaskSet,
  hooks: FitOptions,
): Promise<FittedModel> {
  refuseWarmStart(method, hooks);
  checkFeatureBound(data, options.featureBound);
  const placed = placeTasks(data, options);
  const { tasks } = placed;
  const { m, d, core } = tasks;
  // The gradient in (P, Q) jointly is twice as steep.
  const parts = local ? 2 : 1;
  const smoothness = parts * privateSmoothness(options, data);
  const step = typeof options.stepSize === "number" ? options.stepSize : 1 / smoothness;
  const rule = makeRule(step * options.lambda);
  const privacy = new PrivateRounds(options, {
    core,
    statistic: rule.statistic as "covariance" | "diagonal",
    m,
    d,
    clip: options.clip,
    rounds: options.rounds,
    schedule: resolveSchedule(options, resolveDelta(options.delta, m), smoothness),
    shift: options.shift,
    journal: hooks.journal,
  });
  const initial = initialModels(tasks, options);
  const steps =
    options.stepSize === "own" ? ownSteps(tasks, options, parts) : new Float64Array(m).fill(step);
  const participants = new ProximalGradient(tasks, {
    clip: options.clip,
    clipIterate: options.clipIterate,
    steps,
    strongConvexity: options.strongConvexity,
    momentum: fixedMomentum(options.acceleration, options.strongConvexity, smoothness),
    projection: projection(core, m, d),
    localPart: local?.({ core, m, d, steps }).projection,
    initial: initial.weights,
    initialLocal: localStartsAtInitial ? initial.weights : undefined,
    initialIntercepts: initial.intercepts,
  });
  return runPrivate({
    method,
    options,
    data,
    placed,
    participants,
    rule,
    privacy,
    rounds: options.rounds,
    clip: options.clip,
    hooks,
    ...(local ? { components: () => partsOf(participants, core) } : {}),
  });
}

/** 1 / (L_i + mu) / parts, L_i measured by task i on its own rows, used in its own step only. */
function ownSteps(
  tasks: ResidentTasks,
  { strongConvexity }: GradientMethodOptions,
  parts: number,
): Float64Array {
  return tasks.smoothness().map((own) => (own > 0 ? 1 / (parts * (own + strongConvexity)) : 0));
}
