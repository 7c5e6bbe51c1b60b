/** What methods on raw tables of numbers are held against: tuned ridge alone, and the best without privacy. */
import { makeEstimator } from "../../../build/modules/index.js";
import { mean } from "../means.js";
import { encodedTable } from "./data.js";
import { hasLme4, lme4Scores } from "./lme4.js";
import { rawParts } from "./raw-tasks.js";

const WEIGHTS = [1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 3];
const FOLDS = 5;
/** Up to where targets of a typical range are kept, three halves of it, in the units of encoded targets, which are quarters. */
const KEPT = 6;
/** A budget whose noise is next to none. */
const ALMOST_WITHOUT_NOISE = 1e5;

const errorOf = async (method, settings, { train, test }) =>
  (await makeEstimator(method, settings).fit(train)).score(test).nmse;

/** Sum of squared errors over all rows of a set. */
async function squaresOf(lambda, { train, test }) {
  const middle = mean([...test.y]);
  const around = test.y.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return (await errorOf("single-task", { lambda }, { train, test })) * around;
}

/** Every fifth row of each task held out in turn, where the task has others; a fold that would hold out nothing is left out. */
function foldsOf(train) {
  const most = Math.max(...train.names.map((_, i) => train.offsets[i + 1] - train.offsets[i]));
  return Array.from({ length: Math.min(FOLDS, most) }, (_, fold) => {
    const { train: kept, test } = train.splitBy(
      (row, _, rows) => rows === 1 || row % FOLDS !== fold,
    );
    return { train: kept, test };
  });
}

/**
 * nMSE by split of ridge alone with one weight, the best of a grid by 5-fold cross-validation over the training rows of all tasks; it is not private. Features are
 * scaled by typical ranges whatever is declared to the private methods: one weight needs columns of one size.
 * @param target what is declared of it, as in `rawParts`, so that errors are on the same rows.
 */
export async function ridgeErrors(folder, name, target, splits) {
  const parts = rawParts(folder, name, "typical", { target });
  const errors = [];
  for (const split of splits) {
    const { train, test } = parts(split);
    const folds = foldsOf(train);
    const tried = [];
    for (const lambda of WEIGHTS) {
      let squares = 0;
      for (const fold of folds) squares += await squaresOf(lambda, fold);
      tried.push({ lambda, squares });
    }
    const { lambda } = tried.reduce((least, one) => (one.squares < least.squares ? one : least));
    errors.push(await errorOf("single-task", { lambda }, { train, test }));
  }
  return errors;
}

/** Whether lme4 is among the references. */
export const withLme4 = hasLme4();

/**
 * nMSE by split of what sees all rows without privacy, on the same rows: { "mixed-model", pooled, "no noise", and where it is on the machine, lme4
 * of two forms, whose features are scaled by typical ranges }.
 */
export async function referenceErrors(folder, name, target, splits, parts) {
  const random = (split) => ({ mode: "seeded", seed: `${name}-${split}-0` });
  const budget = { epsilon: ALMOST_WITHOUT_NOISE, delta: "papers" };
  const of = async (method, settings) => {
    const errors = [];
    for (const split of splits) errors.push(await errorOf(method, settings(split), parts(split)));
    return errors;
  };
  const own = {
    "mixed-model": await of("mixed-model", () => ({})),
    pooled: await of("pooled", () => ({ intercept: true })),
    "no noise": await of("mp-mixed", (split) => ({ ...budget, random: random(split) })),
  };
  if (!withLme4) return own;
  const { intercept, slope } = lme4Scores(tableOf(folder, name, target), splits);
  return { ...own, "lme4, intercept": intercept, "lme4, slope": slope };
}

/** A table as lme4 gets it; targets far beyond a typical range are held, as the tasks have them. */
function tableOf(folder, name, target) {
  const table = encodedTable(folder, name);
  if (target !== "typical") return table;
  const within = (y) => Math.max(-KEPT, Math.min(KEPT, y));
  return { ...table, rows: table.rows.map((row) => ({ ...row, y: within(row.y) })) };
}
