/**
 * What every private method needs to know about its guarantee, and how its default delta is read.
 * @module
 */
import * as math from "../../core/elementary.js";
import { DataError, OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { MECHANISM_NAMES, type Adjacency, type MechanismName } from "../../privacy/index.js";
import type { RandomOptions } from "../../random/index.js";
import { NOISE_FORMS } from "./noise-forms.js";
import { aNumber, aPositive, aWord, aWordOr, type OptionKind } from "./kinds.js";
import { option, type OptionsOf } from "./option.js";

/** On the command line the text of a seed. */
const aRandomSource: OptionKind<RandomOptions> = {
  expected: '{ mode: "secure" } or { mode: "seeded", seed }',
  expectedText: "a seed",
  placeholder: "S",
  read: (written) => {
    const seed = typeof written === "number" ? String(written) : written;
    if (typeof seed !== "string") return written;
    return seed === "" ? undefined : { mode: "seeded", seed };
  },
  write: ({ mode }) => (mode === "secure" ? "none" : "a seed"),
  accept: (value) => {
    const random = value as RandomOptions;
    if (random?.mode === "secure") return random;
    const seeded = random?.mode === "seeded" && ["string", "number"].includes(typeof random.seed);
    return seeded ? random : undefined;
  },
};

export const budgetOptions = {
  /** Total eps > 0 of the guarantee; default 1. */
  epsilon: option(aPositive, { group: "privacy", help: "Total eps of the guarantee.", default: 1 }),
  /** Total delta in [0, 1); "auto" (default) is 1 / (m log m), for m >= 3. 0: pure eps-DP. */
  delta: option(aWordOr(["auto"], aNumber({ min: 0, below: 1 })), {
    group: "privacy",
    help: "Total delta; auto: 1/(m log m) for m tasks; 0 for pure eps-DP.",
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
    help:
      "Noise: auto is the tightest that is sound for what is released; wishart is the papers', which is " +
      "not private as claimed.",
    default: "auto",
  }),
  /** Default secure; seeded noise is reproducible and protects nothing. */
  random: option(aRandomSource, {
    group: "privacy",
    flag: "seed",
    help: "Seeded noise: reproducible, and therefore not private.",
    default: { mode: "secure" },
  }),
};

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
    help: "exact: on a grid, Gaussian mechanisms; float; auto: exact where that costs milliseconds.",
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

/**
 * delta as asked, or 1 / (m log m).
 * @throws OptionError below three tasks, where that is no small number.
 */
export function resolveDelta(delta: number | "auto", m: number): number {
  if (delta !== "auto") return delta;
  if (m < 3) {
    throw new OptionError(
      `delta: the default 1/(m log m) needs at least 3 tasks, found ${m}; give delta (0 for pure eps-DP).`,
    );
  }
  return 1 / (m * math.log(m));
}

/**
 * Holds every row to the public bound B on its norm, which step sizes and accounting rely on.
 * @throws DataError naming the first task and row beyond it.
 */
export function checkFeatureBound(tasks: TaskSet, featureBound: number): void {
  const { d, x, offsets, names } = tasks;
  const limit = featureBound * featureBound * (1 + 1e-9);
  for (let i = 0; i < tasks.m; i++) {
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      let square = 0;
      for (let j = row * d; j < (row + 1) * d; j++) square += x[j]! * x[j]!;
      if (square > limit) {
        throw new DataError(
          `task ${JSON.stringify(names[i])}, row ${row - offsets[i]!}: its l2 norm is above the declared ` +
            `featureBound ${featureBound}. Scale rows to unit norm (the "unit-rows" transform, ` +
            `--normalize rows), or declare a larger featureBound.`,
        );
      }
    }
  }
}
