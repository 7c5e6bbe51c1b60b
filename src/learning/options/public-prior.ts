/**
 * A prior from public knowledge: coefficients of a published study, or of a model of public data, in raw units.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { isObject } from "../../core/is-object.js";
import { areSquarable } from "../../core/squarable.js";
import type { Label, TaskSet } from "../../data/index.js";
import type { LossName } from "../tasks/losses.js";
import type { OptionKind } from "./kinds.js";
import { someNames } from "../../core/messages/some-names.js";

/** A line: intercept + sum_j coefficients[j] x_j. */
export interface PublicModel {
  /** By feature, every one of them: units of the target, or of the log-odds, for one unit of the feature, as in the table. */
  readonly coefficients: Readonly<Record<string, number>>;
  /** The target, or the log-odds, where all features are 0; default 0. */
  readonly intercept?: number;
}

/**
 * Where models are expected before anything private is learned: y = intercept + sum_j coefficients[j] x_j; of labels (logistic
 * loss) the log-odds of the second of two, the later in order where none were declared, in a regression of all rows together.
 */
export interface PublicPrior extends PublicModel {
  /** Where it is from, for whoever reads the guarantee. */
  readonly source?: string;
}

/**
 * The same of several classes (softmax loss): a multinomial logistic regression of all rows together, P(c) proportional to
 * exp(intercept_c + sum_j coefficients_c[j] x_j). The class that a study takes as its reference is left out: its numbers are 0.
 */
export interface PublicClassesPrior {
  /** By class, as its label is written: every one, or all but the reference. */
  readonly classes: Readonly<Record<string, PublicModel>>;
  /** Where it is from, for whoever reads the guarantee. */
  readonly source?: string;
}

/** What the option takes. */
export type AnyPublicPrior = PublicPrior | PublicClassesPrior;

const NONE = "none";
const MODEL = ["coefficients", "intercept"];

const hasOnly = (value: object, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name));

/** A line's copy, whatever its numbers are. */
function acceptModel(value: unknown): PublicModel | undefined {
  if (!isObject(value) || !hasOnly(value, MODEL) || !isObject(value["coefficients"]))
    return undefined;
  const coefficients = Object.freeze({ ...value["coefficients"] });
  return { ...(value as Partial<PublicModel>), coefficients } as PublicModel;
}

function acceptClasses(value: unknown): PublicClassesPrior["classes"] | undefined {
  if (!isObject(value)) return undefined;
  const models = Object.entries(value).map(([name, one]) => [name, acceptModel(one)] as const);
  if (models.length === 0 || models.some(([, model]) => !model)) return undefined;
  return Object.freeze(
    Object.fromEntries(models.map(([name, one]) => [name, Object.freeze(one!)])),
  );
}

function accept(value: unknown): AnyPublicPrior | null | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  // A copy: what stands in it once rows were seen may be learned from them.
  const { source, ...rest } = value;
  if (source !== undefined && typeof source !== "string") return undefined;
  const from = source === undefined ? {} : { source };
  if (Object.hasOwn(rest, "classes")) {
    const classes = hasOnly(rest, ["classes"]) ? acceptClasses(rest["classes"]) : undefined;
    // Which of its numbers is none is said with its class and column once all options are read.
    return classes && { classes, ...from };
  }
  const model = acceptModel(rest);
  return model && numbersOf(model).every(Number.isFinite) ? { ...model, ...from } : undefined;
}

const numbersOf = ({ coefficients, intercept = 0 }: PublicModel) => [
  ...Object.values(coefficients),
  intercept,
];

/** On the command line a JSON file. */
export const aPublicPrior: OptionKind<AnyPublicPrior | null> = {
  expected:
    "{ coefficients: { FEATURE: number, … }, intercept?: number, source?: text }, of several classes " +
    "{ classes: { CLASS: { coefficients, intercept? }, … }, source?: text }",
  expectedText:
    'a JSON file: { "coefficients": { "FEATURE": 0.5 }, "intercept": 2, "source": "…" }, of several classes ' +
    '{ "classes": { "CLASS": { "coefficients": …, "intercept": 2 } }, "source": "…" }',
  placeholder: "FILE",
  fromFile: true,
  accept,
  read: (written) => (written === NONE ? null : written),
  write: (value) => (value ? "given" : NONE),
};

export const isOfClasses = (prior: AnyPublicPrior): prior is PublicClassesPrior =>
  Object.hasOwn(prior, "classes");

/**
 * What can be said of a prior before any rows are there.
 * @throws OptionError if it is of another form than the loss has; naming class and feature where something is no number.
 */
