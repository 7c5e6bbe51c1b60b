/**
 * What every private method needs to know about its guarantee.
 * @module
 */
import { OptionError } from "../../core/index.js";
import {
  MECHANISM_NAMES,
  type Adjacency,
  type MechanismName,
  type Statistic,
} from "../../privacy/index.js";
import { mechanismNamed, mechanismsFor } from "../../privacy/mechanisms/catalogue.js";
import type { RandomOptions } from "../../random/index.js";
import { NOISE_FORMS } from "./noise-forms.js";
import { aNumber, aPositive, aWord, aWordOr, nothingLost, type OptionKind } from "./kinds.js";
import { option, type OptionDeclaration, type OptionsOf } from "./option.js";

/** On the command line the text of a seed. */
const aRandomSource: OptionKind<RandomOptions> = {
  expected: '{ mode: "secure" } or { mode: "seeded", seed }',
  expectedText: "a seed",
  placeholder: "S",
  secret: true,
  read: (written) => {
    const seed = typeof written === "number" ? String(written) : written;
    if (typeof seed !== "string") return written;
    return seed === "" ? undefined : { mode: "seeded", seed };
  },
  write: ({ mode }) => (mode === "secure" ? "none" : "a seed"),
  // A copy: what changes later, or between two looks, would be noise of another source than the guarantee says.
  accept: (value) => {
    if (typeof value !== "object" || value === null) return undefined;
    const { mode, seed } = value as { readonly mode?: unknown; readonly seed?: unknown };
    // Who gives a seed expects the same figures again.
    if (mode === "secure") return nothingLost({ mode }, value);
    return mode === "seeded" && (typeof seed === "string" || typeof seed === "number")
      ? nothingLost({ mode, seed }, value)
      : undefined;
  },
};

/** A given delta. */
const aDelta = aNumber({ min: 0, below: 1 });

export const budgetOptions = {
  /** Total eps > 0 of the guarantee; default 1. */
  epsilon: option(aPositive, { group: "privacy", help: "Total eps of the guarantee.", default: 1 }),
  /**
   * Total delta in [0, 1); "auto" (default) is the smaller of 1e-5 and 1/m^2 for m tasks, "papers" theirs,
   * 1/(m ln m), for m >= 3. 0: pure eps-DP.
   */
  delta: option(aWordOr(["auto", "papers"], aDelta), {
    group: "privacy",
    help: "Total delta; auto: 1e-5 or 1/m^2 for m tasks, the smaller; papers: 1/(m ln m); 0: pure eps-DP.",
    default: "auto",
  }),
  /** "replace" (default): one task's data and models change arbitrarily. "zero-out": to zero. */
  adjacency: option(aWord<Adjacency>(["replace", "zero-out"]), {
    group: "privacy",
    help: "replace: one task changes arbitrarily; zero-out: its models become 0.",
    default: "replace",
  }),
  /** "auto" (default): the tightest sound mechanism for the statistic and delta. */
  mechanism: option(aWord<MechanismName | "auto">(["auto", ...MECHANISM_NAMES]), {
    group: "privacy",
    help: "Noise; auto: the tightest that is sound for what is released.",
    default: "auto",
  }),
  /** Default secure; seeded noise is reproducible and protects nothing. */
  random: option(aRandomSource, {
    group: "privacy",
    flag: "seed",
    help: "Seeded noise: reproducible, and therefore not private; without it the host's secure generator.",
    default: { mode: "secure" },
  }),
};

/** `mechanism`, one of those for what a method releases. */
export function mechanismFor(
  statistics: readonly Statistic[],
): OptionDeclaration<MechanismName | "auto"> {
  const names = new Set(statistics.flatMap(mechanismsFor));
  const unsound = [...names].filter((name) => !mechanismNamed(name).sound);
  const help = [
    budgetOptions.mechanism.help,
    ...unsound.map((name) => `${name} is the papers', which is not private as claimed.`),
  ].join(" ");
  return { ...budgetOptions.mechanism, ...aWord<MechanismName | "auto">(["auto", ...names]), help };
}

/** @throws OptionError for a mechanism of another statistic than the one that these options have released. @param by what decides which. */
export function checkMechanism(
  method: string,
  mechanism: MechanismName | "auto",
  statistic: Statistic,
  by: string,
): void {
  const suited = mechanismsFor(statistic);
  if (mechanism === "auto" || suited.includes(mechanism)) return;
  throw new OptionError(
    `${method}: mechanism: with ${by} expected auto or one of ${suited.join(", ")}, got "${mechanism}"`,
  );
}

/** What every private method needs to know about its guarantee. */
export interface BudgetOptions extends OptionsOf<typeof budgetOptions> {}

const noiseOption = {
  /**
   * "exact": values rounded to a grid, and noise drawn or rounded by integer arithmetic, which no attack on
   * floating-point noise can see through; every mechanism but the one-sided Wishart. "float": ordinary floating-point
   * noise, faster, and proven for real numbers only. "auto" (default): exact, but for budgets beyond the sampler's
   * range (an epsilon of 1e15, say); `guarantee.why` says which it was.
   */
  noise: option(aWord(NOISE_FORMS), {
    group: "privacy",
    help: "exact: by integer arithmetic on a grid; float: floating-point, proven for real numbers only; auto: exact wherever the budget allows.",
    default: "auto",
  }),
};

/** Budget, and the form of the noise of methods that release a statistic each round. */
export interface ReleaseOptions extends BudgetOptions, OptionsOf<typeof noiseOption> {}

export const releaseOptions = { ...budgetOptions, ...noiseOption };

/** B, for methods whose noise or steps rely on the length of rows. */
export const featureBound = option(aPositive, {
  group: "privacy",
  symbol: "B",
  help: "Public bound on the l2 norm of rows; longer rows are refused.",
  unit: "l2 norm of a row",
  default: 1,
});
