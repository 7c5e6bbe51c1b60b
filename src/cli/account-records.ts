/**
 * `account --unit`: what a budget that hides single records, or tasks and records both, is planned to release and can be
 * expected to buy, by public sizes, before anything is spent or even read.
 * @module
 */
import { OptionError } from "../core/errors.js";
import { chooseMethod } from "../learning/auto/choose-method.js";
import { MpMixed } from "../learning/estimators/mp-mixed.js";
import { noiseScaleAt } from "../learning/round/release-plan.js";
import { decimalAbove } from "../privacy/accounting/rounding.js";
import type { AccountValues } from "./account-options.js";
import { EPSILONS, TASKS, among, type ProspectValues } from "./account-prospects.js";
import { alignedTable } from "./aligned-table.js";
import type { Result } from "./command.js";
import { shareTables } from "./share-tables.js";

/** Nothing is drawn here. */
const UNUSED = { mode: "secure" } as const;

/** What one more number than a figure has, for people. */
const shown = (x: number) => String(Number(x.toPrecision(4)));

/** Of one record, or of all rows of a person. */
function unitWords({ rowsPerPerson, tasksPerPerson }: AccountValues): string {
  if (rowsPerPerson === 1 && tasksPerPerson === 1) return "record";
  return `person with at most ${rowsPerPerson} rows in each of at most ${tasksPerPerson} tasks`;
}

/** What a fit with these sizes would be charged, and what to expect of it. */
export function accountRecords(
  values: ProspectValues & { readonly unit: "record" | "both" },
): Result {
  const { tasks: m, features: d, rows: perTask, epsilon, unit, adjacency } = values;
  const { rowsPerPerson, tasksPerPerson, loss, declared } = values;
  if (perTask === undefined) {
    throw new OptionError(
      `--rows: needed with --unit ${unit}, since what one record weighs depends on how many there are; expected the rows of ` +
        "a task in the mean",
    );
  }
  const delta: number | "auto" = values.delta ?? "auto";
  const person = { rowsPerPerson, tasksPerPerson };
  const sizes = { m, d, rows: m * perTask, mostRows: perTask };
  const budget = { epsilon, delta, adjacency, unit, ...person };
  const estimator = new MpMixed({ ...budget, loss, scale: "unit", random: UNUSED });
  const plan = estimator.halves.releases({ sizes, outputs: 1 });
  const releases = plan.stages.map((stage) => ({
    release: stage.label ?? "between",
    numbers: stage.length,
    noise: noiseScaleAt(stage, 1),
  }));
  const shareOf = (of: { m?: number; epsilon?: number }) => {
    const at = { m, epsilon, ...of };
    const about = { sizes: { m: at.m, d, rows: at.m * perTask }, loss, declared };
    return chooseMethod({ ...about, epsilon: at.epsilon, delta, unit, ...person });
  };
  const byEpsilon = among(EPSILONS, epsilon).map((one) => ({
    epsilon: one,
    share: shareOf({ epsilon: one }).share,
  }));
  const byTasks = among(TASKS, m).map((one) => ({ tasks: one, share: shareOf({ m: one }).share }));
  const { method, why, share } = shareOf({});
  const known = plan.ledger.delta;
  const recordOf = plan.recordOf && { epsilon: plan.recordOf.epsilon, delta: plan.recordOf.delta };
  const document = {
    ...{ unit, tasks: m, features: d, rows: perTask, ...person, adjacency },
    ...{ epsilon, delta: known, ...(recordOf ? { recordOf } : {}), releases },
    ...{ expectedShare: share, byEpsilon, byTasks, choice: { method, why } },
  };
  const of = unit === "record" ? unitWords(values) : "task";
  const lines = [
    `epsilon ${epsilon}, delta ${decimalAbove(known, 6)} for each ${of}, against all other tasks together, with ` +
      `${m} tasks of ${perTask} rows and ${d} features; nothing is spent by asking`,
    ...(recordOf
      ? [
          `epsilon ${decimalAbove(recordOf.epsilon, 6)}, delta ${decimalAbove(recordOf.delta, 6)} for each ` +
            `${unitWords(values)}, by the same noise`,
        ]
      : []),
    ...(unit === "record" ? ["what is true of a whole task is not hidden"] : []),
    "",
    "mp-mixed would release sums over all rows, one of which weighs at most 1 in each (2 in the last), with this noise on every number:",
    alignedTable([
      ["release", ...releases.map((one) => one.release)],
      ["numbers", ...releases.map((one) => String(one.numbers))],
      ["noise", ...releases.map((one) => shown(one.noise))],
    ]),
    "",
    "share of what learning together without noise would gain on learning alone, roughly:",
    ...shareTables({ byEpsilon, byTasks }),
    "",
    `auto would take ${method}: ${why}`,
  ];
  return { document, text: lines.join("\n") };
}
