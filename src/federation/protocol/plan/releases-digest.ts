/**
 * What a run will release, as one number: curator and participants compare theirs at the start, so that a release of this package
 * which reads a plan otherwise takes no part in it, whatever it says of its version.
 * @module
 */
import type { ReleasePlan } from "../../../learning/round/release-plan.js";
import { canonicalJson, textHash } from "./plan-hash.js";

/** SHA-256 of all stages: what is summed, in which rounds, bounded by what, under which noise. */
export function releasesDigest({ stages }: ReleasePlan): string {
  const told = stages.map(({ mechanism, budgets, events: _, label = "", ...stage }) => ({
    ...stage,
    label,
    mechanism: mechanism.name,
    budgets: [...budgets],
    // Releases that drew every set of rounds as likely said nothing.
    ...(stage.sampling.kind === "allocation" ? { draw: "blocks" } : {}),
  }));
  return textHash(canonicalJson(told));
}
