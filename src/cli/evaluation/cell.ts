/**
 * One cell of an evaluation: a method at an eps on one replicate, from split to score.
 * @module
 */
import {
  Pipeline,
  simulate,
  TaskSet,
  type SimulateOptions,
  type TaskArrays,
} from "../../data/index.js";
import {
  crossValidate,
  isPrivateMethod,
  makeEstimator,
  type Candidate,
  type Scores,
} from "../../learning/index.js";

/** Where a replicate's data comes from: a table that is split anew, or a simulation drawn anew. */
export type CellData =
  | { readonly kind: "table"; readonly tasks: TaskArrays; readonly trainFraction: number }
  | { readonly kind: "simulation"; readonly options: Omit<SimulateOptions, "seed"> };

/** How a cell's hyper-parameters are chosen. */
export type Tuning =
  | { readonly kind: "none" }
  | {
      readonly kind: "cv";
      readonly candidates: readonly Candidate[];
      readonly folds: number;
      readonly oneStandardError: boolean;
    };

/** What identifies a cell among those of an evaluation. */
export interface CellKey {
  readonly method: string;
  /** null for methods without a budget. */
  readonly epsilon: number | null;
  readonly replicate: number;
}

/** A cell as a worker is sent it; it determines the result to the last bit. */
export interface Cell extends CellKey {
  readonly data: CellData;
  readonly seed: string;
  readonly normalize: "rows" | "none";
  readonly options: Candidate;
  readonly tuning: Tuning;
}

/** What came out of a cell; nothing in it depends on the clock or on the number of workers. */
export interface CellResult extends CellKey {
  readonly scores: Scores;
  /** What was chosen; empty where there was nothing to choose. */
  readonly chosen: Candidate;
  readonly guarantee: {
    readonly epsilon: number;
    readonly delta: number;
    readonly mechanism: string;
    readonly sound: boolean;
  } | null;
}

/** Runs a cell. Noise is seeded, so that an evaluation can be repeated: its models protect no one. */
export async function runCell(cell: Cell): Promise<CellResult> {
  const { method, epsilon, replicate, seed } = cell;
  const { train, test } = prepare(cell);
  const noise = isPrivateMethod(method)
    ? {
        epsilon,
        random: { mode: "seeded", seed: `${seed}/noise/${method}/${epsilon}/${replicate}` },
      }
    : {};
  const options = { ...cell.options, ...noise };
  const { tuning } = cell;
  let chosen: Candidate = {};
  if (tuning.kind === "cv") {
    const folding = { method, options, ...tuning, seed: `${seed}/folds/${replicate}` };
    chosen = (await crossValidate(train, folding)).chosen;
  }
  const model = await makeEstimator(method, { ...options, ...chosen }).fit(train);
  const known = test.select(test.names.filter((name) => train.has(name)));
  const { guarantee } = model;
  return {
    method,
    epsilon,
    replicate,
    scores: model.score(known),
    chosen,
    guarantee:
      guarantee.kind === "none"
        ? null
        : {
            epsilon: guarantee.epsilon,
            delta: guarantee.delta,
            mechanism: guarantee.mechanism,
            sound: guarantee.sound,
          },
  };
}

function prepare({ data, seed, replicate, normalize }: Cell): { train: TaskSet; test: TaskSet } {
  const replicateSeed = `${seed}/data/${replicate}`;
  const { train, test } =
    data.kind === "simulation"
      ? simulate({ ...data.options, seed: replicateSeed })
      : TaskSet.adopt(data.tasks).split({ trainFraction: data.trainFraction, seed: replicateSeed });
  if (normalize === "none") return { train, test };
  const pipeline = Pipeline.fit(train, [{ kind: "unit-rows" }]);
  return { train: pipeline.apply(train), test: pipeline.apply(test) };
}
