/**
 * What the accountants say that a list of releases costs.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/privacy/accounting", {
  "account.ts": [
    {
      from: "claimedEpsilon(roundUp(account.epsilon + shift))",
      to: "claimedEpsilon(roundUp(account.epsilon))",
      breaks: "Epsilon of exact noise includes what the grid costs.",
    },
    {
      from: "delta * math.exp(-inflation)",
      to: "delta * math.exp(inflation)",
      breaks: "Epsilon at a delta is asked at a delta that leaves room for the grid.",
    },
  ],
  "accountants/accountant.ts": [
    {
      from: "claimedEpsilon(parts.epsilon(groups, delta))",
      to: "parts.epsilon(groups, delta)",
      breaks: "An epsilon is never negative; what is no number counts as infinity.",
    },
  ],
  "bisect.ts": [
    {
      from: "if (excess <= 0) {",
      to: "if (excess <= 1e-6) {",
      breaks: "Noise is found whose cost is within the budget, not a hair above.",
    },
  ],
  "bounds.ts": [
    {
      from: "if (refusal !== undefined) throw",
      to: "if (refusal !== undefined && groups.length > 9) throw",
      breaks: "Bounds are refused where no dominating pair is known.",
    },
  ],
  "calibrate.ts": [
    {
      from: "refuseIfDeltaPays(groups(1), delta);",
      to: "",
      breaks: "No noise is found where delta alone pays for the release.",
    },
  ],
  "discrete.ts": [
    {
      from: "event.sensitivity + event.grid * Math.sqrt(event.entries)",
      to: "event.sensitivity",
      breaks: "Rounding to the grid widens the change that noise must hide.",
    },
    {
      from: "inflation += count * one;",
      to: "inflation += one;",
      breaks: "Delta's part of the price of the grid is paid in every round.",
    },
  ],
  "accountants/exact-accountant.ts": [
    {
      from: "const PLACE_ERROR = 40 * 2 ** -50;",
      to: "const PLACE_ERROR = 0;",
      breaks:
        "A sampled round with hardly any noise has its delta moved past what the place of its tail lost.",
    },
    {
      from: "n: event.degreesOfFreedom - event.dimension + 1,",
      to: "n: event.degreesOfFreedom - event.dimension + 2,",
      breaks: "The one-sided Wishart release is accounted with its own degrees of freedom.",
    },
    {
      from: "if (!(basic < MOST_LOSS)) {",
      to: "if (basic < 0) {",
      breaks: "Pure rounds whose losses add up to no number hide nothing.",
    },
    {
      from: "inSmallest(epsilon) >= most",
      to: "epsilon >= basic",
      breaks: "Delta is 0 from the exact sum of pure epsilons on, not from a rounded one.",
    },
  ],
  "figures.ts": [
    {
      from: "return computed < 0 ? 0 : Infinity;",
      to: "return 0;",
      breaks: "An epsilon that is no number counts as infinite.",
    },
  ],
  "filter.ts": [
    {
      from: "spent = claimedEpsilon(roundUp(spent + claimedEpsilon(cost(event))));",
      to: "spent = claimedEpsilon(spent + claimedEpsilon(cost(event)));",
      breaks: "A filter's total is rounded up, whatever is lost in its sums.",
    },
    {
      from: "capacity * (1 - 1e-12),",
      to: "capacity * (1 + 1e-9),",
      breaks: "A filter holds no more than what its conversion allows.",
    },
    {
      from: "Math.max(mu ** 2, Number.MIN_VALUE)",
      to: "mu ** 2",
      breaks: "A filter charges Gaussian rounds whose squared mu is below all numbers.",
    },
  ],
  "accountants/gdp-accountant.ts": [
    {
      from: "gaussianDelta(epsilon, mu) : 1;",
      to: "gaussianDelta(epsilon, mu) : 0;",
      breaks: "Releases without noise have delta 1.",
    },
  ],
  "gdp.ts": [
    {
      from: "Math.max(2 ** -40, 2 ** -50 * (a + b))",
      to: "2 ** -40",
      breaks:
        "A delta is moved past what the place of its tail lost, also where epsilon is beyond a billion.",
    },
    {
      from: "return roundDown(largest((mu) =>",
      to: "return roundUp(largest((mu) =>",
      breaks: "The mu of a budget is rounded down, so that its noise is enough.",
    },
  ],
  "groups.ts": [
    {
      from: "return quotientAbove(event.sensitivity, event.scale);",
      to: "return event.sensitivity / event.scale;",
      breaks: "The loss of a Laplace round is not below what it is.",
    },
    {
      from: "if (known) known.count += count;",
      to: "if (known) known.count = count;",
      breaks: "Equal events in different objects are all counted.",
    },
  ],
  "accountants/kov-accountant.ts": [
    {
      from: "pureEpsilonOf(event)!, count }));",
      to: "pureEpsilonOf(event)!, count: Math.min(count, 100) }));",
      breaks: "Every pure round counts, however many there are.",
    },
  ],
  "kov.ts": [
    {
      from: "math.tanh(runs[i]!.epsilon / 2)",
      to: "math.tanh(runs[i]!.epsilon / 4)",
      breaks: "The mean loss of a pure round is eps tanh(eps / 2).",
    },
  ],
  "laplace-profile.ts": [
    {
      from: "-math.expm1((epsilon - eps0) / 2)",
      to: "-math.expm1((epsilon - eps0) / 4)",
      breaks: "Delta of a Laplace release is 1 - e^((eps - eps0) / 2).",
    },
  ],
  "accountants/pld-accountant.ts": [
    {
      from: "groups.every(({ event }) => isSymmetric(event))",
      to: "groups.some(({ event }) => isSymmetric(event))",
      breaks: "Both directions are accounted unless all events are symmetric.",
    },
    {
      from: "if (worst > 0 && cost(parts, COARSE) <= worst) continue;",
      to: "if (worst > 0 && cost(parts, COARSE) >= worst) continue;",
      breaks: "Only the direction that costs less is passed over.",
    },
    {
      from: "if (read > NEXT_TO_ONE) return 1;",
      to: "",
      breaks: "A delta next to 1 is not lowered by the rounding of its sum.",
    },
  ],
  "randomized-response.ts": [
    {
      from: "const epsilon = last + math.log1p(-(delta - spent) / scaled);",
      to: "const epsilon = last + math.log1p(-(delta - spent) / scaled) - 1e-3;",
      breaks: "Epsilon of pure rounds is the exact one.",
    },
    {
      from: "const rise = -scaled * math.expm1(loss[i]! - last);",
      to: "const rise = scaled - scaled * math.exp(loss[i]! - last);",
      breaks: "Losses below the rounding of probabilities count.",
    },
    {
      from: "lost > COVERED * total ? total + lost : total",
      to: "total",
      breaks: "Delta of pure rounds has what rounding takes from losses next to epsilon.",
    },
  ],
  "accountants/rdp-accountant.ts": [
    {
      from: "sharesGap(event) * ((2 * alpha - 1) / (alpha - 1))",
      to: "sharesGap(event)",
      breaks: "The gap of noise in shares counts at its order.",
    },
    {
      from: "return isLost ? Number.MIN_VALUE : claimedEpsilon(roundUp(total));",
      to: "return claimedEpsilon(roundUp(total));",
      breaks: "A divergence below all numbers is not none.",
    },
    {
      from: 'mergeGroups(groups, "upper",',
      to: 'mergeGroups(groups, "lower",',
      breaks: "Kinds of releases that are gathered for Renyi accounting are rounded up.",
    },
  ],
  "rdp-conversion.ts": [
    {
      from: "\n    rho + math.log1p(-1 / alpha) -",
      to: "\n    rho + 2 * math.log1p(-1 / alpha) -",
      breaks: "Divergences are turned into an epsilon that they imply.",
    },
  ],
  "rdp.ts": [
    {
      from: "const high = alpha + 10 * sigma + 1;",
      to: "const high = 10 * sigma + 1;",
      breaks: "A fractional moment is integrated to where its mass ends.",
    },
    {
      from: "+ ROUNDING * a * eps0;\n    return math.log1p(y) / a;\n  }\n  return eps0",
      to: ";\n    return math.log1p(y) / a;\n  }\n  return eps0",
      breaks: "What rounding hides of a small divergence is added back.",
    },
  ],
  "rounding.ts": [
    {
      from: "return Number.isFinite(total) ? total + lost : total;",
      to: "return total;",
      breaks: "Long sums lose nothing to rounding.",
    },
    {
      from: "return roundUp(unit * Math.sqrt(squares));",
      to: "return unit * Math.sqrt(squares);",
      breaks: "The root of summed squares is rounded up.",
    },
  ],
  "sampled-gaussian.ts": [
    {
      from: "const kept = rate - (1 - rate) * math.expm1(epsilon);",
      to: "const kept = rate - math.expm1(epsilon);",
      breaks: "Delta of adding a task under faint noise is the exact one.",
    },
  ],
  "accountants/selection-accountant.ts": [
    {
      from: "Math.max(worst, base.delta(plan, epsilon)), 0);",
      to: "Math.max(worst / 2, base.delta(plan, epsilon)), 0);",
      breaks: "The worst of the candidates counts.",
    },
  ],
  "selection.ts": [
    {
      from: "roundUp(most) + slack * 2 ** -48",
      to: "roundUp(most)",
      breaks: "The slack of rounded corners is added to what choosing costs.",
    },
    {
      from: "high + math.log1p(math.exp(Math.min(runs, -mean) - high))",
      to: "runs",
      breaks: "That nothing is run counts in the moment of a Poisson number of runs.",
    },
  ],
  "special/binomial.ts": [
    {
      from: "return 1 - tail(n, n - k + 1, 1 - p, p);",
      to: "return 1 - tail(n, n - k, 1 - p, p);",
      breaks: "The probability of at least k is one less that of at most k - 1.",
    },
  ],
  "special/erfc.ts": [
    {
      from: "math.exp(-(x - head) * (x + head))",
      to: "math.exp(-(x - head) * (x - head))",
      breaks: "Tails of the normal law keep their relative accuracy.",
    },
  ],
  "special/gamma.ts": [
    {
      from: "stirlingError(n) - stirlingError(k) - stirlingError(n - k)",
      to: "stirlingError(n) - stirlingError(k) + stirlingError(n - k)",
      breaks: "Binomial probabilities are those of the law.",
    },
  ],
  "wishart-profile.ts": [
    {
      from: "first(e1) + math.exp(e1) * second(epsilon - e1)",
      to: "first(e1) + second(epsilon - e1)",
      breaks: "The second step of a replacement is weighed by e^eps of the first.",
    },
  ],
});
