/**
 * `account --unit`: what a budget that hides single records, or tasks and records both, is planned to release and can be
 * expected to buy, by public sizes, before anything is spent or even read.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { OptionError } from "../../core/errors.js";
import { flagName } from "../../core/messages/flag-name.js";
import { chooseMethod } from "../../learning/auto/choose-method.js";
import { METHODS } from "../../learning/methods.js";
import type { DividedEstimator } from "../../learning/release/private-estimator.js";
import { noiseScaleAt, type ReleasePlan } from "../../learning/round/release-plan.js";
import { decimalAbove } from "../../privacy/accounting/rounding.js";
import { readDelta, type DeltaChoice } from "../../privacy/index.js";
import type { AccountValues } from "./options.js";
import { EPSILONS, TASKS, among, type ProspectValues } from "./prospects.js";
import { alignedTable } from "../words/aligned-table.js";
import type { Result } from "../options/command.js";
import { shareTables } from "./share-tables.js";

/** A source of noise for plans that want one: nothing is drawn here. */
const UNUSED = { mode: "secure" } as const;

/** What the guarantee is of, in words: one record, or all rows of a person. */
function unitWords({ rowsPerPerson, tasksPerPerson }: AccountValues): string {
  if (rowsPerPerson === 1 && tasksPerPerson === 1) return "record";
  return `person with at most ${counted(rowsPerPerson, "row")} in ${tasksPerPerson === 1 ? "one task" : `each of at most ${tasksPerPerson} tasks`}`;
}

/** What is planned if no method is named. */
const DEFAULT = "mp-mixed";

type UnitValues = ProspectValues & { readonly unit: "record" | "both" };

/** The method that would hide them, with the options that were given of its own. */
function estimatorOf(values: UnitValues, budget: object) {
  const { method: name = DEFAULT, loss, rounds, samplingRate, clip, recordClip } = values;
  const { ownModel, localSteps } = values;
  const able = METHODS.filter(
    ({ options, halves }) => halves && options["unit"]?.words?.includes("both"),
  );
  const method = able.find((one) => one.name === name);
  if (!method) {
    throw new OptionError(
      `--method: expected one of ${able.map((one) => one.name).join(", ")}, got ${JSON.stringify(name)}`,
    );
  }
  if (loss === "softmax") {
    throw new OptionError(
      "--loss: how many classes there are is not known here; expected squared or logistic",
    );
  }
  const own = {
    rounds,
    recordRate: samplingRate,
    recordClip,
    ownModel,
    localSteps,
    clip: values.unit === "both" && "recordClip" in method.options ? clip : undefined,
  };
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  const unknown = given.filter(([key]) => key !== "clip" && !(key in method.options));
  if (unknown.length > 0) {
    throw new OptionError(
      `--${flagName(unknown[0]![0])}: ${name} has no such option; leave it out`,
    );
  }
  const estimator = method.make({
    ...budget,
    loss,
    random: UNUSED,
    ...Object.fromEntries(given.filter(([key]) => key in method.options)),
    // Nothing is learned of data that are not read.
    ...("scale" in method.options ? { scale: "unit" } : {}),
  }) as DividedEstimator;
  return { estimator, kind: kindOf(method.options) };
}

/** What a method that hides records has tasks share. */
type Kind = "gradients" | "models" | "moments";

const kindOf = (options: object): Kind =>
  "recordClip" in options ? "gradients" : "priorStrength" in options ? "models" : "moments";

/** A release without a name of its own, and what is released. */
const WORDS: Record<Kind, readonly [release: string, what: string]> = {
  gradients: ["gradients", "sums over all rows of gradients, each divided by the rows of a task"],
  models: ["models", "sums over all tasks of the matrix of a model, which one row moves little"],
  moments: ["between", "sums over all rows, one of which weighs at most 1 in each (2 in the last)"],
};

/** What to expect of a budget, and what auto would take. */
function prospects(values: UnitValues) {
  const { tasks: m, features: d, rows: perTask = 1, epsilon, unit, loss, declared } = values;
  const { rowsPerPerson, tasksPerPerson, delta = "auto" } = values;
  const choiceOf = (of: { m?: number; epsilon?: number }) => {
    const at = { m, epsilon, ...of };
    return chooseMethod({
      sizes: { m: at.m, d, rows: at.m * perTask },
      loss,
      declared,
      epsilon: at.epsilon,
      delta,
      unit,
      rowsPerPerson,
      tasksPerPerson,
    });
  };
  const byEpsilon = among(EPSILONS, epsilon).map((one) => ({
    epsilon: one,
    share: choiceOf({ epsilon: one }).share,
  }));
  const byTasks = among(TASKS, m).map((one) => ({ tasks: one, share: choiceOf({ m: one }).share }));
  const { method, why, share } = choiceOf({});
  return {
    document: { expectedShare: share, byEpsilon, byTasks, choice: { method, why } },
    lines: [
      "",
      "share of what learning together without noise would gain on learning alone, roughly:",
      ...shareTables({ byEpsilon, byTasks }),
      "",
      `auto would take ${method}: ${why}`,
    ],
  };
}

