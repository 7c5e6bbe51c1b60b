/**
 * What `fit` returns: all tasks' models, the guarantee they were learned under, and how it went.
 * @module
 */
import { array, object } from "../../core/checks.js";
import { DataError } from "../../core/index.js";
import { sliceSparse, type TaskSet } from "../../data/index.js";
import { misspeltNames } from "../../data/inspect/signs/alike-names.js";
import { requireSquarableRows } from "../../data/checks/squarable-rows.js";
import { requireTaskSet } from "../../data/checks/require-task-set.js";
import type {
  Guarantee,
  Ledger,
  OwnBudget,
  Protection,
  RecordGuarantee,
} from "../../privacy/index.js";
import type { DifferentiableModel } from "../models/differentiable-model.js";
import { outputsOf, type LossName, type LossScale } from "../tasks/losses.js";
import type { Certificate } from "./certificate.js";
import type { FurtherPredictions } from "./unseen/further-predictions.js";
import { sizesAndGuarantee, showAs } from "./summary/in-words.js";
import type {
  ChoiceRecord,
  Classes,
  Component,
  FittedModelState,
  HistoryEntry,
  NoGuarantee,
  PooledFigures,
  Preprocessing,
  ThreadsUsed,
} from "./model-state.js";
import { summarizeModel, type ModelSummary } from "./summary/model-summary.js";
import { modelOfTask, modelOfUnseenTask } from "./task/models-of-tasks.js";
import { heldRows } from "../../data/checks/held-rows.js";
import { hasIntervals, posteriorInterval } from "./posterior/posterior-interval.js";
import { ledgerOfTask, protectionBy } from "./task/promises.js";
import { scoreOutputs } from "./scores/score-outputs.js";
import type { Scores } from "./scores/scores.js";
import type { Rows, TaskModel } from "./task/task-model.js";
import { weightFigures } from "./weight-figures.js";
import { knowsUnseenTasks } from "./unseen/unseen-task.js";

/**
 * What a fit gives: the models of all m tasks, with the guarantee they were made under. Made by an estimator's `fit` or by `loadModel`.
 *
 * It holds every task's model, so it is for the curator only: give participant i `forTask(i)`. `weights` have shape [m, d] (softmax: [m, d, C]) and
 * `intercepts` [m] (softmax: [m, C]), in the units of the rows that were fitted.
 *
 * @example
 * const model = await new MpMixed({ epsilon: 1 }).fit(train);
 * console.log(model.score(test).nmse, model.guarantee, model.forTask("school-1").predict([[0.6, 0.8]]));
 */
export class FittedModel implements FittedModelState {
  readonly method!: string;
  readonly loss!: LossName;
  readonly lossScale!: LossScale;
  readonly classes!: Classes | null;
  readonly taskNames!: readonly string[];
  readonly featureNames!: readonly string[];
  readonly weights!: Float64Array;
  readonly intercepts!: Float64Array | null;
  readonly architecture: DifferentiableModel | null = null;
  readonly options!: Readonly<Record<string, unknown>>;
  readonly guarantee!: Guarantee | NoGuarantee;
  readonly ledger!: Ledger | null;
  readonly recordGuarantee: RecordGuarantee | null = null;
  readonly recordLedger: Ledger | null = null;
  readonly owners: readonly OwnBudget[] | null = null;
  readonly certificate!: Certificate | null;
  readonly rounds!: number;
  readonly history!: readonly HistoryEntry[];
  readonly objective!: number;
  readonly components: Readonly<Record<string, Component>> = {};
  readonly preprocessing: Preprocessing | null = null;
  readonly choice: ChoiceRecord | null = null;
  readonly threads: ThreadsUsed | null = null;
  readonly #index: Map<string, number>;
  #figures: PooledFigures | undefined;
  /** As `predict`, for a task that the model was not fitted on: by what tasks have in common, as `MpMixed` knows it. */
  readonly predictNew?: FurtherPredictions["predictNew"];
  /** As `TaskModel.outputs`, for such a task. */
  readonly outputsNew?: FurtherPredictions["outputsNew"];
  /** Where a new row's target lies; of models that know how sure they are, as `MpMixed` has them. */
  readonly predictInterval?: FurtherPredictions["predictInterval"];

  constructor(state: FittedModelState) {
    array("taskNames", object("state", state).taskNames);
    Object.assign(this, state);
    this.#index = new Map();
    for (let i = 0; i < state.taskNames.length; i++) this.#index.set(state.taskNames[i]!, i);
    if (knowsUnseenTasks(this)) {
      this.predictNew = (rows) => modelOfUnseenTask(this).predict(rows);
      this.outputsNew = (rows) => modelOfUnseenTask(this).outputs(rows);
    }
    if (hasIntervals(this)) {
      this.predictInterval = (task, rows, level) => posteriorInterval(this, task, rows, level);
    }
    showAs(this);
  }

  /** Sizes and guarantee in a line; no weights, no task names. What Node's console prints, too. */
  toString(): string {
    const tasks = `${this.m} task${this.m === 1 ? "" : "s"}`;
    return `FittedModel(${sizesAndGuarantee(this, tasks)})`;
  }

  /** Named coefficients over all tasks, in the units of the data, with standard errors where they are known. */
  summary(): ModelSummary {
    return summarizeModel(this);
  }

