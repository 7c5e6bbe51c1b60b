/**
 * The plan of a run: what everyone agrees to before anything is uploaded.
 *
 * It holds every option after defaults (`plan-options.ts`), so two versions of this package cannot read one plan
 * differently, and its canonical text has one SHA-256 hash (`plan-hash.ts`), which every message carries.
 * @module
 */
import { NAME_FORM } from "../messages/names.js";
import { object } from "../../../core/checks.js";
import { checkNames, OptionError } from "../../../core/index.js";
import { AUTO, methodNamed } from "../../../learning/methods.js";
import { requirePriorNames, type AnyPublicPrior } from "../../../learning/options/public-prior.js";
import { fewestTasks, type Aggregate } from "../../../learning/round/statistic/robust-sum.js";
import { MOST_ROUNDS } from "../../../privacy/schedule.js";
import { planAggregation, type AggregationInput } from "../../secure-aggregation/plan/planned.js";
import { planRelays, type PlannedRelays } from "../../relayed-sums/plan/planned.js";
import { planAggregators, type AggregatorsInput } from "../../verified-sums/plan/planned.js";
import { TASK_LIMITS } from "../messages/refusal-reasons.js";
import { requireFields } from "../rules/plan-rules.js";
import { plainOptions } from "./plan-options.js";
import { problemsOf } from "./plan-problems.js";
import { FEWEST_TASKS, planEstimator, settleMethod } from "./planned-method.js";
import { givenBySchema } from "./schema-features.js";
import type { Plan, PlannedTask, PlanInput } from "./plan-form.js";

/**
 * Fills in defaults and checks everything. The method "auto", the default, becomes the one that `settleMethod` finds by public facts
 * and says why, so that what is hashed and agreed to always names a method.
 *
 * @param input `options` may leave out what has a default; a parsed plan is an input too.
 * @throws OptionError naming every field that is wrong, and options that only a local fit can have; where "auto" finds nothing worth
 *   sharing, saying why.
 * @example
 * const plan = makePlan({ run: "schools-1", method: "mp-feature-learning", features: ["age", "score"],
 *   options: { epsilon: 1, delta: 1e-4 }, minimumTasks: 3, registration: 600 });
 */
export function makePlan(input: PlanInput): Plan {
  const { format = "mp-mtl-plan", version = 1 } = object("plan", input) as Partial<Plan>;
  if (format !== "mp-mtl-plan" || version !== 1) {
    throw new OptionError("plan: expected the format mp-mtl-plan, version 1");
  }
  const known = new Set([...REQUIRED, ...Object.keys(DEFAULTS), ...WITHOUT_DEFAULT]);
  const unknown = Object.keys(input).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new OptionError(`plan: unknown ${unknown.join(", ")}; it has ${[...known].join(", ")}`);
  }
  requireFields("", input, { run: `expected ${NAME_FORM}` });
  const { latecomers, schema: _, ...others } = input;
  if (latecomers) {
    requireFields("latecomers.", latecomers, LATECOMERS);
    checkNames("plan: latecomers", latecomers, Object.keys(LATECOMERS));
  }
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const filled = {
    ...DEFAULTS,
    ...(Object.fromEntries(given) as PlanInput),
    ...givenBySchema(input),
  } as Omit<Plan, "minimumTasks"> & Pick<PlanInput, "minimumTasks">;
  requireTaskList(filled.tasks);
  requireRounds(filled.options);
  const { method, options: asked } = settleMethod(filled);
  const { options } = planEstimator({ method, options: asked });
  const plan: Plan = {
    ...filled,
    method,
    format: "mp-mtl-plan",
    version: 1,
    options: plainOptions(options, methodNamed(method).options),
    aggregation: filled.aggregation ? plannedSums(filled.aggregation) : null,
    tasks:
      filled.tasks?.map(({ name, participant = null }: Partial<PlannedTask>) => ({
        name: name!,
        participant,
      })) ?? null,
    minimumTasks: filled.minimumTasks ?? filled.tasks?.length ?? fewestOf(options),
    // Absent rather than null, as the schema is, so that plans without it keep their hashes.
    ...(latecomers ? { latecomers: { tasks: latecomers.tasks, rows: latecomers.rows } } : {}),
  };
  const problems = problemsOf(plan, options);
  if (problems.length > 0) throw new OptionError(`plan: ${problems.join("; ")}`);
  const { publicPrior } = options as { readonly publicPrior?: AnyPublicPrior | null };
  if (publicPrior) requirePriorNames(publicPrior, plan.features, plan.classes);
  // As its text says it, to the sign of a zero: whoever makes a plan has what the others read.
  return JSON.parse(JSON.stringify(plan)) as Plan;
}

/** What is in it `problemsOf` looks at. A participant of another spelling would be none: the task would be anyone's. */
function requireTaskList(tasks: unknown): void {
  const isEntry = (one: unknown): one is object => typeof one === "object" && one !== null;
  if (tasks === null) return;
  if (!Array.isArray(tasks) || !tasks.every(isEntry)) {
    throw new OptionError("plan: tasks: expected null or a list of { name, participant }");
  }
  for (const [at, one] of tasks.entries()) {
    checkNames(`plan: tasks[${at}]`, one, ["name", "participant"]);
  }
}

/** Before anything is reckoned for each of them. */
function requireRounds(options: unknown): void {
  const { rounds } = (options ?? {}) as { readonly rounds?: unknown };
  if (typeof rounds !== "number" || rounds <= MOST_ROUNDS) return;
  throw new OptionError(`plan: options.rounds: expected at most ${MOST_ROUNDS}, got ${rounds}`);
}

/** Fewest tasks that share anything, and of which there is the mean that the options ask for. */
function fewestOf(options: object): number {
  const { aggregate } = options as { readonly aggregate?: Aggregate };
  return Math.max(FEWEST_TASKS, aggregate ? fewestTasks(aggregate) : 1);
}

function plannedSums(
  input: AggregationInput | AggregatorsInput | PlannedRelays,
): NonNullable<Plan["aggregation"]> {
  if (typeof input !== "object" || !KINDS.includes(input.kind)) {
    throw new OptionError(
      'plan: aggregation: expected null, or { kind, ... } of kind "secure" (or without it), "relays" or "two-aggregators"',
    );
  }
  if (input.kind === "relays") return planRelays(input);
  return input.kind === "two-aggregators" ? planAggregators(input) : planAggregation(input);
}

const KINDS: readonly unknown[] = [undefined, "secure", "relays", "two-aggregators"];

const LATECOMERS = {
  tasks: "how many may come late, an integer from 1 on; leave latecomers out where none may",
  rows: `most rows of each, an integer from 1 to ${TASK_LIMITS.rows}`,
};

const REQUIRED = ["format", "version", "run", "features"];
const WITHOUT_DEFAULT = ["minimumTasks", "latecomers", "schema"];
const DEFAULTS: Omit<PlanInput, "run" | "features"> = {
  method: AUTO,
  options: {},
  normalize: "none",
  classes: null,
  tasks: null,
  registration: null,
  deadline: 60,
  quorum: 1,
  aggregation: null,
};

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
