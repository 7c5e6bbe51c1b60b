/**
 * PMTL, private FedAvg and private FedProx, and the finetuning after them: the two halves.
 * @module
 */
import type { Core } from "../../../core/index.js";
import { openStream, uniforms } from "../../../random/index.js";
import { splitIntercepts } from "../../tasks/constant-column.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import type { ResidentModel } from "../../models/resident-model.js";
import { ballotOf, candidatesOf } from "../../local-selection/candidates.js";
import { Curator } from "../../round/curator.js";
import type {
  CuratorContext,
  CuratorHalf,
  CuratorStage,
  Halves,
  ParticipantContext,
  ParticipantHalf,
} from "../../round/halves.js";
import { Participation } from "../../round/participation.js";
import { inTurns } from "../../round/run.js";
import { runningMeanRule } from "./running-mean.js";
import { voteMechanism, voteStage } from "../../release/ballot.js";
import { FederatedHindsight } from "./federated-hindsight.js";
import { isGuarded, type FederatedOptions } from "./federated-options.js";
import { architectureOf, hasStrength, localWork, type FederatedMethod } from "./federated-work.js";
import { PrivateRounds } from "../../release/private-rounds.js";

/** Stream number of the public starting point, beyond those of the rounds' noise. */
const START = 2 ** 50 + 1;

/** The halves of such a method. */
export function federatedHalves(definition: FederatedMethod, options: FederatedOptions): Halves {
  return {
    participants: (context) => federatedParticipants(definition, options, context),
    curator: (context) => federatedCurator(definition, options, context),
  };
}

/** What tasks may choose among, and whether they choose together: the same for all, from the options. */
function choiceOf(definition: FederatedMethod, options: FederatedOptions) {
  const candidates = candidatesOf(options.rounds, hasStrength(definition, options));
  return {
    candidates,
    pooled: options.choice === "pooled" && (candidates.length > 1 || isGuarded(options)),
  };
}

/** T private rounds of the mean update, over a sample of the tasks where one is asked for. */
function federatedCurator(
  definition: FederatedMethod,
  options: FederatedOptions,
  context: CuratorContext,
): CuratorHalf {
  const { core, sizes, outputs, journal, observe, shares } = context;
  const { m, d: features } = sizes;
  const { clip, rounds, sampling } = options;
  const architecture = architectureOf(options, features, outputs);
  const d = architecture?.parameters ?? features * outputs;
  const { candidates, pooled } = choiceOf(definition, options);
  const distances = ballotOf(candidates, isGuarded(options));
  const ballot = pooled ? voteMechanism(options, "vector", m, distances.length, shares) : undefined;
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
      ...(ballot
        ? { last: { mechanism: ballot, share: options.choiceShare, label: "choice" } }
        : {}),
    }));
    const start = architecture && startingPoint(core, architecture, options);
    const rule = runningMeanRule({
      initial: start ?? new Float64Array(d),
      divisor: participation.divisor,
      stepSize: options.serverStepSize,
    });
    const curator = new Curator({ core, m, d, rule, privacy, observe });
    const sample = () => participation.next();
    const stages: CuratorStage[] = [
      {
        rounds,
        d,
        clip,
        mechanism: releases.mechanism,
        curator,
        ...(sampling.kind === "all" ? {} : { sample }),
      },
    ];
    if (ballot)
      stages.push(voteStage(context, releases, ballot, { distances, guarded: isGuarded(options) }));
    return {
      stages,
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
 * The tasks' local steps; what they return is every task's model, finetuned where asked, what it
 * chose of all rounds, or the one alone where the safeguard finds that clearly better.
 */
function federatedParticipants(
  definition: FederatedMethod,
  options: FederatedOptions,
  context: ParticipantContext,
): ParticipantHalf {
  const { core } = context;
  const work = localWork(definition, options, context);
  const { model, participants, shared, architecture } = work;
  const { models, global, m } = participants;
  const { rounds } = options;
  const back =
    isGuarded(options) || options.choice !== "last"
      ? new FederatedHindsight(
          definition,
          { options, context, work },
          choiceOf(definition, options),
        )
      : undefined;
  const vote = back?.vote;
  return {
    stages: [back?.kept ?? participants, ...(vote ? [vote] : [])],
    rounds: [rounds, 1].slice(0, vote ? 2 : 1),
    messageLengths: [shared, 1].slice(0, vote ? 2 : 1),
    finish: (signal) => (back ? back.finish(signal) : inTurns(work.finish(), signal)),
    models: () => ({
      ...splitIntercepts(
        core.arena.view(models, m * model.parameters).slice(),
        m,
        model.parameters - shared,
      ),
      architecture,
      components: { shared: { shape: [shared], data: core.arena.view(global, shared).slice() } },
    }),
    objective: () => sumOfLosses(model, models),
    close: work.close,
  };
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

function sumOfLosses(model: ResidentModel, models: number): number {
  const { core, m } = model.tasks;
  const gradient = core.arena.f64(model.parameters);
  let sum = 0;
  for (let i = 0; i < m; i++) {
    sum += model.valueAndGradient(i, models + 8 * i * model.parameters, gradient);
  }
  return sum;
}
