/**
 * What a party holds a plan to before it agrees to it.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { parsePlan } from "./plan.js";
import { canonicalPlan, planHash } from "./plan-hash.js";
import type { Plan } from "./plan-form.js";

/** Consent: the session that was joined, and the hash of the plan that was agreed to. */
export interface Agreed {
  readonly session: string;
  readonly plan: string;
}

/** Who is offered a plan. */
export interface Offered {
  readonly run: string;
  /** Hash of the plan agreed on beforehand. */
  readonly agreed?: string | undefined;
  /** What its store holds; undefined without one. */
  readonly records?: readonly Uint8Array[] | undefined;
}

/** A plan that may be agreed to. */
export interface OfferedPlan {
  readonly plan: Plan;
  readonly hash: string;
}

/**
 * Reads the plan a curator offers.
 *
 * @param joined what an earlier process of this party agreed to.
 * @throws OptionError if it is not the one agreed on, of another run or session, or needs a store that
 *   is not there.
 */
export function considerPlan(
  { text, session }: { readonly text: string; readonly session: string },
  { agreed, run, records }: Offered,
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
