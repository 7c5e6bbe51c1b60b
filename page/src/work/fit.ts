/**
 * A fit that is watched while it runs; and one that is only scored.
 * @module
 */
import { TaskSet } from "../../../src/data/index.js";
import { makeEstimator, type Scores } from "../../../src/learning/index.js";
import { modelCard, saveModel } from "../../../src/model/index.js";
import { spentByRelease } from "../../../src/report/spending.js";
import type { FitOutcome, FitProgress, FitRequest } from "./messages.js";
import { Trace } from "./trace.js";

/** Milliseconds between two messages to the page. */
const INTERVAL = 60;

function estimatorOf({ data, method, options }: FitRequest) {
  const { loss, intercept } = data;
  return makeEstimator(method, { ...options, loss, intercept });
}

/** Fits, telling how it goes. */
export async function watchedFit(
  request: FitRequest,
  onProgress: (progress: FitProgress) => void,
): Promise<FitOutcome> {
  const { data, options } = request;
  const train = TaskSet.adopt(data.train);
  const trace = new Trace(Number(options["rounds"] ?? 1), train.m * train.d);
  const started = performance.now();
  let told = started;
  const fitted = await estimatorOf(request).fit(train, {
    notCharged: data.notCharged,
    observe: trace.observe,
    onRound: ({ round, rounds }) => {
      if (performance.now() - told < INTERVAL) return;
      told = performance.now();
      onProgress({ round, rounds, releases: trace.releases, frame: trace.frames.at(-1) ?? null });
    },
  });
  const seconds = (performance.now() - started) / 1000;
  const model = data.preprocessing ? fitted.withPreprocessing(data.preprocessing) : fitted;
  const { ledger } = model;
  return {
    method: model.method,
    taskNames: model.taskNames,
    featureNames: model.featureNames,
    weights: Float32Array.from(model.weights),
    width: model.parameters,
    guarantee: model.guarantee,
    scores: model.score(TaskSet.adopt(data.test)),
    rounds: model.rounds,
    seconds,
    frames: trace.frames,
    releases: trace.releases,
    release: trace.release,
    spent: ledger ? spentByRelease(ledger) : [],
    budget: ledger && { epsilon: ledger.epsilon, delta: ledger.delta },
    file: saveModel(model),
    card: `${JSON.stringify(modelCard(model), null, 2)}\n`,
  };
}

/** Fits and keeps the scores only. */
export async function scoredFit(request: FitRequest): Promise<Scores> {
  const model = await estimatorOf(request).fit(TaskSet.adopt(request.data.train));
  return model.score(TaskSet.adopt(request.data.test));
}
