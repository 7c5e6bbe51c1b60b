/**
 * What a person should know of an evaluation beyond its figures.
 * @module
 */
import { counted } from "../../../core/messages/counted.js";
import { isPrivateMethod, prospectsOf } from "../../../learning/index.js";
import { LEAST_ROWS } from "../../../learning/fitted/scores/metrics.js";
import { findMethod } from "../../../learning/methods.js";
import type { Ranges } from "../../../learning/options/method.js";
import { readDelta, resolveDelta, type DeltaChoice } from "../../../privacy/index.js";
import { NO_NMSE } from "../../fitted/score-text.js";
import { short } from "../../words/short.js";
import type { CellResult } from "../cells/cell.js";
import { guessRemarks } from "./guess-remarks.js";
import { gridCandidates } from "../../tuning/ranges.js";

/** Fewest values of a grid whose ends say anything. */
const FEWEST_VALUES = 3;

/** What of an evaluation is remarked on beside its results. */
export interface RemarkFacts {
  /** Searched ranges by method, where they are not the method's own. */
  readonly ranges: Readonly<Record<string, Ranges | undefined>>;
  /** Public sizes, where they are known. */
  readonly sizes?:
    | {
        readonly m: number;
        readonly d: number;
        readonly classes?: number;
        /** Training rows of a task, in the mean. */
        readonly rowsPerTask?: number;
        readonly undeclared?: number;
      }
    | undefined;
  readonly delta?: DeltaChoice | undefined;
  /** Share of a table's rows that tasks learned from; undefined of a simulation. */
  readonly trainFraction?: number | undefined;
}

/** Remarks, each a sentence. */
export function evaluationRemarks(cells: readonly CellResult[], facts: RemarkFacts): string[] {
  return [
    ...trainingRemark(facts),
    ...takenRemarks(cells),
    ...ownRemarks(cells),
    ...unitRemarks(cells),
    ...prospectRemarks(cells, facts),
    ...recordRemarks(cells, facts),
    ...guessRemarks(cells, facts.sizes?.classes),
    ...edgeRemarks(cells, facts),
    ...perTaskRemarks(cells),
    ...(cells.every(({ scores }) => scores.nmse === null) ? [NO_NMSE] : []),
    ...(cells.every(({ replicate }) => replicate === cells[0]?.replicate)
      ? [
          "one replicate tells nothing of how sure its figures are: no standard errors; take five (--replicates 5)",
        ]
      : []),
  ];
}

/** Whoever reads the figures for those of a fit of all rows would take sharing for more than it is. */
function trainingRemark({ trainFraction, sizes }: RemarkFacts): string[] {
  if (trainFraction === undefined) return [];
  const rows = sizes?.rowsPerTask === undefined ? "" : `, ${short(sizes.rowsPerTask)} in the mean`;
  const few =
    trainFraction < 0.5
      ? "; a fit of more rows learns more alone, and gains less by sharing: --train-fraction 0.7, with another --out"
      : "";
  return [
    `tasks learned from ${short(100 * trainFraction)} % of their rows${rows}, and were scored on the others${few}`,
  ];
}

/** Which methods auto took, each with the reason at the largest of its budgets; a sweep varies what it goes by. */
function takenRemarks(cells: readonly CellResult[]): string[] {
  const found = cells.filter(({ taken, variant }) => taken && variant == null);
  const methods = [...new Set(found.map(({ taken }) => taken!.method))];
  return methods.map((method) => {
    const own = found
      .filter(({ taken }) => taken!.method === method)
      .toSorted((a, b) => a.epsilon! - b.epsilon!);
    const budgets = [...new Set(own.map(({ epsilon }) => epsilon!))].join(", ");
    return `auto takes ${method} at eps ${budgets}: ${own.at(-1)!.taken!.why}`;
  });
}

/** What a column of epsilons would hide: that of methods of somebody's own nothing is proven here. */
function ownRemarks(cells: readonly CellResult[]): string[] {
  const spending = cells.filter(({ own, epsilon }) => own && epsilon !== null);
  const methods = [...new Set(spending.map(({ method }) => method))];
  return methods.map(
    (method) =>
      `${method} is not of mp-mtl: its epsilon is what it was told to spend, and nothing here knows whether it kept to it`,
  );
}

