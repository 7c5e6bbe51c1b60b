/**
 * Renyi accounting of any mix of Gaussian, subsampled Gaussian, Laplace and pure events.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { defineAccountant, type Accountant } from "./accountant.js";
import { roundedSensitivity, sharesGap } from "../discrete.js";
import { gaussianMuOf, pureEpsilonOf, type EventGroup } from "../groups.js";
import { gaussianRdp, laplaceRdp, pureRdp, sampledGaussianRdp } from "../rdp.js";
import { rdpToDelta, rdpToEpsilon } from "../rdp-conversion.js";
import { claimedDelta, claimedEpsilon } from "../figures.js";
import { mergeGroups } from "../pld/merge.js";
import { roundUp, sum } from "../rounding.js";
import { selectionRdp } from "../selection.js";
import type { PrivacyEvent, SelectionEvent } from "../../events/event-kinds.js";

/** Orders tried by default: dense near 1, integers to 64, then sparser up to 2^20. */
const DEFAULT_ORDERS: readonly number[] = [
  1.01,
  1.02,
  1.05,
  ...Array.from({ length: 29 }, (_, i) => 1.1 + i / 10),
  ...Array.from({ length: 61 }, (_, i) => i + 4),
  ...Array.from({ length: 56 }, (_, i) => Math.round(64 * math.pow(2, (i + 1) / 4))),
];

/** D_alpha of one event; undefined if it has no finite one. */
export function eventRdp(event: PrivacyEvent, alpha: number): number | undefined {
  const pure = pureEpsilonOf(event);
  if (pure !== undefined) return (event.kind === "laplace" ? laplaceRdp : pureRdp)(alpha, pure);
  const mu = gaussianMuOf(event);
  if (mu !== undefined) return gaussianRdp(alpha, mu);
  // Canonne, Kamath, Steinke (2020), Theorem 4, entry by entry; a factor e^(+-gap) in the densities
  // moves the divergence by at most gap (2 alpha - 1) / (alpha - 1).
  if (event.kind === "discrete-gaussian") {
    const change = sharesGap(event) * ((2 * alpha - 1) / (alpha - 1));
    return gaussianRdp(alpha, roundedSensitivity(event) / event.sigma) + change;
  }
  if (event.kind === "subsampled-gaussian") {
    // The binomial sum is linear in the order: the largest orders never pay for it.
    if (alpha > 4096) return Infinity;
    return event.sensitivity === 0
      ? 0
      : sampledGaussianRdp(alpha, event.sampling.rate, event.sigma / event.sensitivity);
  }
  return event.kind === "selection" ? selectionEventRdp(event, alpha) : undefined;
}

type Rdp = (alpha: number) => number | undefined;
const selections = new WeakMap<SelectionEvent, Rdp>();

function selectionEventRdp(event: SelectionEvent, alpha: number): number | undefined {
  const rdp = selections.get(event) ?? selectionEventCurve(event);
  selections.set(event, rdp);
  return rdp(alpha);
}

/** Papernot and Steinke (2022), with the worst of the plans at every order. */
function selectionEventCurve({ repetitions, plans }: SelectionEvent): Rdp {
  if (!plans.every((plan) => plan.every(({ event }) => eventRdp(event, 2) !== undefined))) {
    return () => undefined;
  }
  const known = new Map<number, number>();
  const rdp = (order: number) => {
    const found = known.get(order) ?? Math.max(...plans.map((plan) => composedRdp(plan, order)));
    known.set(order, found);
    return found;
  };
  const profile = (epsilon: number) =>
    DEFAULT_ORDERS.reduce(
      (best, order) => Math.min(best, claimedDelta(rdpToDelta(order, rdp(order), epsilon))),
      1,
    );
  const base = { rdp, orders: [1, ...DEFAULT_ORDERS], profile };
  return (alpha) => selectionRdp(repetitions, base, alpha);
}

/** Whether a release tells nothing at all. */
const isFree = (event: PrivacyEvent): boolean =>
  pureEpsilonOf(event) === 0 || ("sensitivity" in event && event.sensitivity === 0);

/** Composed D_alpha: divergences add up (Mironov 2017, Proposition 1). One below all numbers is not none. */
function composedRdp(groups: readonly EventGroup[], alpha: number): number {
  const total = sum(groups.length, (i) => groups[i]!.count * eventRdp(groups[i]!.event, alpha)!);
  // Nor is one that cancelling made less than none.
  const isLost = total <= 0 && !groups.every(({ event }) => isFree(event));
  return isLost ? Number.MIN_VALUE : claimedEpsilon(roundUp(total));
}

/** Every kind is worked out at every order: more of one family are rounded up to fewer. */
const KINDS = { most: 400, fewer: 200 };

const withFewKinds = (groups: readonly EventGroup[]): readonly EventGroup[] =>
  groups.length > KINDS.most ? mergeGroups(groups, "upper", { pure: KINDS, other: KINDS }) : groups;

/** An accountant over chosen orders. */
export function rdpAccountant(orders: readonly number[] = DEFAULT_ORDERS): Accountant {
  return defineAccountant({
    name: "rdp",
    refusal(groups) {
      const other = groups.find(({ event }) => eventRdp(event, 2) === undefined);
      return other && `a ${other.event.kind} event has no Renyi divergence of every order`;
    },
    epsilon(given, delta) {
      const groups = withFewKinds(given);
      return roundUp(
        orders.reduce(
          (best, alpha) =>
            Math.min(best, claimedEpsilon(rdpToEpsilon(alpha, composedRdp(groups, alpha), delta))),
          Infinity,
        ),
      );
    },
    delta(given, epsilon) {
      const groups = withFewKinds(given);
      return roundUp(
        orders.reduce(
          (best, alpha) =>
            Math.min(best, claimedDelta(rdpToDelta(alpha, composedRdp(groups, alpha), epsilon))),
          1,
        ),
      );
    },
  });
}
