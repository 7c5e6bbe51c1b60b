/**
 * The options by which PMTL, private FedAvg and private FedProx hide single records, and which of them go together.
 * @module
 */
import { OptionError } from "../../../../core/index.js";
import { plannedClip } from "../../../options/clip-option.js";
import { aLength, aNumber, aWord } from "../../../options/kinds.js";
import { option, type OptionsOf } from "../../../options/option.js";
import { overshoots } from "../../../options/check-step-size.js";
import {
  checkPersons,
  personOptions,
  type PersonOptions,
} from "../../../options/person-options.js";
import { checkFederated, type FederatedOptions } from "../options.js";
import type { UpdateForm } from "../updates/local-updates.js";

/** These methods were there before. */
const laterPersons = {
  /**
   * With unit "record" or "both": most rows that one person has in a task, public; default 1. Above 1 the noise hides all rows
   * of a person instead of one record.
   */
  rowsPerPerson: { ...personOptions.rowsPerPerson, later: true },
  /** With unit "record" or "both": most tasks that have rows of one person, public; default 1. Above 1 they are hidden together. */
  tasksPerPerson: { ...personOptions.tasksPerPerson, later: true },
  /**
   * With unit "record" or "both": epsilons of owners who state less than `epsilon`, by the name of their task; null (default):
   * all have `epsilon`.
   */
  taskEpsilons: personOptions.taskEpsilons,
} as const;

const own = {
  /**
   * What the budget hides from all the other tasks together: "task" (default), everything a task has, by updates of its model;
   * "record", one row of one task, by gradients of every row, each clipped (DP-SGD), which needs far less noise; "both", a
   * task, by the same gradients, so that a record's own epsilon, which `guarantee.recordOf` states, is smaller. The latter two
   * are of linear models; see docs/PRIVACY.md.
   */
  unit: option(aWord(["task", "record", "both"]), {
    group: "privacy",
    help: "What the budget hides: all that a task has, one record (row) of it, or a task with each record's own epsilon stated.",
    default: "task",
    later: true,
  }),
  /**
   * With unit "record" or "both": C > 0, bound on the l2 norm of the gradient of one row's loss, the constant among the
   * features; from public knowledge. Default 1. Longer ones are cut to it.
   */
  recordClip: option(aLength, {
    group: "privacy",
    symbol: "C",
    help: "With unit record or both: bound on the norm of one row's gradient, from public knowledge.",
    unit: "l2 norm of a gradient",
    default: 1,
    later: true,
  }),
  /**
   * With unit "record": chance of every row to count in a round, in (0, 1]; default 1. Below 1 each owner draws its rows in secret
   * (Poisson), and the noise is less by amplification, which is a theorem for adjacency "zero-out".
   */
  recordRate: option(aNumber({ above: 0, max: 1 }), {
    group: "rounds",
    symbol: "Q",
    help: "With unit record: chance of every row to count in a round; below 1 with zero-out adjacency.",
    default: 1,
    later: true,
  }),
  ...laterPersons,
  /**
   * With unit "record": what a task's own model is made of. "exact" (default): its own rows, so the model is for the task
   * alone. "noisy": nothing but releases, so that epsilon holds for each record against whoever is given the model too
   * (`recordGuarantee`): the shared model itself, or with `pmtl` as many noisy gradients of its own rows as there are
   * `localSteps`, for half of the budget, against all others less being spent; the `stepSize` "auto" is then `serverStepSize`,
   * and less where noise is large against C / 20.
   */
  ownModel: option(aWord(["exact", "noisy"]), {
    group: "privacy",
    help: "With unit record: noisy: a task's own model may be given away, its records being protected from its holder.",
    default: "exact",
    later: true,
  }),
};

/** The declarations, for the methods that have them. */
export const recordOptions = own;

/** Options by which records are hidden. */
export interface RecordOptions extends OptionsOf<typeof own>, PersonOptions {}

/** What {@link checkRecords} looks at; the last two are PMTL's. */
type Checked = FederatedOptions &
  RecordOptions & { readonly update?: UpdateForm; readonly lastSteps?: boolean };

/**
 * Refuses options that do not go together.
 * @param method its name, and what it does after the rounds: lambda, and whether tasks step on from the shared model.
 * @throws OptionError naming every conflict.
 */
export function checkRecords(
  method: string,
  options: Checked,
  { lambda, steps }: { readonly lambda: number; readonly steps: boolean },
): void {
  checkFederated(method, options, lambda);
  checkPersons(options);
  const problems = [
    ...ofTheUnit(options),
    ...(options.unit === "task" ? [] : ofTheGradients(options)),
    ...ofTheSample(options),
    ...ofTheModel(options, steps),
    ...ofTheSteps(options, lambda, steps),
  ];
  if (problems.length > 0) throw new OptionError(`${method}: ${problems.join("; ")}`);
}

