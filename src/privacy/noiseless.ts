/**
 * Releases for which delta pays alone: without any noise they would satisfy the guarantee already.
 *
 * **Statement.** If each task takes part in each round independently with probability q_t, its data stay out of
 * all releases with probability prod (1 - q_t). So without noise the releases are (0, 1 - prod (1 - q_t))-DP under
 * zero-out, and calibration to a delta of at least that buys no noise at all. A private selection of a Poisson number of runs takes
 * part with the probability that there is a run, 1 - e^-mean.
 *
 * **Proof.** Where the task is not sampled, or nothing is run, both worlds release the same; so their total variation is at most the
 * probability that it is. QED
 *
 * That guarantee is true and worth nothing: whoever is sampled is shown. It is refused, also where other releases, in which every
 * task takes part, need noise: what they leave of delta may still be all that those of samples need.
 * @module
 */
import * as math from "../core/elementary.js";
import { array, finite } from "../core/checks.js";
import { MpMtlError } from "../core/errors.js";
import { decimalBelow, sum } from "./accounting/rounding.js";
import { checkedEvent } from "./events/checked-event.js";
import type { EventGroup } from "./accounting/groups.js";
import type { PrivacyEvent } from "./events/event-kinds.js";

/** Delta alone pays for a list of releases; nothing was released. Exit code 4. */
export class DeltaPaysError extends MpMtlError {
  /** "DeltaPaysError", in minified code too. */
  override readonly name: string = "DeltaPaysError";
  /** The delta that was asked for. */
  readonly delta: number;
  /** The delta that these releases meet without noise. */
  readonly noiseless: number;
  constructor(delta: number, noiseless: number) {
    // A delta below what is said must be below what is true.
    const show = (x: number) => String(decimalBelow(x, 4));
    finite("delta", delta);
    finite("noiseless", noiseless);
    super(
      "BUDGET",
      `delta: ${show(delta)} pays for these releases alone: what is hidden, a task or a record, takes part in any of them with ` +
        `probability ${show(noiseless)} only, so they meet it without noise, and what takes part is shown whole; ` +
        `nothing was released. Choose a delta below ${show(noiseless)}, and well below 1/m for m of these.`,
    );
    this.delta = delta;
    this.noiseless = noiseless;
  }
}

/** Probability that a task takes part in a release; 0 where nothing depends on it. */
function exposure(event: PrivacyEvent): number {
  if (event.kind === "pure") return event.epsilon > 0 ? 1 : 0;
  // Of its runs' releases nothing is known here, but that there may be no run.
  if (event.kind === "selection") {
    return event.repetitions.kind === "poisson" ? -math.expm1(-event.repetitions.mean) : 1;
  }
  if (event.kind === "wishart") return 1;
  if (event.sensitivity === 0) return 0;
  return event.kind === "subsampled-gaussian" ? event.sampling.rate : 1;
}

/**
 * The delta that the releases would meet at epsilon 0 without any noise: 1 - prod (1 - q_t).
 * @throws TypeError or RangeError naming what is wrong with an event.
 */
export function noiselessDelta(groups: readonly EventGroup[]): number {
  array("groups", groups);
  groups.forEach((group) => checkedEvent(group?.event));
  return (
    0 -
    math.expm1(
      sum(groups.length, (i) => groups[i]!.count * math.log1p(-exposure(groups[i]!.event))),
    )
  );
}

/**
 * Refuses releases for which delta pays alone, or those of samples among others. Releases that depend on no task need no noise and pass.
 *
 * @throws DeltaPaysError
 */
export function refuseIfDeltaPays(groups: readonly EventGroup[], delta: number): void {
  const noiseless = noiselessDelta(groups.filter(({ event }) => exposure(event) < 1));
  if (noiseless > 0 && noiseless <= delta) throw new DeltaPaysError(delta, noiseless);
}
