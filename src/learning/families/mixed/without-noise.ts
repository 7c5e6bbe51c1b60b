/**
 * The mixed model's exchange on exact sums: what learning together would reach if nothing had to be hidden.
 * @module
 */
import type { Core } from "../../../core/index.js";
import { relativeWeights, type TaskSet } from "../../../data/index.js";
import type { Classes, ThreadsUsed } from "../../fitted/model-state.js";
import { sumOfLosses } from "../../fitted/linear-models.js";
import { fitInBatches } from "../../parallel/fit-in-batches.js";
import { publicSizes } from "../../release/public-sizes.js";
import type { BatchContext, Batches } from "../../round/batches.js";
import type { FitOptions } from "../../round/estimator.js";
import type { BatchModels, ParticipantHalf, PublicSizes } from "../../round/halves.js";
import type { Participants } from "../../round/participants.js";
import { timeSlice } from "../../round/run.js";
import { withConstantColumn } from "../../tasks/constant-column.js";
import { outputsOf, type LossName } from "../../tasks/losses.js";
import { targetsOf } from "../../tasks/targets.js";
import type { MixedModels, MixedRelease } from "./exchange.js";
import { ExchangeParticipants } from "./exchange-participants.js";
import { sizesOf } from "./mixed-releases.js";
import { deniedVotes } from "./undeclared/denied-votes.js";
import { LearnedScaleExchange } from "./undeclared/learned-scale.js";
import { scalePlan, scaleReleases } from "./undeclared/scale-plan.js";
import { mixedLoss } from "./mixed-losses.js";
import { mixedWork } from "./mixed-work.js";
import { batchModels, COMPONENTS_BY_TASK } from "./model-components.js";
import { columnsToLearn, requireScales, type ScaleChoice } from "./options.js";
import { rootedRows } from "./spectra/rooted-rows.js";
import { taskLosses } from "./task-losses.js";
import { declaredUnits, givenUnits } from "./units/units.js";
import { weightedSizes } from "./weighted-sizes.js";

/** What is asked for. */
export interface NoiselessOptions extends ScaleChoice {
  readonly loss: LossName;
}

/** A fit. */
export interface NoiselessFit {
  readonly models: BatchModels;
  /** The sum over tasks of the mean loss of their rows. */
  readonly objective: number;
  readonly threads: ThreadsUsed;
}

/** The tasks in batches, a stage for every sum. */
export function noiselessBatches(options: NoiselessOptions): Batches {
  return {
    work: (context) => mixedWork(options.loss, context),
    place: (context) => batch(options, context),
  };
}

/** Votes without noise, which pay whatever the sizes. */
const exactVotes = (
  { length: columns }: readonly number[],
  { m, rows }: PublicSizes,
  { loss }: NoiselessOptions,
) => scalePlan({ columns, m, meanRows: rows / m, loss, hasPrior: false }, Infinity);

function releasesOf(
  options: NoiselessOptions,
  sizes: PublicSizes,
  outputs: number,
): readonly MixedRelease[] {
  const columns = columnsToLearn(sizes, options);
  return [
    ...scaleReleases(exactVotes(columns, sizes, options), columns.length),
    ...mixedLoss({ loss: options.loss }).releases(sizesOf(sizes, outputs), Infinity),
  ];
}

function batch(
  options: NoiselessOptions,
  { core, data, sizes, classes }: BatchContext,
): ParticipantHalf {
  const { loss } = options;
  requireScales(data, sizes, options);
  const { x, offsets, d } = withConstantColumn(data);
  const { y } = targetsOf(data, loss, classes);
  const outputs = outputsOf(loss, classes);
  const { m } = data;
  const rows = { x, y, offsets, names: data.names, d, m, weights: relativeWeights(data) };
  const { rangeSize, exchange: make } = mixedLoss({ loss });
  const columns = columnsToLearn(sizes, options);
  const known = options.scale === "unit" ? givenUnits(d) : declaredUnits(data.encoding, rangeSize);
  const exchange = new LearnedScaleExchange(
    rows,
    { columns, plan: exactVotes(columns, sizes, options), known, rangeSize },
    (scaled, units) =>
      make({
        core,
        encoding: data.encoding,
        rows: rootedRows(scaled, data),
        mu: Infinity,
        units,
        sizes: sizesOf(sizes, outputs),
        of: weightedSizes(sizes, undefined),
      }),
  );
  const releases = releasesOf(options, sizes, outputs);
  let solved: MixedModels | undefined;
  const settled = (models: MixedModels) =>
    loss === "squared" ? deniedVotes(models, exchange.units, data) : models;
  const models = () => (solved ??= settled(exchange.solve()));
  return {
    stages: releases.map(
      ({ length }, release) =>
        new ExchangeParticipants(core, exchange, { release, m, length, deviation: 0 }),
    ),
    rounds: releases.map(() => 1),
    broadcastLengths: releases.map(({ length }) => length),
    common: () => exchange.common(releases.length),
    models: (shared) => batchModels(models(), exchange.units, data, shared),
    byTask: COMPONENTS_BY_TASK,
    losses: () => taskLosses(loss, rows, models().models),
    close: () => undefined,
  };
}

/**
 * Fits all tasks.
 * @throws DataError where columns have no scale; whatever `signal` was aborted with.
 */
export async function fitWithoutNoise(
  method: string,
  options: NoiselessOptions,
  { data, classes }: { readonly data: TaskSet; readonly classes: Classes | null },
  hooks: FitOptions,
): Promise<NoiselessFit> {
  const { signal } = hooks;
  const pauseIfDue = timeSlice();
  const sizes = publicSizes(data);
  const outputs = outputsOf(options.loss, classes);
  const batches = noiselessBatches(options);
  const statistics = releasesOf(options, sizes, outputs).map(({ statistic }) => statistic);
  const { models, losses, threads } = await fitInBatches(
    { method, options, batches, statistics },
    { data, sizes, classes, start: null },
    hooks,
    async (tasks, core) => {
      for (const stage of tasks.stages) {
        await sumExactly(core, stage, signal);
        // Whatever is to abort the fit needs a turn of the event loop.
        const pause = pauseIfDue();
        if (pause) await pause;
      }
      signal?.throwIfAborted();
    },
  );
  return { models, objective: sumOfLosses(losses), threads };
}

/** Sums what all tasks upload, in their order, and tells them. */
async function sumExactly(
  core: Core,
  stage: Participants,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { arena } = core;
  signal?.throwIfAborted();
  const { m, uploadLength: length } = stage;
  await stage.prepare?.(1, undefined, signal);
  const uploads = arena.view(stage.upload(1), m * length);
  const sum = new Float64Array(length);
  for (let i = 0, at = 0; i < m; i++) {
    for (let k = 0; k < length; k++, at++) sum[k]! += uploads[at]!;
  }
  // Not released: who receives it may put more into the core.
  stage.receive(arena.copyOf(sum), 1, true);
}
