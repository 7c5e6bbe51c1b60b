/**
 * What the best of a random number of runs costs: private selection.
 *
 * A base mechanism Q gives an output with a score; K is drawn (see `selection/repetitions.ts`), Q runs K times on
 * the same data, and only the output of the best score is released, its score with it. Neither K nor
 * any other run may be seen. Every run must be private by itself, its score too.
 *
 * **Statement (profile).** Let f be the generating function of K and delta_Q a privacy profile of Q. Let g
 * be a trade-off bound: Q'(S) <= g(Q(S)) for all events S and neighbouring worlds, in either order.
 * Then the selection A satisfies, for all eps_1 >= 0,
 *   delta_A(eps_1 + ln R) <= E[K] delta_Q(eps_1),
 *   R = sup_{0<=p<=1} [(gamma + (1-gamma) g(p)) / (gamma + (1-gamma) p)]^(eta+1)   (negative binomial),
 *   R = sup_p exp(mean (g(p) - p))                                                (Poisson).
 *
 * **Proof.** Break ties of the score by independent uniform draws, which changes no law; so let scores
 * have no atoms. With q_y = P[Q scores at most as y], dA(y) = f'(q_y) dQ(y), as sum_k P[K=k] k q^(k-1)
 * = f'(q). For the neighbour dA'(y) = f'(q'_y) dQ'(y), with p = 1 - q_y, p' = 1 - q'_y and p' <= g(p). f' is
 * proportional to (gamma + (1-gamma) p)^-(eta+1), or to e^(-mean p), so f'(q) <= R f'(q'). Hence
 *   A(S) - R e^eps_1 A'(S) <= Int_S f'(q_y) [dQ - e^eps_1 dQ'](y) <= f'(1) delta_Q(eps_1),
 * f' being increasing and f'(1) = E[K]. The atom at K = 0 has the same probability in both worlds and
 * R >= 1. QED
 *
 * g is the lower envelope of the lines that the profile itself gives at any finite set of eps:
 * p' <= e^eps p + delta_Q(eps), and by complements p' <= 1 - e^-eps (1 - p - delta_Q(eps)). Between
 * corners of the envelope the quotient is monotone, so its largest value at corners is R. With one line,
 * bounded at both ends of p, it is the bound of Koskela, Redberg and Wang (2024), Theorem 8; for an
 * eps-DP base (2 + eta) eps of Papernot and Steinke follows, 3 eps at eta = 1 of Liu and Talwar
 * (2019), and the envelope is tighter than all of these.
 *
 * {@link selectionRdp} is Papernot and Steinke's Renyi form, which composes with other events.
 * @module
 */
import * as math from "../../core/elementary.js";
import { meanRepetitions, type Repetitions } from "../selection/repetitions.js";
import { roundUp } from "./rounding.js";

/** A privacy profile: the least delta of an eps. */
export type Profile = (epsilon: number) => number;

interface Line {
  readonly slope: number;
  readonly at0: number;
}

/** Corners (p, g(p)) of the lower envelope of lines over [0, 1], both ends included. */
function corners(lines: readonly Line[]): { p: number; g: number }[] {
  const value = ({ slope, at0 }: Line, p: number) => slope * p + at0;
  let current = lines.reduce((a, b) =>
    b.at0 < a.at0 || (b.at0 === a.at0 && b.slope < a.slope) ? b : a,
  );
  const found = [{ p: 0, g: current.at0 }];
  let p = 0;
  for (;;) {
    let next: Line | undefined;
    let cross = 1;
    for (const line of lines) {
      if (line.slope >= current.slope) continue;
      const at = (line.at0 - current.at0) / (current.slope - line.slope);
      if (at < cross || (at === cross && next && line.slope < next.slope)) {
        cross = Math.max(at, p);
        next = line;
      }
    }
    if (!next) break;
    found.push({ p: cross, g: Math.max(value(current, cross), value(next, cross)) });
    [current, p] = [next, cross];
  }
  found.push({ p: 1, g: value(current, 1) });
  return found;
}

/**
 * ln R of the statement, rounded up.
 *
 * @param profile  delta_Q, valid in both directions.
 * @param epsilons where it is asked; any set is sound, a denser one is tighter.
 */