/** What holds against whoever is given a task's own model, where that is made of releases. */
function ownModelOf({ ownModel }: AccountValues, { own, ledger }: ReleasePlan) {
  if (ownModel !== "noisy") return undefined;
  const { epsilon, delta } = own?.ledger ?? ledger;
  return { epsilon, delta };
}

/** What a fit with these sizes would be charged, and what to expect of it. */
export function accountRecords(values: UnitValues): Result {
  const { tasks: m, features: d, rows: perTask, epsilon, unit, adjacency } = values;
  const { rowsPerPerson, tasksPerPerson, method = DEFAULT } = values;
  if (perTask === undefined) {
    throw new OptionError(
      `--rows: needed with --unit ${unit}, since what one record weighs depends on how many there are; expected the rows of ` +
        "a task in the mean",
    );
  }
  const delta: DeltaChoice = values.delta ?? "auto";
  const person = { rowsPerPerson, tasksPerPerson };
  const sizes = { m, d, rows: m * perTask, mostRows: perTask };
  const { estimator, kind } = estimatorOf(values, { epsilon, delta, adjacency, unit, ...person }); // prettier-ignore
  const plan = estimator.halves.releases({ sizes, outputs: 1 });
  const [unnamed, what] = WORDS[kind];
  const stages = [...plan.stages, ...(plan.own ? [plan.own.stage] : [])];
  const releases = stages.map((stage) => ({
    release: stage.label ?? unnamed,
    rounds: stage.rounds,
    numbers: stage.length,
    noise: noiseScaleAt(stage, 1),
  }));
  // What is known of shares is of what auto takes, with models of the tasks' own rows.
  const expected = kind === "moments" && !plan.own ? prospects(values) : undefined;
  const known = plan.ledger.delta;
  const ownModel = ownModelOf(values, plan);
  // Against all who do not have the own model, its releases cost nothing.
  const joint = plan.own ? plan.ledger.epsilon : epsilon;
  const recordOf = plan.recordOf && { epsilon: plan.recordOf.epsilon, delta: plan.recordOf.delta };
  const warnings = [
    ...(unit === "both" ? [readDelta(known, m).remark] : []),
    readDelta(known, m * perTask, "record").remark,
  ].filter((remark) => remark !== undefined);
  const document = {
    unit,
    tasks: m,
    features: d,
    rows: perTask,
    ...person,
    adjacency,
    method,
    epsilon: joint,
    delta: known,
    ...(recordOf ? { recordOf } : {}),
    ...(ownModel ? { ownModel } : {}),
    releases,
    ...expected?.document,
    warnings,
  };
  const lines = [
    ...promiseLines(values, perTask, plan, joint),
    ...warnings.map((warning) => `warning: ${warning}`),
    "",
    `${method} would release ${what}${plan.own ? ", and every task to its own model what is called own," : ""} with this noise on every number:`,
    alignedTable([
      ["release", ...releases.map((one) => one.release)],
      ["rounds", ...releases.map((one) => String(one.rounds))],
      ["numbers", ...releases.map((one) => String(one.numbers))],
      ["noise", ...releases.map((one) => String(decimalAbove(one.noise, 4)))],
    ]),
    ...(expected?.lines ?? []),
  ];
  return { document, text: lines.join("\n") };
}

/** What the budget promises, to whom and against whom; `joint` is epsilon against all who have no model of that task. */
function promiseLines(values: UnitValues, perTask: number, plan: ReleasePlan, joint: number) {
  const { tasks: m, features: d, unit } = values;
  const { own, ledger, recordOf } = plan;
  const ownModel = ownModelOf(values, plan);
  const of = unit === "record" ? unitWords(values) : "task";
  return [
    `epsilon ${own ? decimalAbove(joint, 6) : joint}, delta ${decimalAbove(ledger.delta, 6)} for each ${of}, against all other tasks together, with ` +
      `${counted(m, "task")} of ${counted(perTask, "row")} and ${counted(d, "feature")}; nothing is spent by asking`,
    ...(recordOf
      ? [
          `epsilon ${decimalAbove(recordOf.epsilon, 6)}, delta ${decimalAbove(recordOf.delta, 6)} for each ` +
            `${unitWords(values)}, by the same noise`,
        ]
      : []),
    ...(ownModel
      ? [
          `epsilon ${ownModel.epsilon}, delta ${decimalAbove(ownModel.delta, 6)} for each ${of}, against whoever is given its ` +
            `task's own model, too`,
        ]
      : []),
    ...(unit === "record" ? ["what is true of a whole task is not hidden"] : []),
  ];
}
