/**
 * Options that make a run's plan. `--config plan.json` has them flat, as flags are, or is a plan as
 * the library writes it, with the method's options in `options`.
 * @module
 */
import { OptionError } from "../core/index.js";
import {
  makePlan,
  settleMethod,
  type AggregationInput,
  type AggregatorsInput,
  type Plan,
  type Latecomers,
  type PlanInput,
  type PlannedTask,
} from "../federation/index.js";
import { AUTO, isFederated, SELECTABLE } from "../learning/methods.js";
import type { OptionKind } from "../learning/options/kinds.js";
import type { Values } from "./command.js";
import { methodFlags } from "./method-options.js";
import { choice, integer, list, number, text } from "./values.js";

const isName = (name: unknown): name is string => typeof name === "string" && name !== "";

/** NAME or NAME=PARTICIPANT, separated by commas; or the plan's own array. */
const plannedTasks: OptionKind<PlannedTask[] | null> = {
  expected: "task names, or NAME=PARTICIPANT, separated by commas",
  placeholder: "A,B=P",
  read: (written) => {
    const entries: unknown = typeof written === "string" ? written.split(",") : written;
    if (!Array.isArray(entries)) return entries;
    return entries.map((entry: unknown) => {
      if (typeof entry !== "string") return entry;
      const [name, participant = null, ...rest] = entry.trim().split("=");
      return rest.length > 0 ? undefined : { name, participant };
    });
  },
  accept: (value) => {
    if (value === null) return null;
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const tasks = value.map((task: unknown) => {
      const { name, participant = null } = (task ?? {}) as Partial<PlannedTask>;
      const fits = isName(name) && (participant === null || isName(participant));
      return fits ? { name, participant } : undefined;
    });
    return tasks.every((task) => task !== undefined) ? tasks : undefined;
  },
};

/** Labels of a classification: numbers stay numbers. */
const labels: OptionKind<(string | number | boolean)[] | null> = {
  expected: "labels separated by commas",
  placeholder: "A,B",
  read: (written) =>
    typeof written === "string"
      ? written.split(",").map((label) => {
          const number = Number(label);
          return label.trim() === "" || Number.isNaN(number) ? label.trim() : number;
        })
      : written,
  accept: (value) => {
    const isLabel = (label: unknown) => ["string", "number", "boolean"].includes(typeof label);
    return value === null || (Array.isArray(value) && value.every(isLabel)) ? value : undefined;
  },
};

/** null in a plan's file is the default, as in the plan. */
const orNothing = <T>(kind: OptionKind<T>): OptionKind<T | null> => ({
  ...kind,
  accept: (value) => (value === null ? null : kind.accept(value)),
});

/** JSON, or what a plan's file has there; the plan's own checks judge it. */
const json: OptionKind<unknown> = {
  expected: "JSON",
  placeholder: "JSON",
  read: (written) => {
    if (typeof written !== "string") return written;
    try {
      return JSON.parse(written) as unknown;
    } catch {
      return undefined;
    }
  },
  accept: (value) => value,
};

/** The methods that can run apart. */
export const federated = methodFlags(
  SELECTABLE.filter((one) => one.name === AUTO || isFederated(one)),
);

export const planOptions = {
  run: {
    value: "NAME",
    help: "Name of the run: letters, digits, - and _.",
    schema: text("a name"),
    default: "main",
  },
  features: {
    value: "A,B",
    help: "Features, in order: columns that every participant's table has; of a category ward=med for every level. Needed.",
    schema: list("column names separated by commas"),
  },
  classes: {
    value: "A,B",
    help: "With the logistic or softmax loss: all labels, whether a table has them or not.",
    schema: labels,
  },
  tasks: {
    value: "A,B=P",
    help: "The tasks that may take part, each with its participant after =; default: whoever registers.",
    schema: plannedTasks,
  },
  minimumTasks: {
    value: "N",
    help: "Fewest tasks to start with; default all of --tasks, or 3.",
    schema: integer({ min: 1 }),
  },
  registration: {
    value: "SECONDS",
    help: "How long to wait for registrations; default: for all of --tasks, or 60 s without them.",
    schema: orNothing(number({ above: 0 })),
  },
  deadline: {
    value: "SECONDS",
    help: "How long a round stays open; default 60. It closes at once when everyone has uploaded.",
    schema: number({ above: 0 }),
  },
  quorum: {
    value: "SHARE",
    help: "Fraction of the tasks without which a round does not close but waits; default 1.",
    schema: number({ above: 0, max: 1 }),
  },
  latecomers: {
    value: "JSON",
    help:
      'Places for owners who come after the start: {"tasks": N, "rows": N}, so many tasks of at most so many rows; default: nobody ' +
      "joins a run that has begun.",
    schema: json as OptionKind<Latecomers | null>,
  },
  normalize: {
    value: "rows|none",
    help: "rows: every participant scales its rows to unit l2 norm; default none.",
    schema: choice("rows", "none"),
  },
  aggregation: {
    value: "JSON",
    help:
      'Secure sums, where the curator is not to see vectors: {"participants": [{"name", "identity", "relay"?}], ' +
      '"colluding": N, "threshold"?: N, "dropOuts"?: N, "relays"?: [{"name", "relay"}]}, the last for relays of relays; identities as join --identity prints them. Or verified sums, where longer vectors ' +
      'are refused: {"kind": "two-aggregators", "leader": KEY, "helper": {"name", "key": KEY}}; keys as curator --key and ' +
      "helper --key print them.",
    schema: json as OptionKind<AggregationInput | AggregatorsInput | null>,
  },
  method: federated.method,
  options: {
    value: "JSON",
    help: "The method's options together, as the library's plans have them; flags win over them.",
    schema: json,
  },
  format: { value: "NAME", help: "In a plan's file: mp-mtl-plan.", schema: text("mp-mtl-plan") },
  version: { value: "N", help: "In a plan's file: 1.", schema: integer({ min: 1, max: 1 }) },
} as const;

/** Those that were given. */
const givenOf = (flags: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));

const pick = ({ method, options }: Pick<Plan, "method" | "options">) => ({ method, options });

/** Seconds for registrations where the plan names no tasks and the command line no time. */
const REGISTRATION = 60;

/**
 * The plan that the options and the method's flags make, and why "auto" took its method; null where one was named.
 * Throws OptionError naming every field that is wrong.
 */
export function planOf(
  values: Values<typeof planOptions>,
  flags: Readonly<Record<string, unknown>>,
): { readonly plan: Plan; readonly why: string | null } {
  const { run, method, features, classes, minimumTasks, deadline, quorum, normalize } = values;
  if (features === undefined) throw new OptionError("--features is needed.");
  const tasks = values.tasks ?? undefined;
  const registration = values.registration ?? (tasks ? undefined : REGISTRATION);
  const options = { ...(values.options as object | undefined), ...givenOf(flags) };
  const aggregation = values.aggregation ?? undefined;
  const fields = {
    ...{ classes, tasks, minimumTasks, registration, deadline, quorum, normalize },
    aggregation,
    latecomers: values.latecomers,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const input = { run, method, features, options, ...Object.fromEntries(given) } as PlanInput;
  const settled = settleMethod(input);
  return { plan: makePlan({ ...input, ...pick(settled) }), why: settled.why };
}
