/**
 * `audit`: attack a mechanism, or a whole fit, and print the loss that is proven.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import { Pipeline } from "../../data/index.js";
import {
  audit,
  makeEstimator,
  type AuditReport,
  type FitAuditOptions,
  type LossName,
  type MechanismAuditOptions,
} from "../../learning/index.js";
import { METHODS } from "../../learning/methods.js";
import { budgetOptions } from "../../learning/options/private-options.js";
import { aSchedule } from "../../learning/options/schedule.js";
import { MECHANISM_NAMES, type MechanismName } from "../../privacy/index.js";
import { mechanismNamed } from "../../privacy/mechanisms/catalogue.js";
import type { RandomOptions } from "../../random/index.js";
import { describeAudit } from "../words/audit-text.js";
import {
  defineCommand,
  type Context,
  type DependentOptions,
  type Option,
  type Options,
  type Values,
} from "../options/command.js";
import { dataOptions, missingByUnit, missingFor, type DataValues } from "../tables/data-options.js";
import { EXIT } from "../terminal/exit-code.js";
import { flagOptions, methodFlags } from "../options/method-options.js";
import { prepareData } from "../tables/prepare-data.js";
import { choice, integer, number, text, yesNo } from "../options/values.js";

/** The same option where it need not be given. */
function optional<T>({ value, help, schema }: Option<T>): Option<T> & { required: false } {
  return {
    ...(value === undefined ? {} : { value }),
    help,
    schema,
    required: false,
    group: "data",
  };
}

const flags = methodFlags(METHODS.filter(({ privacy }) => privacy));

const options = {
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
  missing: {
    ...missingByUnit,
    shownDefault: "impute; center where single records are protected",
  },
  method: { ...flags.method, help: "With --data: the method to audit.", required: false },
  normalize: {
    value: "rows|none",
    help: "rows: every row is scaled to unit l2 norm.",
    schema: choice("rows", "none"),
    default: "none",
    group: "data",
  },
  canary: {
    value: "TASK",
    help: "With --data: the task whose rows the audit replaces; default the first.",
    schema: text("a task's name"),
    group: "data",
  },
} as const;

const { epsilon, delta, adjacency, random } = flagOptions(budgetOptions);

const STATISTICS = [...new Set(MECHANISM_NAMES.flatMap((name) => mechanismNamed(name).statistics))];

/** What a mechanism is audited at, where no method is given; its own defaults count. */
const mechanismOptions: Options = {
  mechanism: {
    value: "NAME",
    help: `The mechanism to audit: ${MECHANISM_NAMES.join(", ")}.`,
    schema: choice(...MECHANISM_NAMES),
    group: "privacy",
  },
  epsilon: epsilon!,
  adjacency: adjacency!,
  random: random!,
  delta: { ...delta!, shownDefault: "papers, or 0 of a mechanism that needs none; of a fit auto" },
  rounds: {
    value: "T",
    help: "Rounds; default 1.",
    schema: integer({ min: 1 }),
    group: "rounds",
  },
  schedule: {
    value: "NAME",
    help: "Budget over rounds: constant (default), or as polynomial:0.4 or geometric:0.9.",
    schema: aSchedule,
    group: "rounds",
  },
  clip: {
    value: "K",
    help: "Bound on every task's vector; default 1.",
    schema: number({ above: 0 }),
    group: "privacy",
  },
  dimension: {
    value: "D",
    help: "Features; default 5.",
    schema: integer({ min: 1, max: 1000 }),
    group: "model",
  },
  tasks: {
    value: "M",
    help: "Tasks; default 10.",
    schema: integer({ min: 1, max: 1e6 }),
    group: "model",
  },
  statistic: {
    value: "NAME",
    help: `What it releases: ${STATISTICS.join(", ")}; default the first that the mechanism is for.`,
    schema: choice(...STATISTICS),
    group: "privacy",
  },
  degreesOfFreedom: {
    value: "NU",
    help: "Of the one-sided Wishart noise; default D + 1, the papers'.",
    schema: number({ above: 0 }),
    group: "privacy",
  },
  samplingRate: {
    value: "Q",
    help: "gaussian-mean: every task takes part with probability Q; zero-out adjacency.",
    schema: number({ above: 0, max: 1 }),
    group: "rounds",
  },
  discrete: {
    help: "Exact noise on a grid; every mechanism but the one-sided Wishart ones.",
    schema: yesNo(),
    group: "privacy",
  },
};

const dependent: DependentOptions = {
  ...flags.dependent,
  all: { ...flags.dependent.all, ...mechanismOptions },
  of: (method) => (method === undefined ? mechanismOptions : flags.dependent.of(method)),
};

type AuditValues = Values<typeof options> & Readonly<Record<string, unknown>>;

function mechanismAudit(values: AuditValues): MechanismAuditOptions {
  const { mechanism, samplingRate: rate } = values;
  if (mechanism === undefined) {
    throw new OptionError(
      `expected --mechanism with one of ${MECHANISM_NAMES.join(", ")}, or --data with --method.`,
    );
  }
  const misplaced = (["task", "target", "canary"] as const).find((name) => values[name]);
  if (misplaced) throw new OptionError(`--${misplaced}: goes with --data only.`);
  const { random: _random, samplingRate: _rate, ...claims } = mechanismOptions;
  const given = Object.keys(claims)
    .map((name) => [name, values[name]] as const)
    .filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given),
    mechanism: mechanism as MechanismName,
    ...(rate === undefined ? {} : { sampling: { kind: "poisson", rate: rate as number } }),
  };
}

async function fitAudit(values: AuditValues, chosen: Context["given"]): Promise<FitAuditOptions> {
  const { data, method } = values;
  if (data === undefined) throw new OptionError("--method: goes with --data only.");
  if (method === undefined) throw new OptionError("--method is needed beside --data.");
  const loss = (chosen["loss"] ?? "squared") as LossName;
  const missing = missingFor(values.missing, chosen);
  const { tasks } = await prepareData({ ...values, missing } as DataValues, loss);
  const steps = values.normalize === "rows" ? [{ kind: "unit-rows" } as const] : [];
  return {
    estimator: (random) => makeEstimator(method, { ...chosen, random }),
    tasks: Pipeline.fit(tasks, steps).apply(tasks),
    canary: values.canary,
  };
}

export const auditCommand = defineCommand({
  options,
  dependent,
  examples: [
    "audit --mechanism wishart --epsilon 0.1 --adjacency zero-out",
    "audit --mechanism gaussian --rounds 30 --trials 50000 --expect-sound",
    "audit --data train.csv --task school --target score --method mp-low-rank --normalize rows " +
      "--epsilon 1 --clip 90 --lambda 3 --rounds 5",
  ],
  run: async (values, { signal, progress, given }) => {
    const all: AuditValues = values;
    const fits = values.data !== undefined || values.method !== undefined;
    const what = fits ? await fitAudit(all, given) : mechanismAudit(all);
    const report: AuditReport = await audit({
      ...what,
      ...(values.trials === undefined ? {} : { trials: values.trials }),
      confidence: values.confidence,
      random: (all["random"] as RandomOptions | undefined) ?? { mode: "secure" },
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