/** Whose epsilons are of less than a task, which a column of them does not show. */
function unitRemarks(cells: readonly CellResult[]): string[] {
  const smaller = cells.filter(({ guarantee }) => guarantee && guarantee.unit !== "task");
  const methods = [...new Set(smaller.map(({ method }) => method))];
  return methods.map((method) => {
    const { unit } = smaller.find((cell) => cell.method === method)!.guarantee!;
    return `epsilon of ${method} is of one ${unit}, not of a task: what is true of a whole task is not hidden`;
  });
}

/** What a delta that is said of records, or persons, permits of so many rows. */
function recordRemarks(cells: readonly CellResult[], { sizes }: RemarkFacts): string[] {
  const deltas = cells.flatMap(({ guarantee }) =>
    guarantee && guarantee.unit !== "task" ? [guarantee.delta] : [],
  );
  if (deltas.length === 0 || sizes?.rowsPerTask === undefined) return [];
  const rows = Math.max(1, Math.round(sizes.m * sizes.rowsPerTask));
  const { remark } = readDelta(Math.max(...deltas), rows, "record");
  return remark === undefined ? [] : [remark];
}

/** What the budgets are expected to buy, and what they promise little of. */
function prospectRemarks(cells: readonly CellResult[], { sizes, delta }: RemarkFacts): string[] {
  // The simulations are of budgets for whole tasks.
  const protects = ({ method, guarantee }: CellResult) =>
    findMethod(method)?.privacy?.unit === "task" && (guarantee?.unit ?? "task") === "task";
  const asked = cells.filter((cell) => cell.epsilon !== null && protects(cell));
  const epsilons = [...new Set(asked.map(({ epsilon }) => epsilon!))].sort((a, b) => a - b);
  if (!sizes || delta === undefined || epsilons.length === 0) return [];
  const found = epsilons.map((epsilon) => prospectsOf({ ...sizes, epsilon, delta }));
  const shares = found.map(
    ({ share }, k) => `${Math.round(100 * (share ?? 0))} % at eps ${epsilons[k]!}`,
  );
  return [
    ...(resolveDelta(delta, sizes.m) > 0
      ? [
          `of what learning together without noise would gain, ${counted(sizes.m, "task")} with ${counted(sizes.d, "feature")} can be expected to keep${(sizes.undeclared ?? 0) > 0 ? ", as long as no ranges are declared," : ""} ` +
            `${shares.join(", ")} (a mixed model; simulations)`,
        ]
      : []),
    ...new Set(found.flatMap(({ warnings }) => warnings)),
  ];
}

/** Where tasks have too few test rows for an nMSE of their own. */
function perTaskRemarks(cells: readonly CellResult[]): string[] {
  const most = Math.max(
    ...cells.map(({ scores }) => (scores.nmse === undefined ? 0 : scores.tasksLeftOut)),
  );
  if (most === 0 || cells.every(({ scores }) => scores.nmse === null)) return [];
  const none = cells.every(({ scores }) => scores.nmsePerTask == null);
  return [
    `nmsePerTask ${none ? "is left out: every task has" : `leaves out up to ${counted(most, "task")} of a replicate, with`} ` +
      `fewer than ${LEAST_ROWS} test rows or a target that is the same in all of them, where an error over the task's own ` +
      "variance is mostly chance; nmse is of all rows",
  ];
}

/** Searches whose choice lies at an end of what was searched, so that better may lie beyond. */
function edgeRemarks(cells: readonly CellResult[], { ranges }: RemarkFacts): string[] {
  const searched = cells.filter(({ tuning }) => tuning !== "none");
  const methods = [...new Set(searched.map(({ method }) => method))];
  return methods.flatMap((method) => {
    const runs = searched.filter((cell) => cell.method === method);
    const grid = gridCandidates(ranges[method] ?? findMethod(method)?.ranges ?? {});
    const names = Object.keys(grid[0] ?? {});
    return names.flatMap((name) => {
      const values = [...new Set(grid.map((candidate) => candidate[name]))];
      const numbers = values.filter((value) => typeof value === "number");
      if (numbers.length < FEWEST_VALUES || numbers.length < values.length) return [];
      return [Math.min(...numbers), Math.max(...numbers)].flatMap((end) => {
        const at = runs.filter(({ chosen }) => chosen[name] === end).length;
        if (2 * at < runs.length) return [];
        return [
          `the search for ${name} of ${method} ends at the edge of what it searched, ${end}, in ${at} of ${runs.length} ` +
            `${isPrivateMethod(method) ? "runs" : "replicates"}: better may lie beyond; --settings FILE gives other ranges`,
        ];
      });
    });
  });
}
