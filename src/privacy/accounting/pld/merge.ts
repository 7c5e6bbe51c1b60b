/**
 * Fewer kinds of rounds for the same or a larger cost, before they are composed.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { composedMu, gaussianMuOf, pureEpsilonOf, type EventGroup } from "../groups.js";
import { quotient } from "../rounding.js";
import { allocationAsKnown } from "./allocation/allocation-blocks.js";
import type { PrivacyEvent } from "../../events/event-kinds.js";
import type { Bound } from "./loss-law.js";

/** More kinds of one family than `most` are rounded up to `fewer`. */
interface Kinds {
  readonly most: number;
  readonly fewer: number;
}

/** Pure kinds are cheap. */
const KINDS: Readonly<Record<"pure" | "other", Kinds>> = {
  pure: { most: 4000, fewer: 2000 },
  other: { most: 100, fewer: 48 },
};

/** The strength of an event within its family (larger is less private), and its replacement. */
function familyOf(
  event: PrivacyEvent,
): { key: string; strength: number; at(strength: number): PrivacyEvent } | undefined {
  const { adjacency } = event;
  const pure = pureEpsilonOf(event);
  if (event.kind === "laplace") {
    return {
      key: "laplace",
      strength: pure!,
      at: (eps) => ({ kind: "laplace", scale: 1, sensitivity: eps, adjacency }),
    };
  }
  if (pure !== undefined) {
    return { key: "pure", strength: pure, at: (epsilon) => ({ kind: "pure", epsilon, adjacency }) };
  }
  if (event.kind === "subsampled-gaussian") {
    const { sampling } = event;
    return {
      key: `sampled ${sampling.rate}`,
      strength: quotient(event.sensitivity, event.sigma),
      at: (mu) => ({ ...event, sigma: 1, sensitivity: mu }),
    };
  }
  return undefined;
}

/** Below, the loss of a sampled round is lost in the rounding of its tails. */
const FAINT = 1e-11;

/**
 * A faint sampled Gaussian round as a whole one, which dominates it: its profile is an average of that and none.
 * For a lower bound as none.
 */
function withoutFaintSampling(group: EventGroup, bound: Bound): EventGroup {
  const { event, count } = group;
  if (event.kind !== "subsampled-gaussian") return group;
  const { sigma, adjacency, sampling } = event;
  const sensitivity = bound === "upper" ? event.sensitivity : 0;
  return sampling.rate * (event.sensitivity / sigma) < FAINT
    ? { event: { kind: "gaussian", sigma, sensitivity, adjacency }, count }
    : group;
}

/**
 * One Gaussian for all Gaussians, and few enough kinds of the rest, each rounded up, or down for a lower bound: within a family a stronger
 * event dominates a weaker one, which is it with noise added, or a part of it.
 */
export function mergeGroups(
  given: readonly EventGroup[],
  bound: Bound,
  kinds = KINDS,
): EventGroup[] {
  const groups = given.flatMap((group) =>
    allocationAsKnown(withoutFaintSampling(group, bound), bound),
  );
  const gaussian = groups.filter(({ event }) => gaussianMuOf(event) !== undefined);
  const merged = new Map<string, EventGroup[]>();
  const result: EventGroup[] = [];
  const mu = composedMu(gaussian);
  if (mu > 0) {
    const { adjacency } = gaussian[0]!.event;
    // Rounded up by 2^-46, which is more than its error.
    const sensitivity = bound === "upper" ? mu : mu * (1 - 2 ** -44);
    result.push({ event: { kind: "gaussian", sigma: 1, sensitivity, adjacency }, count: 1 });
  }
  for (const group of groups) {
    if (gaussianMuOf(group.event) !== undefined) continue;
    const family = familyOf(group.event);
    if (!family) result.push(group);
    else if (family.strength > 0) {
      const members = merged.get(family.key);
      if (members) members.push(group);
      else merged.set(family.key, [group]);
    }
  }
  for (const [key, members] of merged) {
    result.push(...coalesce(members, key === "pure" ? kinds.pure : kinds.other, bound));
  }
  return result;
}

/** Rounds strengths to a geometric grid when there are very many. */
function coalesce(members: EventGroup[], { most, fewer }: Kinds, bound: Bound): EventGroup[] {
  if (members.length <= most) return members;
  const upper = bound === "upper";
  const strengths = members.map(({ event }) => familyOf(event)!.strength);
  const high = strengths.reduce((a, b) => Math.max(a, b));
  // What is a millionth of the strongest is rounded up to that: little against the rest. Down, it is left out.
  const least = strengths.reduce((a, b) => Math.min(a, b));
  const low = Math.max(least, high * 1e-6);
  const ratio = math.pow(high / low, 1 / fewer) || 1;
  const counts = new Map<number, number>();
  members.forEach(({ count }, i) => {
    const exact = ratio > 1 ? math.log(high / strengths[i]!) / math.log(ratio) : 0;
    const level = upper ? Math.min(Math.max(0, Math.floor(exact)), fewer) : Math.ceil(exact);
    if (upper || strengths[i]! >= low) counts.set(level, (counts.get(level) ?? 0) + count);
  });
  const { at } = familyOf(members[0]!.event)!;
  // Past the error of powers and logarithms.
  const past = upper ? 1 + 1e-12 : 1 - 1e-12;
  return [...counts].map(([level, count]) => ({
    event: at(high * math.pow(ratio, -level) * past),
    count,
  }));
}
