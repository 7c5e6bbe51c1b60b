/**
 * What methods say of themselves to `auto`, by public facts. Where one ends and another begins was found on the tables
 * and simulations of docs/RESULTS-MIXED.md and docs/METHODS-STRUCTURE.md: on tables the mixed model is ahead, on many numbers that nobody declared, hierarchical learning.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { OptionError } from "../../core/index.js";
import { MIXED_LOSSES } from "../families/mixed/mixed-losses.js";
import { triangle } from "../../linalg/packed-symmetric.js";
import { COMPONENTS } from "../families/mixed/labels/posterior/logistic-average.js";
import type { ScalePlan } from "../families/mixed/undeclared/scale-plan.js";
import type { MethodFacts, Suitability } from "../options/method.js";
import { classesIn, expectedShare } from "./expected-share.js";
import { leastShare } from "./prospects.js";
import { everyTaskScales, undeclaredShare, WITHIN } from "./undeclared-share.js";

/** What the mixed model would learn of columns that nobody declared, and its share then. */
const learnedBy = (facts: MethodFacts) => {
  const { m, d, mu, loss, rowsPerTask, undeclared, hasPrior } = facts;
  const classes = classesIn(facts);
  return {
    m,
    d,
    mu,
    loss,
    classes,
    rowsPerTask,
    hasPrior,
    columns: undeclared.length,
    least: leastShare(classes),
  };
};

/**
 * Columns of numbers that nobody declared and every task had better scale: a table's many columns are mostly the levels of categories, whose
 * size is known, and with labels shared directions made probabilities worse.
 */
const manyRaw = (facts: MethodFacts) =>
  everyTaskScales(facts.undeclared.filter((at) => at < facts.d).length, learnedBy(facts));

const sizesIn = ({ m, d }: MethodFacts) => `${m} tasks with ${counted(d, "feature")}`;

/** How many columns nobody declared, the target as one of them. */
const unknownColumns = ({ undeclared }: MethodFacts) =>
  undeclared.length === 1 ? "one column is" : `${undeclared.length} columns are`;

function unknownScale(facts: MethodFacts): string {
  const { federated, m, epsilon } = facts;
  const what = `nobody declared how large ${unknownColumns(facts)}, which cannot be learned at epsilon ${epsilon} from ${counted(m, "task")}: `;
  return federated
    ? `${what}declare ranges in the plan's schema, say scale: "declared" (--scale declared) where every participant has declared them ` +
        'itself, or scale: "unit", or have more tasks (minimumTasks)'
    : `${what}declare ranges (--ranges FILE, which inspect --out drafts; a range that is still null in it says nothing)`;
}

/** Where learning sizes takes what sharing would need. */
const dearScale = (facts: MethodFacts) =>
  `nobody declared how large ${unknownColumns(facts)}, and what is left of the budget once that is learned buys next to nothing: declare ` +
  (facts.federated
    ? "ranges in the plan's schema"
    : "ranges (--ranges FILE; a range that is still null in it says nothing)");

function undeclaredRecords(facts: MethodFacts): string {
  return (
    `nobody declared how large ${unknownColumns(facts)}, and where single records are hidden sizes are not learned: declare ` +
    'ranges (--ranges FILE, which inspect --out drafts), or say scale: "unit" (--scale unit)'
  );
}

/** What is missing, unless the budget would buy next to nothing with it too: nobody should declare ranges in vain. */
const remedy = (why: string, share: number, classes?: number) =>
  share < leastShare(classes) ? "" : why;

