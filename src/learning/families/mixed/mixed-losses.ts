/**
 * What the private mixed model is for each loss: what it releases, and tasks in that exchange.
 * @module
 */
import type { Core } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { OwnRelease } from "../../release/own-release.js";
import type { LossName } from "../../tasks/losses.js";
import { ClassesExchange } from "./labels/classes/classes-exchange.js";
import { linesAgainstRest } from "./labels/classes/public-lines.js";
import { classesPlan } from "./labels/classes/classes-plan.js";
import type { MixedExchange, MixedRelease, MixedSizes } from "./exchange.js";
import { LogisticExchange } from "./labels/logistic-exchange.js";
import { logisticPlan } from "./labels/logistic-plan.js";
import { syntheticColumns } from "./labels/evidence/logistic-synthetic.js";
import { RecordExchange, recordReleases } from "./records/record-exchange.js";
import { SquaredExchange } from "./squared/squared-exchange.js";
import { squaredReleases, squaredSteps } from "./squared/squared-plan.js";
import type { TaskRows } from "./spectra/task-spectrum.js";
import type { Units } from "./units/units.js";
import type { WeightedSizes } from "./weighted-sizes.js";

/** What the noise hides: a task; one record; a task, with what a record has of it accounted too. */
export type MixedUnit = "task" | "record" | "both";

/** A batch of tasks before the exchange. */
export interface MixedBatch {
  readonly core: Core;
  /** How its columns came about. */
  readonly encoding: TaskSet["encoding"];
  /** Targets as the loss has them: numbers, labels 1 and -1, or classes from 0 on. */
  readonly rows: TaskRows;
  readonly sizes: MixedSizes;
  /** By which the releases were planned; default `sizes`. */
  readonly planned?: MixedSizes;
  /** How the units of the rows came about. */
  readonly units: Pick<Units, "voted" | "untold" | "unsure">;
  /** The whole budget, as Gaussian differential privacy. */
  readonly mu: number;
  /** A public model in the rows' units, [d], of the logistic loss, or [C, d], logits of a softmax; default none. */
  readonly center?: Float64Array | undefined;
  /** Default a task. */
  readonly unit?: MixedUnit;
  /** What perturbs the tasks' own moments, where their models must not show a record. */
  readonly own?: OwnRelease | undefined;
  /** Factors of the batch's uploads, where owners have budgets of their own. */
  readonly weights?: readonly number[] | undefined;
  /** The run's sizes with everyone's factors. */
  readonly of: WeightedSizes;
}

/** The model with one loss. */
export interface MixedLoss {
  /** Label of the releases that are the method's rounds; the last of them takes what the others leave. */
  readonly rounds: string;
  /** Size of a feature, or target, that was brought to [-1, 1] by a declared range, in the exchange's units. */
  readonly rangeSize: number;
  /** From public sizes and the budget alone. */
  releases(sizes: MixedSizes, mu: number): MixedRelease[];
  exchange(batch: MixedBatch): MixedExchange;
}

const squared: MixedLoss = {
  rounds: "location",
  rangeSize: 0.5,
  releases: (sizes, mu) => squaredReleases(squaredSteps(sizes, mu), sizes),
  exchange: ({ core, rows, sizes, planned = sizes, mu, units }) =>
    new SquaredExchange(core, rows, sizes, squaredSteps(planned, mu), units),
};

const logistic: MixedLoss = {
  rounds: "score",
  rangeSize: 1,
  releases: logisticPlan,
  exchange: ({ encoding, rows, sizes, mu, center, units }) =>
    new LogisticExchange(rows, sizes, mu, logisticPlan(sizes, mu), {
      columns: syntheticColumns(encoding),
      center,
      ...units,
    }),
};

const softmax: MixedLoss = {
  ...logistic,
  releases: classesPlan,
  exchange: ({ encoding, rows, sizes, mu, center, units }) => {
    const known = { columns: syntheticColumns(encoding), ...units };
    const lines = center && linesAgainstRest(center, sizes.d);
    return new ClassesExchange(rows, sizes, mu, known, lines);
  },
};

const LOSSES: Readonly<Record<LossName, MixedLoss>> = { squared, logistic, softmax };

/** The squared loss where the noise hides one record. */
const records: MixedLoss = {
  rounds: "between",
  rangeSize: 0.5,
  releases: recordReleases,
  exchange: ({ core, rows, sizes, own, unit, weights, of }) =>
    new RecordExchange(core, rows, sizes, { own, clipTasks: unit === "both", weights, of }),
};

/** Losses that the model has. */
export const MIXED_LOSSES = Object.keys(LOSSES) as LossName[];

/** The model with a loss of {@link MIXED_LOSSES}, and what its noise hides. */
export const mixedLoss = ({
  loss,
  unit = "task",
}: {
  loss: LossName;
  unit?: MixedUnit;
}): MixedLoss => (unit === "task" ? LOSSES[loss] : records);
