/**
 * PMTL, private FedAvg and private FedProx, and the finetuning after them: the two halves.
 * @module
 */
import type { Core } from "../../../core/index.js";
import { openStream, uniforms } from "../../../random/index.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import { Curator } from "../../round/curator.js";
import type { CuratorContext, CuratorHalf, CuratorStage, Halves } from "../../round/halves.js";
import { Participation } from "../../round/participation.js";
import { runningMeanRule } from "./running-mean.js";
import { voteMechanism, voteStage } from "../../release/ballot.js";
import type { FederatedOptions } from "./federated-options.js";
import { architectureOf, type FederatedMethod } from "./federated-work.js";
import { PrivateRounds } from "../../release/private-rounds.js";
import { federatedParticipants } from "./participants.js";
import { selectionPlan } from "./selection.js";

/** Stream number of the public starting point, beyond those of the rounds' noise. */
const START = 2 ** 50 + 1;

/** The halves of such a method. */
export function federatedHalves(definition: FederatedMethod, options: FederatedOptions): Halves {
  return {
    participants: (context) => federatedParticipants(definition, options, context),
    curator: (context) => federatedCurator(definition, options, context),
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
  const { pooled, distances, fallback } = selectionPlan(definition, options);
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
    if (ballot) stages.push(voteStage(context, releases, ballot, { distances, guarded: fallback }));
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
