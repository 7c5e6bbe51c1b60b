/**
 * The circle of the transform: on which grid of losses, of how many steps, a composition is computed.
 * @module
 */
import type { Part } from "./loss-law.js";
import type { Plan } from "./outline.js";

/** Longest transform, for few and for many kinds of rounds. */
const LARGEST_LENGTH = { few: 2 ** 18, many: 2 ** 17 };
const FEW_KINDS = 8;
const LARGEST_SUPPORT = 2 ** 20;

/** Losses (start + k) * step, 0 <= k < length; the next is the first again. */
export interface Circle {
  readonly start: number;
  readonly step: number;
  /** A power of two. */
  readonly length: number;
}

/** The finest grid that holds the planned window, no finer than the transform uses up. */
export function circleOf(parts: readonly Part[], plan: Plan): Circle {
  const windowAt = windowOf(parts, plan);
  const widthAt = (step: number) => windowAt(step).top - windowAt(step).bottom;
  const snap = throughHeaviestAtom(parts);
  const finest = widestPart(plan) / LARGEST_SUPPORT;
  let step = snap(Math.max(plan.step, finest));
  const dense = parts.filter(({ law }) => !law.discrete).length;
  const longest = dense > FEW_KINDS ? LARGEST_LENGTH.many : LARGEST_LENGTH.few;
  let length = 256;
  while (length < longest && (length - 2) * step < widthAt(step)) length *= 2;
  // Use the whole circle; when it is too short, coarsen until it fits.
  step = snap(Math.max(widthAt(step) / (length - 2), finest));
  for (let coarser = step; (length - 2) * step < widthAt(step); step = snap(coarser)) {
    coarser *= 1.02;
  }
  return { start: Math.floor(windowAt(step).bottom / step), step, length };
}

/** Width of the range of the part that has the widest. */
export const widestPart = ({ ranges }: Plan): number =>
  Math.max(...ranges.map(({ low, high }) => high - low));

/**
 * The window that a step asks for. A bounded loss needs no more than its support, a step per round and end being lost to the
 * grid; of very many rounds that would be more than the circle.
 */
function windowOf(parts: readonly Part[], plan: Plan) {
  const rounds = parts.reduce((total, { count }) => total + count, 0);
  const many = rounds > LARGEST_LENGTH.many / 4;
  return (step: number) => {
    const spare = (rounds + 1) * step;
    return {
      bottom: many || plan.bottom > plan.least + spare ? plan.bottom : plan.least - spare,
      top: many || plan.top < plan.greatest - spare ? plan.top : plan.greatest + spare,
    };
  };
}

/** Steps that meet the heaviest atom: there the profile has a kink that a polygon beside it would miss. */
function throughHeaviestAtom(parts: readonly Part[]): (step: number) => number {
  let heaviest = 0;
  let atom = 0;
  for (const { law, count } of parts) {
    const loss = law.atoms.at(-1)?.loss ?? 0;
    const weight = count * loss ** 2;
    if (weight > heaviest) [heaviest, atom] = [weight, loss];
  }
  return (step) => (atom > step ? atom / Math.ceil(atom / step) : step);
}
