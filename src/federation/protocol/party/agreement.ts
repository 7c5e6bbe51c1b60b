/**
 * What a party holds a plan to before it agrees to it.
 * @module
 */
import { OptionError, VERSION } from "../../../core/index.js";
import type { Envelope, Message } from "../messages/messages.js";
import { parsePlan } from "../plan/plan.js";
import { canonicalPlan, planHash } from "../plan/plan-hash.js";
import type { Plan } from "../plan/plan-form.js";
import type { PartyOutput } from "./party-output.js";

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
  /** Whether it waits without end for that plan while only others are offered. */
  readonly patient?: boolean | undefined;
  /** What its store holds; undefined without one. */
  readonly records?: readonly Uint8Array[] | undefined;
}

/** A plan that may be agreed to. */
export interface OfferedPlan {
  readonly plan: Plan;
  readonly hash: string;
}

/** A curator's offer. */
export type PlanMessage = Extract<Message, { type: "plan" }>;

/** Both releases, in the words of an error. */
export const releasesInWords = (curators: string) =>
  `the curator has release ${curators} of mp-mtl, this is ${VERSION}; install the same release on both sides`;

/**
 * Says to the curator that it must do without this party, in the name of the plan that cannot be read: nothing was agreed to.
 * @param of session and plan.
 */
export function sayUnable<Status, Own>(
  output: PartyOutput<Status, Own>,
  of: Pick<Envelope, "session" | "plan">,
): void {
  const { envelope } = output;
  output.envelope = { ...envelope, session: of.session, plan: of.plan };
  output.say({ type: "unable", release: VERSION });
  output.envelope = envelope;
}

/**
 * Reads the plan a curator offers; tells it where this release cannot.
 *
 * @param joined what an earlier process of this party agreed to.
 * @throws OptionError if it cannot be read, is not the one agreed on, is of another run or session or of none, or needs a store that is not there.
 */
export function readOffer<Status, Own>(
  message: PlanMessage,
  options: Offered,
  joined: Agreed | undefined,
  output: PartyOutput<Status, Own>,
): OfferedPlan {
  let plan: Plan;
  try {
    plan = planOf(message.text);
  } catch (error) {
    sayUnable(output, message);
    if (message.release === VERSION) throw error;
    const { message: why } = error as Error;
    throw new OptionError(`${why}; ${releasesInWords(message.release)}`, { cause: error });
  }
  return considerPlan(plan, message.session, options, joined);
}

/** @throws OptionError if this release has no such plan, or writes it otherwise. */
function planOf(text: string): Plan {
  const plan = parsePlan(text);
  if (canonicalPlan(plan) !== text) {
    throw new OptionError("plan: its text is not that of this version's options");
  }
  return plan;
}

/** @throws OptionError if a plan may not be agreed to. */
function considerPlan(
  plan: Plan,
  session: string,
  { agreed, run, records }: Offered,
  joined: Agreed | undefined,
): OfferedPlan {
  const hash = planHash(plan);
  if (plan.run !== run) throw new OptionError("plan: it is of another run");
  if (session === "") {
    throw new OptionError(
      "plan: the curator names no session, by which a party knows its messages; nothing was uploaded. Tell the curator",
    );
  }
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