  /** The same model with a record of why its method was taken. */
  withChoice(choice: ChoiceRecord): FittedModel {
    return new FittedModel({ ...(this as FittedModelState), choice });
  }

  /** The same model with a record of how its rows were prepared, which is saved with it. */
  withPreprocessing(preprocessing: Preprocessing): FittedModel {
    const { targetScale = null } = { ...this.preprocessing, ...preprocessing };
    return new FittedModel({
      ...(this as FittedModelState),
      preprocessing: { ...preprocessing, ...(targetScale ? { targetScale } : {}) },
    });
  }

  /** The same model with components. */
  withComponents(components: FittedModelState["components"] & object): FittedModel {
    return new FittedModel({ ...(this as FittedModelState), components });
  }

  /** The same model under another statement of what was promised, with the ledger that holds it. */
  withGuarantee(guarantee: Guarantee, ledger: Ledger): FittedModel {
    return new FittedModel({ ...(this as FittedModelState), guarantee, ledger });
  }

  /**
   * Who is protected from whom, in a table; empty for a method that promises nothing, and for tasks that came after the fit, whose
   * owners shared nothing (`guarantee.later`).
   */
  get protection(): readonly Protection[] {
    return protectionBy(this);
  }

  /**
   * The ledger of task `name`'s owner, where owners have budgets of their own; else the run's, which holds for each.
   * @throws DataError if the model knows no such task.
   */
  ledgerOf(name: string): Ledger | null {
    return ledgerOfTask(this, this.#indexOf(name));
  }

  /** Number of tasks. */
  get m(): number {
    return this.taskNames.length;
  }

  /** Number of features. */
  get d(): number {
    return this.featureNames.length;
  }

  /** Numbers per row of predictions: C for the softmax loss, else 1. */
  get outputsPerRow(): number {
    return outputsOf(this.loss, this.classes);
  }

  /** Float64s of a task's weights. */
  get parameters(): number {
    return this.weights.length / this.m;
  }

  /** Objective, rank, nonzero rows, norm; computed when first asked for. */
  get figures(): PooledFigures {
    return (this.#figures ??= {
      objective: this.objective,
      ...weightFigures(
        this.weights,
        this.m,
        this.parameters,
        this.architecture ? 1 : this.outputsPerRow,
      ),
    });
  }

  /**
   * What participant `name` may have: its own model and the guarantee, nothing pooled.
   * @throws DataError if the model knows no such task.
   */
  forTask(name: string): TaskModel {
    return modelOfTask(this, this.#indexOf(name));
  }

  /**
   * Predictions of one task's model: values for the squared loss, in the units of the declared range of
   * the target where there is one; probabilities of the larger
   * label for the logistic loss, of all classes, [n, C], for the softmax loss.
   *
   * @param rows number[][], a Float64Array or Float32Array [n, d], or a sparse matrix, prepared like the training rows.
   * @throws DataError if the model knows no such task, or a row does not fit.
   */
  predict(name: string, rows: Rows): Float64Array {
    return this.forTask(name).predict(rows);
  }

  /** What the loss is a function of, on its scale, for every row of a task set: [N], or [N, C] logits. */
  outputs(tasks: TaskSet): Float64Array {
    requireTaskSet("tasks", tasks);
    const k = this.outputsPerRow;
    const out = new Float64Array(tasks.size * k);
    for (let i = 0; i < tasks.m; i++) {
      const [from, to] = [tasks.offsets[i]!, tasks.offsets[i + 1]!];
      const model = this.forTask(tasks.names[i]!);
      const { sparse, d } = tasks;
      const rows = sparse
        ? model.sparseOutputs(sliceSparse(sparse, from, to))
        : model.outputs(tasks.x.subarray(from * d, to * d));
      out.set(rows, from * k);
    }
    return out;
  }

  /**
   * Accuracy on labelled tasks, by the metrics that go with the loss. Where rows have weights, each task's are brought to mean 1.
   * @throws DataError if a task is unknown, features differ, a label is not one of `classes`, or, where the fit was not private, a number
   *   is larger than 1e60; a private fit takes it for 1e60, and so do scores.
   */
  score(tasks: TaskSet): Scores {
    requireTaskSet("tasks", tasks);
    tasks.requireRows("score");
    if (tasks.d !== this.d) {
      throw new DataError(`the tasks have ${tasks.d} features, the model was fitted on ${this.d}`);
    }
    const rows = this.#inRange(tasks);
    return scoreOutputs(this, this.outputs(rows), rows);
  }

  /** Rows as the method's fit takes them. */
  #inRange(tasks: TaskSet): TaskSet {
    if (this.guarantee.kind !== "none") return heldRows(tasks);
    requireSquarableRows(tasks);
    return tasks;
  }

  #indexOf(name: string): number {
    // What stands in its place may be rows.
    if (typeof name !== "string") {
      throw new TypeError(`name: expected the name of a task, got ${typeof name}`);
    }
    const i = this.#index.get(name);
    if (i === undefined) {
      const known = this.taskNames.slice(0, 5).map((task) => JSON.stringify(task));
      const misspelt = misspeltNames(this.taskNames, [name]);
      throw new DataError(
        `task ${JSON.stringify(name)} is unknown to this model; it has ${this.m} tasks: ` +
          `${known.join(", ")}${this.m > 5 ? ", ..." : ""}${misspelt && `. ${misspelt}`}`,
      );
    }
    return i;
  }
}