/** @param own whether steps begin at the task's own model: the first is then one away from the shared one already. */
function* ofTheSteps(
  { stepSize, localSteps, unit, ownModel }: Checked,
  lambda: number,
  own: boolean,
): Generator<string> {
  if (localSteps === "solve") return;
  const steps = unit === "task" ? own || localSteps > 1 : ownModel === "noisy";
  const why = steps ? overshoots(stepSize, lambda) : undefined;
  if (why !== undefined) yield why;
}

function* ofTheUnit({ unit, ownModel, recordRate, clip }: Checked): Generator<string> {
  if (unit === "both" && clip === "auto") {
    yield 'clip: tasks vote on the norm of updates, and with the unit "both" it bounds a task\'s mean gradient; expected a number, from public knowledge';
  }
  if (ownModel === "noisy" && unit !== "record") {
    yield 'ownModel: a model made of releases alone needs the unit "record"; expected that, or ownModel "exact"';
  }
  if (recordRate < 1 && unit !== "record") {
    yield `recordRate: batches of rows are accounted with the unit "record"; expected that, or 1, got ${recordRate}`;
  }
}

function* ofTheGradients(options: Checked): Generator<string> {
  const { model, delta, mechanism, sampling, aggregate, choice, update, lastSteps } = options;
  if (options.rowPrecision === "float32") {
    yield 'rowPrecision: every row\'s gradient is formed of rows in Float64 with these units; expected "float64"';
  }
  if (model !== "linear") {
    yield 'model: single records are hidden by clipping every row\'s gradient, which is formed for linear models; expected "linear"';
  }
  if (delta === 0 || mechanism === "spherical-laplace") {
    yield "mechanism: gradients of rows are released under Gaussian noise; expected delta > 0 and auto or gaussian-mean";
  }
  if (sampling.kind !== "all") {
    yield "sampling: of tasks; with these units all take part, and recordRate samples rows; expected all";
  }
  if (aggregate.kind !== "mean") {
    yield "aggregate: gradients of rows are summed over all tasks, however many rows each has; expected mean";
  }
  if (choice === "pooled") {
    yield "choice: its votes hide whole tasks, and what a record moves of them is no less; expected last or local";
  }
  if (update === "from-local" || lastSteps === false) {
    yield "update, lastSteps: tasks share gradients at the shared model and step once, after the last release; leave them out";
  }
}

function* ofTheSample(options: Checked): Generator<string> {
  const { recordRate, adjacency, rowsPerPerson, tasksPerPerson, taskEpsilons } = options;
  if (recordRate === 1) return;
  if (adjacency !== "zero-out") {
    yield 'recordRate: amplification by Poisson sampling is a theorem for adjacency "zero-out" only; set that, or recordRate 1';
  }
  if (rowsPerPerson > 1 || tasksPerPerson > 1) {
    yield "recordRate: a person of several rows is drawn several times, which no account here covers; expected 1";
  }
  if (taskEpsilons) {
    yield "recordRate: with owners' own budgets (taskEpsilons) there is no account of samples; expected 1";
  }
}

function* ofTheModel(options: Checked, steps: boolean): Generator<string> {
  if (options.ownModel === "exact") return;
  const { finetune, choice, safeguard, localSteps, batchSize, lossScale } = options;
  const kept =
    'uses rows without noise, which ownModel "noisy" rules out; leave it out, or expected ownModel "exact"';
  if (finetune !== null) yield `finetune: ${kept}`;
  if (choice !== "last") yield `choice: ${kept}`;
  if (safeguard === true) yield `safeguard: ${kept}`;
  if (!steps) return;
  if (localSteps === "solve") {
    yield 'localSteps: with ownModel "noisy" each is a release of its own; expected their number';
  }
  if (batchSize !== "full" || lossScale !== "mean") {
    yield 'batchSize, lossScale: with ownModel "noisy" a local step is of all rows of the task, in the mean; leave them out';
  }
}

/** Norm that bounds what one task uploads: of a row's gradient where records are hidden, else of its update. */
export const unitUploadNorm = ({
  unit,
  clip,
  recordClip,
}: FederatedOptions & RecordOptions): number =>
  unit === "record" ? recordClip : plannedClip(clip);

/** The options as the tasks use them: where the model is made of releases, nothing looks at rows again. */
export function settledRecords<O extends FederatedOptions & RecordOptions>(options: O): O {
  return options.ownModel === "noisy" ? { ...options, safeguard: false } : options;
}
