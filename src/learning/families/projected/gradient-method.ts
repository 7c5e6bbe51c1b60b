/**
 * Algorithms 2, 3 and 4: private rounds of projection and accelerated gradient steps.
 * @module
 */
import { planSelection } from "../../local-selection/selection-plan.js";
import { Curator } from "../../round/curator.js";
import type { CuratorContext, CuratorHalf, CuratorStage, Halves } from "../../round/halves.js";
import { voteMechanism, voteStage } from "../../release/ballot.js";
import { publicStep, type GradientMethod } from "./gradient-steppers.js";
import {
  resolveDelta,
  resolveSchedule,
  type GradientMethodOptions,
} from "../../options/private-options.js";
import { PrivateRounds } from "../../release/private-rounds.js";
import { gradientParticipants } from "./participants.js";

/** The halves of such a method. */
export function gradientHalves(definition: GradientMethod, options: GradientMethodOptions): Halves {
  return {
    participants: (context) => gradientParticipants(definition, options, context),
    curator: (context) => gradientCurator(definition, options, context),
  };
}

/** T private rounds of the statistic and its rule. */
function gradientCurator(
  definition: GradientMethod,
  options: GradientMethodOptions,
  context: CuratorContext,
): CuratorHalf {
  const { core, sizes, journal, observe, shares } = context;
  const { m, d } = sizes;
  const { clip, rounds } = options;
  const { smoothness, step } = publicStep(definition, options, sizes);
  const rule = definition.rule(step * options.lambda);
  const statistic = rule.statistic as "covariance" | "diagonal";
  const { pooled, distances } = planSelection(options, { fallback: options.safeguard });
  const ballot = pooled
    ? voteMechanism(options, statistic, m, distances.length, shares)
    : undefined;
  const privacy = new PrivateRounds(options, {
    core,
    statistic,
    m,
    d,
    clip,
    rounds,
    schedule: resolveSchedule(options, resolveDelta(options.delta, m), smoothness),
    shift: options.shift,
    journal,
    shares,
    ...(ballot ? { last: { mechanism: ballot, share: options.choiceShare, label: "choice" } } : {}),
  });
  const curator = new Curator({ core, m, d, rule, privacy, observe });
  const stages: CuratorStage[] = [{ rounds, d, clip, mechanism: privacy.mechanism, curator }];
  if (ballot)
    stages.push(voteStage(context, privacy, ballot, { distances, guarded: options.safeguard }));
  return {
    stages,
    ledger: privacy.ledger,
    start: null,
    entry: ({ round, rank = 0 }) => ({ round, rank, noiseScale: privacy.noiseScale(round) }),
    guarantee: (notCharged) => privacy.guarantee(notCharged),
    close: () => privacy.close(),
  };
}
