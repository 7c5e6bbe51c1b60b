/**
 * The rounds of PMTL, private FedAvg and private FedProx, and the finetuning after them.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { openStream, uniforms } from "../../random/index.js";
import { splitIntercepts, withConstantColumn } from "../constant-column.js";
import { AdaptedModel } from "../differentiable/adapted-model.js";
import {
  checkDifferentiableModel,
  type DifferentiableModel,
} from "../differentiable/differentiable-model.js";
import { HiddenLayerNetwork } from "../differentiable/hidden-layer-network.js";
import { LinearModel } from "../differentiable/linear-model.js";
import { scaleOf, rowsOf, type ResidentModel } from "../differentiable/resident-model.js";
import type { FittedModel, HistoryEntry } from "../fitted-model.js";
import { FederatedSteps, type UpdateForm } from "../local/federated-steps.js";
import { finetune } from "../local/finetune.js";
import { MiniBatches } from "../local/mini-batches.js";
import { outputsOf } from "../losses.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { Curator } from "../round/curator.js";
import { Participation } from "../round/participation.js";
import { runRounds } from "../round/run.js";
import { runningMeanRule } from "../sharing/running-mean.js";
import { modelOf, placeTasks, type FitOptions } from "./estimator.js";
import type { FederatedOptions } from "./federated-options.js";
import { POOLED_FIGURES } from "./run-private.js";
import { PrivateRounds } from "./private-rounds.js";
import { refuseWarmStart } from "./warm-start.js";

/** What tells one such method from another. */
export interface FederatedMethod {
  readonly method: string;
  /** Whose model local steps start from, and whose is the result. */
  readonly start: "own" | "global";
  readonly lambda: number;
  readonly update: UpdateForm;
}

/** Stream number of the public starting point. */
const START = 2;
/** Local step size of models whose smoothness is not known. */
const DEFAULT_STEP = 0.1;

/** Runs T private rounds, finetunes, and returns every task's model. */
export async function fitFederated(
  definition: FederatedMethod,
  options: FederatedOptions,
  data: TaskSet,
  hooks: FitOptions,
): Promise<FittedModel> {
  const { method, start, lambda, update } = definition;
  const { signal, onRound, notCharged = [] } = hooks;
  refuseWarmStart(method, hooks);
  const placed = placeTasks(options.intercept ? withConstantColumn(data) : data, {
    ...options,
    intercept: false,
  });
  const { tasks, classes } = placed;
  const { m, core } = tasks;
  const outputs = outputsOf(options.loss, classes);
  const architecture = architectureOf(options, tasks.d, outputs);
  const batch = options.batchSize === "full" ? 1 : options.batchSize;
  const model: ResidentModel = architecture
    ? new AdaptedModel(tasks, architecture, batch)
    : new LinearModel(tasks, outputs);
  const own = options.intercept ? outputs : 0;
  const shared = model.parameters - own;
  const participation = new Participation(core, options.sampling, m, options.random);
  const batches =
    options.batchSize === "full"
      ? undefined
      : new MiniBatches(tasks, options.batchSize, options.random);
  let privacy: PrivateRounds | undefined;
  try {
    const releases = (privacy = new PrivateRounds(options, {
      core,
      statistic: "vector",
      m,
      d: shared,
      clip: options.clip,
      rounds: options.rounds,
      schedule: options.schedule,
      shift: 0,
      sampling: options.sampling,
      journal: hooks.journal,
    }));
    const initial = startingPoint(tasks, architecture, model.parameters, options);
    const rule = runningMeanRule({
      initial: initial.subarray(0, shared),
      divisor: participation.divisor,
      stepSize: options.serverStepSize,
    });
    const curator = new Curator({ core, m, d: shared, rule, privacy, observe: hooks.observe });
    const participants = new FederatedSteps(model, {
      shared,
      start,
      lambda,
      localSteps: options.localSteps,
      batches,
      steps: localSteps(tasks, options, architecture !== null, lambda),
      clip: options.clip,
      update,
      participation,
      initial,
    });
    const history: HistoryEntry[] = [];
    const rounds = await runRounds({
      participants,
      curator,
      rounds: options.rounds,
      signal,
      onRound: (report) => {
        const { round, movement = 0 } = report;
        const noiseScale = releases.noiseScale(round) / participation.divisor;
        history.push({ round, movement, noiseScale, epsilon: releases.ledger.spent().epsilon });
        onRound?.(report);
      },
    });
    const { models, global } = participants;
    if (options.finetune) {
      await finetune({ model, shared, models, global, options: options.finetune, signal });
    }
    return modelOf(
      data,
      classes,
      {
        ...splitIntercepts(core.arena.view(models, m * model.parameters).slice(), m, own),
        architecture,
      },
      {
        method,
        options,
        guarantee: releases.guarantee([...POOLED_FIGURES, ...notCharged]),
        ledger: releases.ledger,
        certificate: null,
        rounds,
        history,
        objective: sumOfLosses(model, models),
        components: {
          shared: { shape: [shared], data: core.arena.view(global, shared).slice() },
        },
      },
    );
  } finally {
    privacy?.close();
    participation.close();
    batches?.close();
  }
}

/** The network, or the caller's model, held to the data; null for the linear model. */
function architectureOf(
  options: FederatedOptions,
  features: number,
  outputs: number,
): DifferentiableModel | null {
  const { model, hiddenUnits, activation, loss } = options;
  if (model === "linear") return null;
  return model === "network"
    ? new HiddenLayerNetwork({ features, hiddenUnits, outputs, activation, loss })
    : checkDifferentiableModel(model, features, outputs);
}

/** w(0): zeros, or what the architecture says, from numbers that no data enters. */
function startingPoint(
  { core }: ResidentTasks,
  architecture: DifferentiableModel | null,
  size: number,
  { random }: FederatedOptions,
): Float64Array {
  if (!architecture) return new Float64Array(size);
  const stream = openStream(core, random, START);
  try {
    const initial = architecture.initial(() => uniforms(stream, 1)[0]!);
    if (initial.length === size) return Float64Array.from(initial);
    throw new RangeError(
      `model.initial: expected ${size} parameters, ${JSON.stringify(architecture.name)} gave ` +
        `${initial.length}`,
    );
  } finally {
    stream.close();
  }
}

/** eta_k of every task: as given, or by its own smoothness. */
function localSteps(
  tasks: ResidentTasks,
  { stepSize, localSteps: local }: FederatedOptions,
  nonlinear: boolean,
  lambda: number,
): Float64Array {
  const steps = new Float64Array(tasks.m);
  if (stepSize !== "auto") return steps.fill(stepSize);
  if (local === "solve") return steps;
  if (nonlinear) {
    return steps.map((_, i) => DEFAULT_STEP / (scaleOf(tasks, i) * rowsOf(tasks, i).n));
  }
  const smoothness = tasks.smoothness();
  return steps.map((_, i) => (smoothness[i]! + lambda > 0 ? 1 / (smoothness[i]! + lambda) : 1));
}

function sumOfLosses(model: ResidentModel, models: number): number {
  const { core, m } = model.tasks;
  const gradient = core.arena.f64(model.parameters);
  let sum = 0;
  for (let i = 0; i < m; i++) {
    sum += model.valueAndGradient(i, models + 8 * i * model.parameters, gradient);
  }
  return sum;
}