export function checkPublicPrior(prior: AnyPublicPrior, loss: LossName): void {
  if (isOfClasses(prior) !== (loss === "softmax")) {
    throw new OptionError(
      loss === "softmax"
        ? "publicPrior: the softmax loss has a model for each class; expected { classes: { CLASS: { coefficients, intercept? }, … } }, " +
            "the reference class left out"
        : `publicPrior: has models of several classes, for the softmax loss; the ${loss} loss expects { coefficients, intercept? }`,
    );
  }
  const models = isOfClasses(prior) ? Object.entries(prior.classes) : [["", prior] as const];
  for (const [name, { coefficients, intercept = 0 }] of models) {
    const numbers = Object.entries(coefficients).map(
      ([feature, value]) => [`the coefficient of ${JSON.stringify(feature)}`, value] as const,
    );
    const wrong = [...numbers, ["the intercept", intercept] as const].find(
      ([, value]) => !Number.isFinite(value),
    );
    if (!wrong) continue;
    throw new OptionError(
      `publicPrior: ${ofClass(name)}expected a finite number as ${wrong[0]}, got ${typeof wrong[1]}`,
    );
  }
}

const ofClass = (name: string) => (name === "" ? "" : `class ${JSON.stringify(name)}: `);

/**
 * That it has a model of just these features, of several classes one for each of them, or for all but the reference.
 * @param prior   of the form of the loss, see `checkPublicPrior`.
 * @param classes the labels of the softmax loss; null of others, or where nobody knows them yet.
 * @throws OptionError naming classes or features that it lacks or does not know.
 */
export function requirePriorNames(
  prior: AnyPublicPrior,
  features: readonly string[],
  classes: readonly Label[] | null,
): void {
  if (!isOfClasses(prior)) return requireFeatures("", prior, features);
  if (classes) requireClasses(Object.keys(prior.classes), classes.map(String));
  Object.entries(prior.classes).forEach(([name, model]) => requireFeatures(name, model, features));
}

function requireClasses(given: readonly string[], names: readonly string[]): void {
  const missing = names.filter((name) => !given.includes(name));
  const unknown = given.filter((name) => !names.includes(name));
  if (missing.length <= 1 && unknown.length === 0) return;
  const parts = [
    ...(missing.length > 1 ? [`nothing on the classes ${someNames(missing)}`] : []),
    ...(unknown.length > 0 ? [`no class ${someNames(unknown)}`] : []),
  ];
  throw new OptionError(
    `publicPrior: ${parts.join("; ")}; expected a model for each of ${someNames(names)}, or for all but one, which is then the reference`,
  );
}

function requireFeatures(
  name: string,
  { coefficients }: PublicModel,
  features: readonly string[],
): void {
  const missing = features.filter((feature) => !Object.hasOwn(coefficients, feature));
  const unknown = Object.keys(coefficients).filter((feature) => !features.includes(feature));
  if (missing.length === 0 && unknown.length === 0) return;
  const parts = [
    ...(missing.length > 0 ? [`nothing on ${someNames(missing)}`] : []),
    ...(unknown.length > 0 ? [`no feature ${someNames(unknown)}`] : []),
  ];
  throw new OptionError(
    `publicPrior: ${ofClass(name)}${parts.join("; ")}; expected a coefficient for each of ${someNames(features)}, 0 for what ` +
      "nothing is known of",
  );
}

/**
 * Its model of the features as the tasks have them, declared ranges applied: [d + 1], the constant last; of several classes [C, d + 1],
 * in the order of the classes, logits of a softmax.
 * @param prior   of the form of the loss, see `checkPublicPrior`.
 * @param classes the labels of the softmax loss; null of others.
 * @throws as `requirePriorNames`; if rows were scaled one by one; for numbers beyond all models.
 */
export function publicEffects(
  prior: AnyPublicPrior,
  tasks: TaskSet,
  classes: readonly Label[] | null = null,
): Float64Array {
  requirePriorNames(prior, tasks.featureNames, classes);
  if (!isOfClasses(prior)) return effectsOf("", prior, tasks);
  const d = tasks.featureNames.length + 1;
  const effects = new Float64Array(classes!.length * d);
  classes!.map(String).forEach((name, c) => {
    // The reference is 0.
    if (!Object.hasOwn(prior.classes, name)) return;
    effects.set(effectsOf(name, prior.classes[name]!, tasks), c * d);
  });
  return effects;
}

/** A line of the features as the tasks have them. @param name of its class; "" of none. */
function effectsOf(
  name: string,
  { coefficients, intercept = 0 }: PublicModel,
  { featureNames, encoding }: TaskSet,
): Float64Array {
  if (encoding.pipeline) {
    throw new OptionError(
      "publicPrior: its coefficients are for raw units, but rows were scaled by a pipeline; leave that out " +
        "(--normalize none)",
    );
  }
  const target = encoding.target.scale ?? { center: 0, halfWidth: 1 };
  const effects = new Float64Array(featureNames.length + 1);
  let level = intercept - target.center;
  featureNames.forEach((feature, j) => {
    const { center, halfWidth } = encoding.columns[j]!.scale ?? { center: 0, halfWidth: 1 };
    const raw = coefficients[feature]!;
    effects[j] = (raw * halfWidth) / target.halfWidth;
    level += raw * center;
  });
  effects[featureNames.length] = level / target.halfWidth;
  // Models that are no numbers would be found when the budget is spent.
  if (areSquarable(effects)) return effects;
  throw new OptionError(
    `publicPrior: ${ofClass(name)}its coefficients or intercept are beyond all that models can hold; expected them in raw units, so that no feature's ` +
      "declared range moves the target by more than 1e60 of its own (without ranges: none above 1e60)",
  );
}
