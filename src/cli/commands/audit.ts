/**
 * `audit`: attack a mechanism, or a whole fit, and print the loss that is proven.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import { Pipeline } from "../../data/index.js";
import {
  audit,
  isPrivateMethod,
  makeEstimator,
  type AuditReport,
  type FitAuditOptions,
  type MechanismAuditOptions,
} from "../../learning/index.js";
import { MECHANISM_NAMES, type MechanismName } from "../../privacy/index.js";
import type { RandomOptions } from "../../random/index.js";
import { describeAudit } from "../audit-text.js";
import { defineCommand, type Option, type Values } from "../command.js";
import { dataOptions, readTrainingTasks, type DataValues } from "../data-options.js";
import { EXIT } from "../exit-code.js";
import { estimatorOptions, methodOptions, type MethodValues } from "../method-options.js";
import { flagName } from "../parse-flags.js";
import { choice, integer, number, text, yesNo } from "../values.js";

/** The same option where it need not be given. */
function optional<T>({ value, help, schema }: Option<T>): Option<T> & { required: false } {
  return { ...(value === undefined ? {} : { value }), help, schema, required: false };
}

const options = {
  ...methodOptions,
  mechanism: {
    value: "NAME",
    help:
      `The mechanism to audit: ${MECHANISM_NAMES.join(", ")}. With --data: the method's, default ` +
      "auto.",
    schema: choice("auto", ...MECHANISM_NAMES),
  },
  dimension: {
    value: "D",
    help: "Features, without --data; default 5.",
    schema: integer({ min: 1, max: 1000 }),
  },
  tasks: {
    value: "M",
    help: "Tasks, without --data; default 10.",
    schema: integer({ min: 1, max: 1e6 }),
  },
  degreesOfFreedom: {
    value: "NU",
    help: "Of the one-sided Wishart noise; default D + 1, the papers'.",
    schema: number({ above: 0 }),
  },
  samplingRate: {
    value: "Q",
    help: "gaussian-mean: every task takes part with probability Q; zero-out adjacency.",
    schema: number({ above: 0, max: 1 }),
  },
  discrete: {
    help: "Exact noise on a grid; every mechanism but wishart.",
    schema: yesNo(),
  },
  trials: {
    value: "N",
    help: "Trials in each of the two worlds; default 20000 for a mechanism, 400 for a fit.",
    schema: integer({ min: 8 }),
  },
  confidence: {
    value: "C",
    help: "A claim that holds is called violated with probability at most 1 - C.",
    schema: number({ above: 0, below: 1 }),
    default: 0.99,
  },
  expectSound: {
    help: "End with exit code 1 if the claim is violated, for scripts.",
    schema: yesNo(),
    default: false,
  },
  ...dataOptions,
  data: optional(dataOptions.data),
  task: optional(dataOptions.task),
  target: optional(dataOptions.target),
  method: optional(methodOptions.method),
  normalize: {
    value: "rows|none",
    help: "rows: every row is scaled to unit l2 norm; default none.",
    schema: choice("rows", "none"),
    default: "none",
  },
  canary: {
    value: "TASK",
    help: "With --data: the task whose rows the audit replaces; default the first.",
    schema: text("a task's name"),
  },
} as const;

type AuditValues = Values<typeof options>;

/** Options that only one of the two kinds of audit reads; giving them to the other is a mistake. */
const MECHANISM_ONLY = ["dimension", "tasks", "degreesOfFreedom", "discrete"] as const;
const SHARED_WITH_FITS = ["epsilon", "delta", "adjacency", "rounds", "schedule", "clip"] as const;

function refuse(values: AuditValues, names: readonly (keyof AuditValues)[], why: string): void {
  const given = names.find((name) => values[name] !== undefined);
  if (given !== undefined) throw new OptionError(`--${flagName(given)}: ${why}`);
}

function randomOf({ seed }: AuditValues): RandomOptions {
  return seed === undefined ? { mode: "secure" } : { mode: "seeded", seed };
}

function mechanismAudit(values: AuditValues): MechanismAuditOptions {
  const { mechanism } = values;
  if (mechanism === undefined || mechanism === "auto") {
    throw new OptionError(
      `expected --mechanism with one of ${MECHANISM_NAMES.join(", ")}, or --data with --method.`,
    );
  }
  refuse(values, ["method", "task", "target", "canary"], "goes with --data only.");
  const given: Record<string, unknown> = {};
  for (const name of [...MECHANISM_ONLY, ...SHARED_WITH_FITS]) {
    if (values[name] !== undefined && values[name] !== "auto") given[name] = values[name];
  }
  const rate = values.samplingRate;
  if (rate !== undefined) given["sampling"] = { kind: "poisson", rate };
  return { mechanism: mechanism as MechanismName, ...given };
}

async function fitAudit(values: AuditValues): Promise<FitAuditOptions> {
  refuse(
    values,
    [...MECHANISM_ONLY, "samplingRate"],
    "goes with --mechanism alone; --data has its own sizes.",
  );
  const { method, task, target } = values;
  if (method === undefined || task === undefined || target === undefined) {
    throw new OptionError("expected --task, --target and --method beside --data.");
  }
  if (!isPrivateMethod(method)) {
    throw new OptionError(
      `--method: expected a private method, got ${method}, which claims nothing.`,
    );
  }
  const targetKind = values.loss === "logistic" || values.loss === "softmax" ? "auto" : "number";
  const { tasks } = await readTrainingTasks(values as DataValues, targetKind);
  const steps = values.normalize === "rows" ? [{ kind: "unit-rows" } as const] : [];
  const chosen = estimatorOptions(values as unknown as MethodValues, true);
  return {
    estimator: (random) => makeEstimator(method, { ...chosen, random }),
    tasks: Pipeline.fit(tasks, steps).apply(tasks),
    canary: values.canary,
  };
}

export const auditCommand = defineCommand({
  options,
  examples: [
    "audit --mechanism wishart --epsilon 0.1 --adjacency zero-out",
    "audit --mechanism gaussian --rounds 30 --trials 50000 --expect-sound",
    "audit --data train.csv --task school --target score --method mp-low-rank --normalize rows " +
      "--epsilon 1 --clip 90 --lambda 3 --rounds 5",
  ],
  run: async (values, { signal, progress }) => {
    const what = values.data === undefined ? mechanismAudit(values) : await fitAudit(values);
    const report: AuditReport = await audit({
      ...what,
      ...(values.trials === undefined ? {} : { trials: values.trials }),
      confidence: values.confidence,
      random: randomOf(values),
      signal,
      onTrial: (done, total) => progress.update(done, total, "trial"),
    });
    const violated = report.verdict === "violated";
    return {
      document: report,
      text: describeAudit(report),
      exitCode: violated && values.expectSound ? EXIT.other : EXIT.done,
    };
  },
});