export function logSelectionRatio(
  repetitions: Repetitions,
  profile: Profile,
  epsilons: Iterable<number>,
): number {
  const lines: Line[] = [{ slope: 0, at0: 1 }];
  for (const epsilon of epsilons) {
    const delta = profile(epsilon);
    lines.push({ slope: math.exp(epsilon), at0: delta });
    lines.push({
      slope: math.exp(-epsilon),
      at0: -math.expm1(-epsilon) + math.exp(-epsilon) * delta,
    });
  }
  const cost = (p: number, g: number) => {
    if (repetitions.kind === "poisson") return repetitions.mean * (g - p);
    const { eta, gamma } = repetitions;
    return (eta + 1) * math.log1p(((1 - gamma) * (g - p)) / (gamma + (1 - gamma) * p));
  };
  const most = corners(lines).reduce((best, { p, g }) => Math.max(best, cost(p, g)), 0);
  // Corners are rounded; a few units in the last place of 1 / gamma cover it.
  const slack = repetitions.kind === "poisson" ? repetitions.mean : 1 / repetitions.gamma;
  return most === 0 ? 0 : roundUp(most) + slack * 2 ** -48;
}

/** What {@link selectionRdp} is told of the base mechanism. */
export interface BaseRenyi {
  /** D_alpha of Q for alpha > 1, and its limit at 1; Infinity where unknown. */
  readonly rdp: (alpha: number) => number;
  /** Orders at which the second use of the base may be taken; negative binomial only. */
  readonly orders: readonly number[];
  /** A profile of Q; Poisson only. */
  readonly profile: Profile;
}

/**
 * D_alpha of the selection.
 *
 * Negative binomial (Theorem 2), for any second order a >= 1:
 *   rdp(alpha) + (1 + eta) [(1 - 1/a) rdp(a) + ln(1/gamma)/a] + ln E[K] / (alpha - 1).
 * Poisson, with e^eps <= 1 + 1/(alpha - 1):
 *   ln( e^-mean + mean e^((alpha - 1) (rdp(alpha) + mean delta_Q(eps))) ) / (alpha - 1).
 *
 * Theorem 6 has this without e^-mean, the moment of the atom at K = 0: where the mean is below 1 what is left is no bound, and for a small
 * one it is negative. **Proof.** As above, f'(q)^alpha f'(q')^(1-alpha) is mean e^(mean ((alpha-1) p' - alpha p)), and p' <= e^eps p + delta_Q(eps)
 * bounds the exponent by mean (alpha - 1) delta_Q(eps). What is left under the integral is the base's moment; the atom has the same
 * probability e^-mean in both worlds, and adds that. QED
 *
 * @param alpha > 1.
 * @see Papernot and Steinke (2022).
 */
export function selectionRdp(repetitions: Repetitions, base: BaseRenyi, alpha: number): number {
  const own = base.rdp(alpha);
  if (repetitions.kind === "poisson") return poissonRdp(repetitions.mean, own, base, alpha);
  const many = math.log(meanRepetitions(repetitions)) / (alpha - 1);
  const { eta, gamma } = repetitions;
  const second = base.orders.reduce(
    (least, order) =>
      Math.min(
        least,
        (order === 1 ? 0 : (1 - 1 / order) * base.rdp(order)) - math.log(gamma) / order,
      ),
    Infinity,
  );
  return roundUp(own + (1 + eta) * second + many);
}

/** Terms that cancel, where the mean is small, are off by less than this part of what they are made of. */
const CANCELLED = 2 ** -48;

function poissonRdp(
  mean: number,
  own: number,
  { profile }: Pick<BaseRenyi, "profile">,
  alpha: number,
): number {
  const delta = profile(math.log1p(1 / (alpha - 1)));
  const runs = math.log(mean) + (alpha - 1) * (own + mean * delta);
  const high = Math.max(runs, -mean);
  const moment = high + math.log1p(math.exp(Math.min(runs, -mean) - high));
  const slack = CANCELLED * (1 + mean + Math.abs(runs));
  return roundUp((Math.max(0, moment) + slack) / (alpha - 1));
}