/** Where single records are hidden: a record weighs in its task by about the root of its rows. */
function suitsRecords(facts: MethodFacts): Suitability | null {
  const { m, d, mu, loss, undeclared, unit, rowsPerTask } = facts;
  if (loss !== "squared") return null;
  const gain = unit === "record" ? Math.sqrt(Math.max(rowsPerTask, 1)) / 2 : 1;
  const share = expectedShare({ m, d, mu: mu * gain });
  if (undeclared.length > 0) return { share: 0, why: remedy(undeclaredRecords(facts), share) };
  if (share === 0) return { share, why: "" };
  return {
    share,
    why: `${sizesIn(facts)} are a table of grouped rows whose records are hidden one by one${unit === "both" ? ", beside whole tasks" : ""}`,
  };
}

/** Numbers of the posteriors of all classes' models that are kept unasked: 400 MB. */
const MOST_NUMBERS = 5e7;

/** The mixed model: tables. */
export function suitsMixed(facts: MethodFacts): Suitability | null {
  const { m, d, mu, loss, classes, rowsPerTask, hasPrior } = facts;
  if (!MIXED_LOSSES.includes(loss) || !(mu > 0)) return null;
  if (m * classes * COMPONENTS * triangle(d + 1) > MOST_NUMBERS) {
    const why = `a mixed model of ${classes} classes and ${counted(d, "feature")} has more numbers than are kept unasked; take fewer features`;
    if (hasPrior) throw new OptionError(`publicPrior: ${why}`);
    return { share: 0, why };
  }
  if (facts.unit !== "task") return suitsRecords(facts);
  if (manyRaw(facts) && !hasPrior) return null;
  const sizes = { m, d, classes: classesIn(facts), rowsPerTask };
  const learned = undeclaredShare(learnedBy(facts));
  if (learned === null) {
    const why = unknownScale(facts);
    if (hasPrior) throw new OptionError(`publicPrior: ${why}`);
    return { share: 0, why: remedy(why, expectedShare({ ...sizes, mu }), sizes.classes) };
  }
  const { share, plan } = learned;
  const least = leastShare(sizes.classes);
  if (share < least && !hasPrior) {
    const why = remedy(dearScale(facts), expectedShare({ ...sizes, mu }), sizes.classes);
    // What is not taken has a share of 0 where it can be said what would help.
    return why === "" ? { share, why } : { share: 0, why };
  }
  return {
    share,
    why: `${sizesIn(facts)} are a table of grouped rows, with ${scaleIn(facts, plan)}`,
    prior: "it starts from the public prior that was given",
  };
}

/** In words, from what the size of columns is known and what of the budget that takes. */
function scaleIn(facts: MethodFacts, { part, within }: ScalePlan): string {
  const { vouched, undeclared, federated } = facts;
  if (vouched) return "columns that are said to be of about unit size";
  if (undeclared.length === 0) return "declared ranges";
  const taken = `${Math.round(100 * part)} % of the budget`;
  const columns = facts.loss === "squared" ? facts.d + 1 : facts.d;
  const of = undeclared.length < columns ? ` of ${undeclared.length} of ${columns} columns` : "";
  const ranges = federated ? `ranges${of} in the plan's schema` : `ranges${of} (--ranges)`;
  return within
    ? `${taken} going to learn how much columns vary within tasks, since nobody declared ${ranges}. Tasks share slopes, and each keeps its ` +
        `own level. This has reached about ${Math.round(100 * WITHIN)} % of what declared ranges reach, which also tell of levels and of tasks never seen`
    : `${taken} going to learn how large columns are, since nobody declared ${ranges}, which would save that`;
}

/** Hierarchical learning: many columns, of which models have a mean, and use a few directions. Every task scales its own. */
export function suitsHierarchical(facts: MethodFacts): Suitability | null {
  const { m, d, mu } = facts;
  if (!manyRaw(facts) || facts.unit !== "task") return null;
  // A mean takes d numbers, as a direction does.
  const share = expectedShare({ m, d, mu });
  if (share === 0) return { share, why: "" };
  return {
    share,
    options: { priorStrength: "wide" },
    why: `${sizesIn(facts)} are many columns that nobody declared: every task scales its own, as votes on the size of so many cost more than they bring here`,
  };
}
