/**
 * The plan of a run: what everyone agrees to before anything is uploaded.
 *
 * It holds every option after defaults (`plan-options.ts`), so two versions of this package cannot read one plan
 * differently, and its canonical text has one SHA-256 hash, which every message carries.
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { OptionError } from "../../core/index.js";
import type { Label } from "../../data/index.js";
import type { DividedEstimator } from "../../learning/release/private-estimator.js";
import { Auto, chooseMethod, makeEstimator, type CommonOptions } from "../../learning/index.js";
import { AUTO, findMethod, isFederated, methodNamed, METHODS } from "../../learning/methods.js";
import {
  aggregationProblems,
  planAggregation,
  type AggregationInput,
  type PlannedAggregation,
} from "../secure-aggregation/planned.js";
import { plainOptions } from "./plan-options.js";

/** Agreed by all, shown to all. */
export interface Plan {
  readonly format: "mp-mtl-plan";
  readonly version: 1;
  /** Name of the run: letters, digits, `-` and `_`, at most 64. */
  readonly run: string;
  /** The command line's name of a private method whose halves can run apart. */
  readonly method: string;
  /** Every option of the method. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Feature names, in order: every participant's data has exactly these. */
  readonly features: readonly string[];
  /** What a participant does to its rows: scales each to unit l2 norm, or nothing (default). */
  readonly normalize: "rows" | "none";
  /** The labels, ascending, for the logistic and softmax losses; else null. */
  readonly classes: readonly Label[] | null;
  /**
   * The tasks in the order of the run, each with the only participant that may own it (null: anyone).
   * null (default): whoever registers, in the order of names.
   */
  readonly tasks: readonly PlannedTask[] | null;
  /** Fewest tasks to start with; default all of `tasks`, or 3. */
  readonly minimumTasks: number;
  /**
   * Seconds to wait for registrations; then the run starts if `minimumTasks` are there. null
   * (default): until all of `tasks` are; without `tasks` until the curator says so.
   */
  readonly registration: number | null;
  /** Seconds a round stays open; default 60. It closes at once when everyone has uploaded. */
  readonly deadline: number;
  /**
   * Fraction of the tasks, in (0, 1], without whose answers a round does not close but pauses; default 1:
   * nobody is left out. Of all tasks, where a sample is drawn, too.
   */
  readonly quorum: number;
  /**
   * null (default): the curator sees every task's vector. Else it sees noisy sums only, of the
   * participants named here; {@link PlannedAggregation}.
   */
  readonly aggregation: PlannedAggregation | null;
}

/** A task that may take part. */
export interface PlannedTask {
  readonly name: string;
  readonly participant: string | null;
}

/** What has to be given; the rest has defaults. */
export type PlanInput = Partial<Omit<Plan, "format" | "version" | "aggregation">> &
  Pick<Plan, "run" | "method" | "features"> & { readonly aggregation?: AggregationInput | null };

const RUN = /^[A-Za-z0-9_-]{1,64}$/;
/** A participant's name: it becomes part of a subject, so no dots, blanks or wildcards. */
const PARTICIPANT = /^[A-Za-z0-9_-]{1,64}$/;

/** Methods whose halves can run apart: the private ones whose unit is a task. */
export const FEDERATED_METHODS: readonly string[] = METHODS.filter(isFederated).map(
  ({ name }) => name,
);

function isDivided(estimator: object): estimator is DividedEstimator {
  return "halves" in estimator;
}

/** Whether a name can be a participant's. */
export function isParticipantName(name: unknown): name is string {
  return typeof name === "string" && PARTICIPANT.test(name);
}

/**
 * The estimator of a plan: its options checked, its two halves.
 * @throws OptionError for a method without halves or a bad option.
 */
export function planEstimator({
  method,
  options,
}: Pick<Plan, "method" | "options">): DividedEstimator {
  if (!findMethod(method)) {
    throw new OptionError(
      `method: expected one of ${FEDERATED_METHODS.join(", ")}, got ${JSON.stringify(method)}`,
    );
  }
  const estimator = makeEstimator(method, { ...options });
  if (!isDivided(estimator)) {
    throw new OptionError(
      `method: ${method} has no halves that could run apart; expected one of ` +
        `${FEDERATED_METHODS.join(", ")}`,
    );
  }
  return estimator;
}

/** Numbers predicted per row. */
export function outputsOf({ options, classes }: Pick<Plan, "options" | "classes">): number {
  return options["loss"] === "softmax" ? classes!.length : 1;
}

/**
 * The method of a plan that names "auto": by the fewest tasks, the features, the budget and what `scale` says of
 * declared ranges, before anything is uploaded. A plan that names a method keeps it; `why` is then null.
 * @throws OptionError where nothing is worth sharing, or for an option that "auto" does not have.
 */
export function settleMethod(
  input: PlanInput,
): Pick<Plan, "method" | "options"> & { readonly why: string | null } {
  const { method, options = {}, tasks, minimumTasks, features } = input;
  if (method !== AUTO) return { method, options, why: null };
  const checked = new Auto(options).options;
  const m = minimumTasks ?? tasks?.length ?? 3;
  const found = chooseMethod({
    ...checked,
    ...{
      federated: true,
      declared: checked.scale !== "auto",
      hasPrior: checked.publicPrior !== null,
    },
    sizes: { m, d: features.length, rows: m * UNKNOWN_ROWS },
  });
  const { options: declared } = methodNamed(found.method);
  const passed = Object.entries({ ...found.options, ...checked }).filter(
    ([name]) => name in declared,
  );
  return { method: found.method, options: Object.fromEntries(passed), why: found.why };
}

/** Rows of a task, of which a plan knows nothing. */
const UNKNOWN_ROWS = 10;

