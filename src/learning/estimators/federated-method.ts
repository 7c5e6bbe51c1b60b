/**
 * PMTL, private FedAvg and private FedProx, and the finetuning after them: the two halves.
 * @module
 */
import type { Core } from "../../core/index.js";
import { openStream, uniforms } from "../../random/index.js";
import { joinIntercepts, splitIntercepts, withConstantColumn } from "../constant-column.js";
import { AdaptedModel } from "../differentiable/adapted-model.js";
import {
  checkDifferentiableModel,
  type DifferentiableModel,
} from "../differentiable/differentiable-model.js";
import { HiddenLayerNetwork } from "../differentiable/hidden-layer-network.js";
import { LinearModel } from "../differentiable/linear-model.js";
import { scaleOf, rowsOf, type ResidentModel } from "../differentiable/resident-model.js";
import { modelsAlone } from "../local/alone.js";
import { FederatedSteps, type UpdateForm } from "../local/federated-steps.js";
import { finetuning } from "../local/finetune.js";
import { replayOnFolds } from "../local/fold-replay.js";
import { KeptMessages } from "../local/kept-messages.js";
import { MiniBatches } from "../local/mini-batches.js";
import { betterAlone } from "../local/prior-choice.js";
import type { LocalModels } from "../local/ridge.js";
import { outputsOf } from "../losses.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { Curator } from "../round/curator.js";
import type {
  CuratorContext,
  CuratorHalf,
  Halves,
  ParticipantContext,
  ParticipantHalf,
} from "../round/halves.js";
import { Participation } from "../round/participation.js";
import { inTurns } from "../round/run.js";
import { runningMeanRule } from "../sharing/running-mean.js";
import { placeTasks } from "./estimator.js";
import { isGuarded, type FederatedOptions } from "./federated-options.js";
import { PrivateRounds } from "./private-rounds.js";

/** What tells one such method from another. */
export interface FederatedMethod {
  /** Whose model local steps start from, and whose is the result. */
  readonly start: "own" | "global";
  readonly lambda: number;
  readonly update: UpdateForm;
}

/** Stream number of the public starting point. */
const START = 2;
/** Local step size of models whose smoothness is not known. */
const DEFAULT_STEP = 0.1;

/** The halves of such a method. */
export function federatedHalves(definition: FederatedMethod, options: FederatedOptions): Halves {
  return {
    participants: (context) => federatedParticipants(definition, options, context),
    curator: (context) => federatedCurator(options, context),
  };
}

/** T private rounds of the mean update, over a sample of the tasks where one is asked for. */
function federatedCurator(
  options: FederatedOptions,
  { core, sizes, outputs, journal, observe, shares }: CuratorContext,
): CuratorHalf {
  const { m, d: features } = sizes;
  const { clip, rounds, sampling } = options;
  const architecture = architectureOf(options, features, outputs);
  const d = architecture?.parameters ?? features * outputs;
  const participation = new Participation(core, sampling, m, options.random);
  let privacy: PrivateRounds | undefined;
  try {
    const releases = (privacy = new PrivateRounds(options, {
      core,
      statistic: "vector",
      m,
      d,
      clip,
      rounds,
      schedule: options.schedule,
      shift: 0,
      sampling,
      journal,
      shares,
    }));
    const start = architecture && startingPoint(core, architecture, options);
    const rule = runningMeanRule({
      initial: start ?? new Float64Array(d),
      divisor: participation.divisor,
      stepSize: options.serverStepSize,
    });
    const curator = new Curator({ core, m, d, rule, privacy, observe });
    const sample = () => participation.next();
    return {
      stages: [
        {
          rounds,
          d,
          clip,
          mechanism: releases.mechanism,
          curator,
          ...(sampling.kind === "all" ? {} : { sample }),
        },
      ],
      ledger: releases.ledger,
      start,
      entry: ({ round, movement = 0 }) => ({
        round,
        movement,
        noiseScale: releases.noiseScale(round) / participation.divisor,
        epsilon: releases.ledger.spent().epsilon,
      }),
      guarantee: (notCharged) => releases.guarantee(notCharged),
      close: () => {
        releases.close();
        participation.close();
      },
    };
  } catch (error) {
    privacy?.close();
    participation.close();
    throw error;
  }
}

/**
 * The tasks' local steps; what they return is every task's model, finetuned where asked, or the one
 * alone where the safeguard finds that clearly better.
 */
