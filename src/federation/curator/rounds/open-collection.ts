/**
 * How a plan has a round's sum collected: in the open, by relays, over secret shares, or by two aggregators.
 * @module
 */
import type { PublicSizes } from "../../../learning/round/halves.js";
import type { RandomOptions } from "../../../random/index.js";
import { planHash } from "../../protocol/plan/plan-hash.js";
import type { CuratorRecord } from "../../protocol/records.js";
import { RelayedCollection } from "../../relayed-sums/collection.js";
import { SecureCollection } from "../../secure-aggregation/run/collection.js";
import { shareOptionsOf } from "../../secure-aggregation/plan/planned.js";
import { aggregationTerms } from "../../secure-aggregation/plan/terms.js";
import { VerifiedCollection } from "../../verified-sums/run/collection.js";
import { leaderPair } from "../../verified-sums/plan/planned.js";
import { verifiedTerms } from "../../verified-sums/plan/terms.js";
import type { CuratorOutput } from "../events/curator-output.js";
import type { CuratorRounds } from "./curator-rounds.js";
import { PlainCollection } from "./plain-collection.js";
import type { Registry } from "../members/registry.js";
import type { RoundCollection } from "./round-collection.js";
import type { Samples } from "./samples.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

/** What any of them needs. */
interface CollectionOptions {
  readonly plan: Plan;
  readonly registry: Registry;
  readonly output: CuratorOutput;
  /** What earlier processes of the curator kept. */
  readonly records: readonly CuratorRecord[];
  readonly rounds: CuratorRounds;
  readonly samples: Samples;
  readonly sizes: PublicSizes;
  /** Name of the session. */
  readonly session: string;
  /** X25519 secret of the leader, where the plan has two aggregators. */
  readonly leaderKey: Uint8Array | undefined;
}

/** @throws OptionError where the plan has two aggregators, without the leader's secret key or with another one. */
export function openCollection(options: CollectionOptions): RoundCollection {
  const { plan, registry, output, records, rounds, samples, session } = options;
  const { aggregation, quorum } = plan;
  if (aggregation === null) {
    return new PlainCollection({ rounds, registry, output, samples, quorum });
  }
  if (aggregation.kind === "relays") {
    return new RelayedCollection({
      planned: aggregation,
      plan: planHash(plan),
      run: `${plan.run} ${session}`,
      rounds,
      registry,
      output,
      quorum,
    });
  }
  if (aggregation.kind === "secure") {
    return new SecureCollection({
      planned: aggregation,
      plan: planHash(plan),
      run: `${plan.run} ${session}`,
      terms: aggregationTerms(rounds.releases, shareOptionsOf(aggregation)),
      output,
      registry,
      records,
    });
  }
  return new VerifiedCollection({
    planned: aggregation,
    run: { plan: planHash(plan), run: plan.run, session, sizes: options.sizes },
    keys: leaderPair(aggregation, options.leaderKey),
    terms: verifiedTerms(rounds.releases),
    noise: plan.options["random"] as RandomOptions,
    rounds,
    registry,
    output,
    records,
    quorum,
  });
}
