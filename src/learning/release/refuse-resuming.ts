/**
 * Which fits cannot have a journal: those of which a part is not among the releases that it keeps, so that a resumed fit would draw
 * it again and answer twice for one charge.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TrustOptions } from "../options/curator-trust.js";
import type { ReleasePlan } from "../round/release-plan.js";

/** @throws OptionError if a fit of these options and this plan cannot be gone on with. */
export function refuseResuming({ curator }: Partial<TrustOptions>, plan: ReleasePlan): void {
  if (curator === "untrusted") {
    throw new OptionError(
      "journal: a resumed fit would share again what an untrusted curator saw; start afresh",
    );
  }
  if (plan.own) {
    throw new OptionError(
      'journal: with ownModel "noisy" every task\'s own noise is not among its releases, so a resumed fit would draw it again ' +
        "and make a second model for one charge; fit without a journal",
    );
  }
  if (plan.stages.some(({ sampling }) => sampling.kind === "allocation")) {
    throw new OptionError(
      "journal: with sampling allocation a resumed fit would draw the tasks' rounds again, and a task could take part in more than " +
        "was charged; fit without a journal",
    );
  }
}