/**
 * Fills in defaults and checks everything; "auto" becomes the method that `settleMethod` finds.
 *
 * @param input `options` may leave out what has a default; a parsed plan is an input too.
 * @throws OptionError naming every field that is wrong, and options that only a local fit can have.
 * @example
 * const plan = makePlan({ run: "schools-1", method: "mp-feature-learning", features: ["age", "score"],
 *   options: { epsilon: 1, delta: 1e-4 }, minimumTasks: 3, registration: 600 });
 */
export function makePlan(input: PlanInput): Plan {
  const { format = "mp-mtl-plan", version = 1 } = input as Partial<Plan>;
  if (format !== "mp-mtl-plan" || version !== 1) {
    throw new OptionError("plan: expected the format mp-mtl-plan, version 1");
  }
  const known = new Set([...REQUIRED, ...Object.keys(DEFAULTS), "minimumTasks"]);
  const unknown = Object.keys(input).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new OptionError(`plan: unknown ${unknown.join(", ")}; it has ${[...known].join(", ")}`);
  }
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const filled = { ...DEFAULTS, ...(Object.fromEntries(given) as PlanInput) } as Omit<
    Plan,
    "minimumTasks"
  > &
    Pick<PlanInput, "minimumTasks">;
  const { method, options: asked } = settleMethod(filled);
  const { options } = planEstimator({ method, options: asked });
  const plan: Plan = {
    ...filled,
    method,
    format: "mp-mtl-plan",
    version: 1,
    options: plainOptions(options, methodNamed(method).options),
    aggregation: filled.aggregation ? planAggregation(filled.aggregation) : null,
    tasks:
      filled.tasks?.map(({ name, participant = null }: Partial<PlannedTask>) => ({
        name: name!,
        participant,
      })) ?? null,
    minimumTasks: filled.minimumTasks ?? filled.tasks?.length ?? 3,
  };
  const problems = problemsOf(plan, options);
  if (problems.length > 0) throw new OptionError(`plan: ${problems.join("; ")}`);
  return plan;
}

const REQUIRED = ["format", "version", "run", "method", "features"];
const DEFAULTS: Omit<PlanInput, "run" | "method" | "features"> = {
  options: {},
  normalize: "none",
  classes: null,
  tasks: null,
  registration: null,
  deadline: 60,
  quorum: 1,
  aggregation: null,
};

function problemsOf(plan: Plan, { loss, ...options }: CommonOptions): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, message: string) => {
    if (!holds) problems.push(message);
  };
  const unique = (list: readonly unknown[]) => new Set(list).size === list.length;
  const texts = (list: unknown): list is readonly string[] =>
    Array.isArray(list) && list.every((text) => typeof text === "string" && text !== "");
  const { classes, tasks, registration } = plan;
  check(RUN.test(plan.run), "run: expected 1 to 64 letters, digits, - or _");
  check(
    texts(plan.features) && plan.features.length > 0 && unique(plan.features),
    "features: expected unique names, in order",
  );
  check(["rows", "none"].includes(plan.normalize), 'normalize: expected "rows" or "none"');
  if (loss === "squared") check(classes === null, "classes: the squared loss has none");
  else {
    const count = Array.isArray(classes) && unique(classes) ? classes.length : 0;
    check(
      loss === "logistic" ? count === 2 : count >= 2,
      `classes: the ${loss} loss needs ${loss === "logistic" ? "both" : "all"} labels, since those ` +
        "that occur in one's data would be a release",
    );
  }
  if (tasks) {
    check(
      tasks.length > 0 &&
        texts(tasks.map(({ name }) => name)) &&
        unique(tasks.map(({ name }) => name)),
      "tasks: expected unique names",
    );
    check(
      tasks.every(({ participant }) => participant === null || isParticipantName(participant)),
      "tasks: a participant's name has 1 to 64 letters, digits, - or _",
    );
  }
  const most = tasks?.length ?? Number.MAX_SAFE_INTEGER;
  check(
    Number.isInteger(plan.minimumTasks) && plan.minimumTasks >= 1 && plan.minimumTasks <= most,
    `minimumTasks: expected an integer from 1 to the number of tasks`,
  );
  const seconds = (value: unknown) =>
    typeof value === "number" && Number.isFinite(value) && value > 0;
  check(registration === null || seconds(registration), "registration: expected seconds, or null");
  check(seconds(plan.deadline), "deadline: expected seconds > 0");
  check(seconds(plan.quorum) && plan.quorum <= 1, "quorum: expected 0 < quorum <= 1");
  if (plan.aggregation) {
    problems.push(...aggregationProblems(plan));
    check(
      plan.aggregation.participants.every(({ name }) => isParticipantName(name)),
      "aggregation.participants: a participant's name has 1 to 64 letters, digits, - or _",
    );
  }
  const { sampling } = options as { sampling?: { kind: string; size?: number } };
  if (sampling?.kind === "fixed-size") {
    check(sampling.size! <= plan.minimumTasks, "options.sampling.size: more than minimumTasks");
  }
  return problems;
}

/** The plan's one text: keys sorted, no blanks. Numbers are printed as JSON prints them. */
export function canonicalPlan(plan: Plan): string {
  return canonicalJson(plan);
}

/** SHA-256 of the canonical text, 64 hexadecimal digits. */
export function planHash(plan: Plan): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalPlan(plan))));
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry)}`);
    return `{${entries.join(",")}}`;
  }
  return JSON.stringify(value);
}

/**
 * A plan from its text, canonical or not.
 * @throws OptionError if it is not JSON or not a plan.
 */
export function parsePlan(text: string): Plan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OptionError("plan: expected JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new OptionError("plan: expected a JSON object");
  }
  return makePlan(value as PlanInput);
}
