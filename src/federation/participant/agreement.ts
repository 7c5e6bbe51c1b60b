/**
 * What a participant holds a plan to before anything is uploaded.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { Agreed, StoredState } from "./participant-records.js";
import type { ParticipantOptions } from "./participant-events.js";
import { parsePlan } from "../protocol/plan.js";
import { canonicalPlan, planHash } from "../protocol/plan-hash.js";
import { randomBytesFrom } from "../secure-aggregation/random-bytes.js";
import { SumAttempts } from "../secure-aggregation/sum-attempts.js";
import type { Plan } from "../protocol/plan-form.js";

/** A plan that may be agreed to. */
export interface OfferedPlan {
  readonly plan: Plan;
  readonly hash: string;
}

/**
 * Reads the plan a curator offers.
 *
 * @param joined what an earlier process of this participant agreed to.
 * @throws OptionError if it is not the one agreed on, of another run or session, or needs a store that
 *   is not there.
 */
export function considerPlan(
  { text, session }: { readonly text: string; readonly session: string },
  { agreed, run, records }: Pick<ParticipantOptions, "agreed" | "run" | "records">,
  joined: Agreed | undefined,
): OfferedPlan {
  const plan = parsePlan(text);
  const hash = planHash(plan);
  if (canonicalPlan(plan) !== text) {
    throw new OptionError("plan: its text is not that of this version's options; use one version");
  }
  if (plan.run !== run) throw new OptionError("plan: it is of another run");
  if (agreed !== undefined && agreed !== hash) {
    throw new OptionError(
      `plan: the curator's plan has the hash ${hash}, agreed was ${agreed}; nothing was uploaded`,
    );
  }
  if (joined && joined.session !== session) {
    throw new OptionError(
      "plan: this run was joined before in another session; joining a second one would spend the " +
        "budget on the same data twice. Use a new run, with a budget that covers both.",
    );
  }
  if (joined && joined.plan !== hash) {
    throw new OptionError(
      `plan: agreed to before was the hash ${joined.plan}, and under the same session the curator now offers ` +
        `${hash}; nothing was shared. A plan does not change in a session: ask the curator why it did`,
    );
  }
  if (plan.options["curator"] === "untrusted" && !records) {
    throw new OptionError(
      "curator: against an untrusted curator noise must not be drawn twice; give the participant a store",
    );
  }
  return { plan, hash };
}

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
  if (!identity || !records || !holds) {
    throw new OptionError(
      `${identity ? "store" : "identity"}: secure aggregation needs the secret of the identity in the ` +
        "plan, and a store that can `hold` a record, so that no sum is opened and no noise drawn twice",
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
