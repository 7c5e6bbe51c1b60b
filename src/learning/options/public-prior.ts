/**
 * A prior from public knowledge: coefficients of a published study, or of a model of public data, in raw units.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { areSquarable } from "../../core/squarable.js";
import type { TaskSet } from "../../data/index.js";
import type { OptionKind } from "./kinds.js";
import { someNames } from "../../core/messages/some-names.js";

/**
 * Where models are expected before anything private is learned: y = intercept + sum_j coefficients[j] x_j; of labels (logistic
 * loss) the log-odds of the second of two, the later in order where none were declared, in a regression of all rows together.
 */
export interface PublicPrior {
  /** By feature, every one of them: units of the target, or of the log-odds, for one unit of the feature, as in the table. */
  readonly coefficients: Readonly<Record<string, number>>;
  /** The target, or the log-odds, where all features are 0; default 0. */
  readonly intercept?: number;
  /** Where it is from, for whoever reads the guarantee. */
  readonly source?: string;
}

const NONE = "none";
const MEMBERS = ["coefficients", "intercept", "source"];

function accept(value: unknown): PublicPrior | null | undefined {
  if (value === null) return null;
  if (typeof value !== "object") return undefined;
  const { coefficients, intercept = 0, source } = value as Partial<PublicPrior>;
  const isOnly = Object.keys(value).every((name) => MEMBERS.includes(name));
  const isRecord = typeof coefficients === "object" && !Array.isArray(coefficients);
  if (!isOnly || !isRecord || coefficients === null) return undefined;
  const numbers = [...Object.values(coefficients), intercept];
  const isWords = source === undefined || typeof source === "string";
  if (!isWords || !numbers.every(Number.isFinite)) return undefined;
  // A copy: what stands in it once rows were seen may be learned from them.
  return { ...(value as PublicPrior), coefficients: Object.freeze({ ...coefficients }) };
}

/** On the command line a JSON file. */
export const aPublicPrior: OptionKind<PublicPrior | null> = {
  expected: "{ coefficients: { FEATURE: number, … }, intercept?: number, source?: text }",
  expectedText:
    'a JSON file: { "coefficients": { "FEATURE": 0.5 }, "intercept": 2, "source": "…" }',
  placeholder: "FILE",
  fromFile: true,
  accept,
  read: (written) => (written === NONE ? null : written),
  write: (value) => (value ? "given" : NONE),
};

/**
 * Its model of the features as the tasks have them, declared ranges applied: [d + 1], the constant last.
 * @throws OptionError naming features that it lacks or does not know; if rows were scaled one by one; for numbers beyond all models.
 */
export function publicEffects(
  { coefficients, intercept = 0 }: PublicPrior,
  { featureNames, encoding }: TaskSet,
): Float64Array {
  const own = (name: string) => Object.hasOwn(coefficients, name);
  const missing = featureNames.filter((name) => !own(name));
  const unknown = Object.keys(coefficients).filter((name) => !featureNames.includes(name));
  if (missing.length > 0 || unknown.length > 0) {
    const parts = [
      ...(missing.length > 0 ? [`nothing on ${someNames(missing)}`] : []),
      ...(unknown.length > 0 ? [`no feature ${someNames(unknown)}`] : []),
    ];
    throw new OptionError(
      `publicPrior: ${parts.join("; ")}; expected a coefficient for each of ${someNames(featureNames)}, 0 for what ` +
        "nothing is known of",
    );
  }
  if (encoding.pipeline) {
    throw new OptionError(
      "publicPrior: its coefficients are for raw units, but rows were scaled by a pipeline; leave that out " +
        "(--normalize none)",
    );
  }
  const target = encoding.target.scale ?? { center: 0, halfWidth: 1 };
  const effects = new Float64Array(featureNames.length + 1);
  let level = intercept - target.center;
  featureNames.forEach((name, j) => {
    const { center, halfWidth } = encoding.columns[j]!.scale ?? { center: 0, halfWidth: 1 };
    const raw = coefficients[name]!;
    effects[j] = (raw * halfWidth) / target.halfWidth;
    level += raw * center;
  });
  effects[featureNames.length] = level / target.halfWidth;
  // Models that are no numbers would be found when the budget is spent.
  if (areSquarable(effects)) return effects;
  throw new OptionError(
    "publicPrior: its coefficients or intercept are beyond all that models can hold; expected them in raw units, so that no feature's " +
      "declared range moves the target by more than 1e60 of its own (without ranges: none above 1e60)",
  );
}