function federatedParticipants(
  definition: FederatedMethod,
  options: FederatedOptions,
  context: ParticipantContext,
): ParticipantHalf {
  const { core, data } = context;
  const { model, participants, own, shared, architecture, finish, close } = localWork(
    definition,
    options,
    context,
  );
  const { models, global, m } = participants;
  const { rounds } = options;
  const kept = isGuarded(options)
    ? new KeptMessages(core, participants, shared, () => undefined)
    : undefined;
  return {
    stages: [kept ?? participants],
    rounds: [rounds],
    messageLengths: [shared],
    finish: async (signal) => {
      if (finish) await inTurns(finish(), signal);
      if (!kept) return;
      const alone = modelsAlone(placeAlone(options, context), "auto");
      const replay = replayOnFolds(model.tasks, data, kept, [rounds], (batch) => {
        const positions = Array.from(batch.owners, (task) => context.positions[task]!);
        const fold = { ...context, data: batch.data, positions };
        const work = localWork(definition, options, fold);
        const own = alone.onFolds(batch, () => placeAlone(options, fold));
        return {
          ...work,
          participants: Object.assign(work.participants, {
            weights: work.participants.models,
            intercepts: 0,
          }),
          alone: { weights: parametersOf(options, own), intercepts: own.intercepts },
        };
      });
      const losses = await inTurns(replay, signal);
      const keep = betterAlone(data.offsets, losses.shared[0]!, losses.alone);
      const parameters = parametersOf(options, alone);
      const into = core.arena.view(models, parameters.length);
      const size = model.parameters;
      for (let i = 0; i < m; i++) {
        if (keep[i] === 1) into.set(parameters.subarray(i * size, (i + 1) * size), i * size);
      }
    },
    models: () => ({
      ...splitIntercepts(core.arena.view(models, m * model.parameters).slice(), m, own),
      architecture,
      components: { shared: { shape: [shared], data: core.arena.view(global, shared).slice() } },
    }),
    objective: () => sumOfLosses(model, models),
    close,
  };
}

/** Tasks at their start, and what they do after the last message. */
function localWork(
  { start, lambda, update }: FederatedMethod,
  options: FederatedOptions,
  { core, data, sizes, positions, classes, start: given }: ParticipantContext,
) {
  const outputs = outputsOf(options.loss, classes);
  const { tasks } = placeTasks(
    options.intercept ? withConstantColumn(data) : data,
    { ...options, intercept: false },
    { core, classes, sizes },
  );
  const architecture = architectureOf(options, tasks.d, outputs);
  const batch = options.batchSize === "full" ? 1 : options.batchSize;
  const model: ResidentModel = architecture
    ? new AdaptedModel(tasks, architecture, batch)
    : new LinearModel(tasks, outputs);
  const own = options.intercept ? outputs : 0;
  const shared = model.parameters - own;
  const initial = new Float64Array(model.parameters);
  if (given) initial.set(given);
  const steps = localSteps(tasks, options, architecture !== null, lambda);
  const batches =
    options.batchSize === "full"
      ? undefined
      : new MiniBatches(tasks, options.batchSize, options.random, positions);
  const participants = new FederatedSteps(model, {
    shared,
    start,
    lambda,
    localSteps: options.localSteps,
    batches,
    steps,
    clip: options.clip,
    update,
    initial,
  });
  const { models, global } = participants;
  const { finetune } = options;
  return {
    model,
    participants,
    own,
    shared,
    architecture,
    finish: finetune
      ? () => finetuning({ model, shared, models, global, options: finetune })
      : undefined,
    close: () => batches?.close(),
  };
}

/** The tasks as they are alone: intercepts beside the features, not among them. */
function placeAlone(
  options: FederatedOptions,
  { core, data, sizes, classes }: ParticipantContext,
): ResidentTasks {
  return placeTasks(data, options, { core, classes, sizes }).tasks;
}

/** Models alone as the linear model has its parameters. */
function parametersOf(
  { intercept }: FederatedOptions,
  { weights, intercepts }: LocalModels,
): Float64Array {
  return intercept ? joinIntercepts(weights, intercepts) : weights;
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

/** w(0) as the architecture says, from numbers that no data enters. */
function startingPoint(
  core: Core,
  architecture: DifferentiableModel,
  { random }: FederatedOptions,
): Float64Array {
  const size = architecture.parameters;
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
