/**
 * Share a prior, solve at home: the two halves of the methods whose message is a prior.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { Mechanism } from "../../../privacy/index.js";
import { Curator } from "../../round/curator.js";
import type {
  CuratorContext,
  CuratorHalf,
  CuratorStage,
  Halves,
  PublicSizes,
} from "../../round/halves.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import { voteStage } from "../../release/ballot.js";
import { planBallot } from "./prior-ballot.js";
import { priorParticipants } from "./participants.js";
import { EQUAL_ROUNDS, type PriorMethodOptions } from "./prior-options.js";
import { PrivateRounds } from "../../release/private-rounds.js";

/** What tells one such method from another. */
export interface PriorMethod {
  readonly statistic: Mechanism["statistic"];
  /** K, the norm of what is shared. */
  readonly clip: number;
  /** Whether tasks solve around the message's center. */
  readonly centered: boolean;
  /** Whether later rounds share in the coordinates of the prior before. */
  readonly refined: boolean;
  /** T for `rounds: "auto"`, from public sizes. */
  rounds(m: number, d: number): number;
  /** f of Algorithm 1 for d features; the noise is known when the rounds are planned. */
  rule(privacy: PrivateRounds, d: number): SharingRule;
}

/** The halves of such a method. */
export function priorHalves(definition: PriorMethod, options: PriorMethodOptions): Halves {
  return {
    participants: (context) => priorParticipants(definition, options, context),
    curator: (context) => priorCurator(definition, options, context),
  };
}

/** T, the same for curator and tasks. */
export function roundsOf(
  definition: PriorMethod,
  { rounds, curator }: PriorMethodOptions,
  { m, d }: PublicSizes,
): number {
  if (rounds !== "auto") return rounds;
  // Record noise grows with every round.
  return curator === "untrusted" ? 1 : definition.rounds(m, d);
}

/** The rounds, and the pooled choice after them where there is one. */
function priorCurator(
  definition: PriorMethod,
  options: PriorMethodOptions,
  context: CuratorContext,
): CuratorHalf {
  const { core, sizes, journal, observe, shares } = context;
  const { m, d } = sizes;
  const { statistic, clip } = definition;
  const rounds = roundsOf(definition, options, sizes);
  const ballot = planBallot(options, statistic, m, shares);
  const privacy = new PrivateRounds(options, {
    core,
    statistic,
    m,
    d,
    clip,
    rounds,
    schedule: EQUAL_ROUNDS,
    shift: 0,
    journal,
    shares,
    ...(ballot ? { last: { ...ballot, label: "choice" } } : {}),
  });
  const rule = definition.rule(privacy, d);
  const curator = new Curator({ core, m, d, rule, privacy, observe });
  const stages: CuratorStage[] = [{ rounds, d, clip, mechanism: privacy.mechanism, curator }];
  if (ballot) {
    const { candidates, center, mechanism } = ballot;
    const distances = candidates.map((kappa) => math.log10(kappa / center));
    stages.push(voteStage(context, privacy, mechanism, { distances }));
  }
  return {
    stages,
    ledger: privacy.ledger,
    start: null,
    entry: ({ round, rank = 0 }) => ({ round, rank, noiseScale: privacy.noiseScale(round) }),
    guarantee: (notCharged) => privacy.guarantee(notCharged),
    close: () => privacy.close(),
  };
}
