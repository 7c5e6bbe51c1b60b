/**
 * Random configurations: a method, values of its options, a data set and the change of one task.
 * @module
 */
import fc from "fast-check";
import seedrandom from "seedrandom";
import type { TaskSet } from "../../src/data/index.js";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import { clusterRelationship } from "../../src/learning/estimators/fixed-relationship.js";
import type { MpFrameworkOptions, RuleInput } from "../../src/learning/estimators/mp-framework.js";
import type { StepInput } from "../../src/learning/families/custom/local-step.js";
import type { AnyMethod } from "../../src/learning/options/method.js";
import { isMatrix, valuesOf, type Drawn } from "./option-values.js";
import { makeData, neighbourOf, shapes, type Shape } from "./data.js";

/** All that a check is made from; it prints as JSON. */
export interface Configuration {
  readonly method: string;
  /** Those that have another value than their default. */
  readonly options: Readonly<Record<string, Drawn>>;
  readonly shape: Shape;
  /** The task that changes is this modulo their number. */
  readonly changed: number;
  readonly seed: number;
}

/** Some of the options of a method, with drawn values. */
function optionsOf({ options }: AnyMethod): fc.Arbitrary<Record<string, Drawn>> {
  const drawn: Record<string, fc.Arbitrary<Drawn | undefined>> = {};
  for (const [name, declared] of Object.entries(options as AnyMethod["options"])) {
    const values = name === "random" ? undefined : valuesOf(declared);
    if (!values) continue;
    const absent = { weight: "default" in declared ? 3 : 0, arbitrary: fc.constant(undefined) };
    drawn[name] = fc.oneof({ withCrossShrink: true }, absent, { weight: 2, arbitrary: values });
  }
  return fc.record(drawn).map((values) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as Record<string, Drawn>;
  });
}

/** Options that can be drawn from no declaration, by method: functions, and where the noise comes from. */
export function undrawable({ options }: AnyMethod): string[] {
  return Object.keys(options).filter((name) => !valuesOf(options[name]!));
}

/** One of the methods, with what it is run on. */
export function configurations(
  methods: readonly AnyMethod[] = ALL_METHODS,
): fc.Arbitrary<Configuration> {
  return fc
    .constantFrom(
      ...methods.flatMap((method) => (method.privacy ? [method, method, method] : [method])),
    ) // prettier-ignore
    .chain((method) =>
      fc.record({
        method: fc.constant(method.name),
        options: optionsOf(method),
        shape: shapes,
        changed: fc.nat(5),
        seed: fc.nat(1e6),
      }),
    );
}

/** A configuration made real. */
export interface Worlds {
  readonly method: AnyMethod;
  readonly options: Readonly<Record<string, unknown>>;
  readonly unit: "task" | "record";
  /** Position of the task that differs. */
  readonly changed: number;
  readonly present: TaskSet;
  readonly neighbour: TaskSet;
}

const LEVELS: Record<string, number> = { logistic: 2, softmax: 3 };

/** Functions for the options that are functions. */
const IN_CODE = (options: Partial<MpFrameworkOptions>) => ({
  rule: ({ released, m, d }: RuleInput) => {
    const last = released.at(-1)!;
    const { broadcastLength = "auto" } = options;
    const length = broadcastLength === "auto" ? last.length : broadcastLength;
    return Float64Array.from({ length }, (_, k) => (last[k % last.length]! * d) / m);
  },
  step: ({ upload, broadcast, x, y }: StepInput) =>
    upload.map(
      (w, j) => w / (1 + Math.abs(broadcast[j % broadcast.length]!)) + 1e-3 * x[j]! * y[0]!,
    ),
});

/** Clusters of a seed's own making. */
const relationshipOf = (m: number, seed: number) =>
  clusterRelationship(
    Array.from({ length: m }, (_, i) => (i * (seed + 1)) % 3),
    (seed % 10) / 10,
  );

/** Makes the two worlds and the options as the method takes them. */
export function worldsOf(configuration: Configuration): Worlds {
  const { method: name, shape, seed } = configuration;
  const method = ALL_METHODS.find((known) => known.name === name)!;
  const { loss = "squared", featureBound = 1 } = configuration.options as {
    loss?: string;
    featureBound?: number;
  };
  // A method that holds rows to a bound refuses others, and most draws should run.
  const open = !("featureBound" in (method.options as object));
  const limits = { bound: featureBound, levels: LEVELS[loss] ?? 0, open };
  const present = makeData(shape, limits);
  const changed = configuration.changed % present.m;
  const asked = configuration.options["unit"] as "task" | "record" | "both" | undefined;
  const record =
    asked === "record" ||
    (asked === "both" && seed % 2 === 1 && configuration.options["adjacency"] !== "zero-out");
  const unit = record ? "record" : (method.privacy?.unit ?? "task");
  const zero =
    unit === "record" && asked !== "both" && configuration.options["adjacency"] === "zero-out";
  const options: Record<string, unknown> = {};
  const functions: Record<string, unknown> = IN_CODE(configuration.options);
  for (const key of Object.keys(method.options as object)) {
    const value = configuration.options[key];
    // A record that adds nothing is no row of zeros where the constant is a feature.
    if (key === "adjacency" && asked === "record") options[key] = "replace";
    // Refused of whole tasks.
    else if (key.endsWith("PerPerson") && (asked ?? "task") === "task") continue;
    else if (key === "random") options[key] = { mode: "seeded", seed: `property ${seed}` };
    else if (
      key === "taskEpsilons" &&
      value === undefined &&
      asked &&
      asked !== "task" &&
      seed % 3 === 0
    )
      options[key] = {
        t0:
          ((configuration.options["epsilon"] as number | undefined) ?? 1) * (seed % 2 ? 0.3 : 1e-3),
      };
    else if (key === "publicPrior" && seed % 4 === 0) {
      const coefficients = Object.fromEntries(present.featureNames.map((n, j) => [n, (j % 3) - 1]));
      const model = { coefficients, intercept: 0.3 };
      // The first is the reference.
      const named = present.targetLevels?.slice(1) ?? [];
      options[key] =
        loss === "softmax" ? { classes: Object.fromEntries(named.map((n) => [n, model])) } : model;
    } else if (key === "relationship") options[key] = relationshipOf(present.m, seed);
    else if (isMatrix(value)) {
      const random = seedrandom(`matrix ${value.matrix}`);
      options[key] = new Float64Array(present.m * present.d).map(() => 2 * random() - 1);
    } else if (value !== undefined) options[key] = value;
    else if (!("default" in method.options[key]!)) options[key] = functions[key];
  }
  const rowsPerPerson = options["rowsPerPerson"] as number | undefined;
  const change = { task: changed, unit, zero, seed, rowsPerPerson };
  const neighbour = neighbourOf(present, shape.form, change, limits);
  return { method, options, unit, changed, present, neighbour };
}
