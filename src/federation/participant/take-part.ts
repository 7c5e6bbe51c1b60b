/**
 * A participant's part in secure sums, once the plan is known.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { OfferedPlan } from "../protocol/party/agreement.js";
import { randomBytesFrom } from "../secure-aggregation/keys/random-bytes.js";
import { SumAttempts } from "../secure-aggregation/run/sum-attempts.js";
import type { ParticipantOptions } from "./participant-events.js";
import type { StoredState } from "./participant-records.js";

/**
 * A participant's side of the plan's secure sums; undefined where they are others.
 * @throws OptionError without the identity's secret or a store.
 */
export function takePart(
  { plan: { aggregation }, hash }: OfferedPlan,
  session: string,
  options: ParticipantOptions,
  before: Pick<StoredState, "opened" | "begun">,
): SumAttempts | undefined {
  if (aggregation?.kind !== "secure") return undefined;
  const { run, participant, identity, records, holds = true, randomBytes } = options;
  if (!identity) {
    throw new OptionError(
      "identity: sums of this plan are secure: give the secret key whose public half the plan has beside this participant's name",
    );
  }
  if (!records || !holds) {
    throw new OptionError(
      "store: secure aggregation needs a store that can `hold` a record, so that no sum is opened and no noise drawn twice",
    );
  }
  return new SumAttempts({
    planned: aggregation,
    plan: hash,
    run: `${run} ${session}`,
    participant,
    identity,
    random: randomBytes ?? randomBytesFrom({ mode: "secure" }),
    opened: before.opened,
    begun: before.begun,
  });
}
