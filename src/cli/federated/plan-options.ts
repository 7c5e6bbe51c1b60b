/**
 * Options that make a run's plan. `--config plan.json` has them flat, as flags are, or is a plan as
 * the library writes it, with the method's options in `options`.
 * @module
 */
import { OptionError } from "../../core/index.js";
import {
  makePlan,
  settleMethod,
  type AggregationInput,
  type AggregatorsInput,
  type PlannedRelays,
  type Plan,
  type Latecomers,
  type PlanInput,
} from "../../federation/index.js";
import { AUTO, isFederated, SELECTABLE } from "../../learning/methods.js";
import type { OptionKind } from "../../learning/options/kinds.js";
import type { Values } from "../options/command.js";
import { methodFlags } from "../options/method-options.js";
import { json, labels, orNothing, plannedTasks, schemaFile } from "./plan-kinds.js";
import { choice, integer, list, number, text } from "../options/values.js";

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
    help:
      "Features, in order: columns that every participant's table has; of a category ward=med for every level. Needed, unless " +
      "--schema gives them.",
    schema: list("column names separated by commas"),
  },
  schema: {
    value: "FILE",
    help:
      "Schema file (JSON; inspect --out drafts one) with what is publicly known of the columns: ranges, units, levels, labels. It " +
      "becomes part of the plan, and every participant reads its table by it; what is marked as told by rows is refused.",
    schema: schemaFile,
  },
  classes: {
    value: "A,B",
    help: "With the logistic or softmax loss: all labels, whether a table has them or not; default: those of --schema.",
    schema: labels,
  },
  tasks: {
    value: "A,B=P",
    help: "The tasks that may take part, each with its participant after =; default: whoever registers.",
    schema: plannedTasks,
  },
  minimumTasks: {
    value: "N",
    help: "Fewest tasks to start with; default all of --tasks, or 3, or as many as a trimmed mean or a median of means needs.",
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
      'Places for owners who come after the start: {"tasks": N, "rows": N}, so many tasks of at most so many rows. --tasks, if given, names ' +
      "them, too, and --minimum-tasks is less by N or more. Default: nobody joins a run that has begun.",
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
      'Relays for plain sums: {"kind": "relays", "participants": [{"name", "relay"?}], "relays"?: [{"name", "relay"}]}. Or secure sums, where the curator is not to see vectors: {"participants": [{"name", "identity", "relay"?}], ' +
      '"colluding": N, "threshold"?: N, "dropOuts"?: N, "relays"?: [{"name", "relay"}]}, the last for relays of relays; identities as join --identity prints them. Or verified sums, where longer vectors ' +
      'are refused: {"kind": "two-aggregators", "leader": KEY, "helper": {"name", "key": KEY}}; keys as curator --key and ' +
      "helper --key print them.",
    schema: json as OptionKind<AggregationInput | AggregatorsInput | PlannedRelays | null>,
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

/** The flags that were given, without those that were not. */
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
  const schema = values.schema ?? undefined;
  if (features === undefined && !schema) {
    throw new OptionError("--features is needed, or --schema, which gives them.");
  }
  const tasks = values.tasks ?? undefined;
  const registration = values.registration ?? (tasks ? undefined : REGISTRATION);
  const options = { ...(values.options as object | undefined), ...givenOf(flags) };
  const aggregation = values.aggregation ?? undefined;
  const fields = {
    classes,
    tasks,
    minimumTasks,
    registration,
    deadline,
    quorum,
    normalize,
    features,
    schema,
    aggregation,
    latecomers: values.latecomers,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const input = { run, method, options, ...Object.fromEntries(given) } as PlanInput;
  const settled = settleMethod(input);
  return { plan: makePlan({ ...input, ...pick(settled) }), why: settled.why };
}
