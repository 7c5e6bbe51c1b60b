/**
 * A fit that is watched while it runs; and one that is only scored.
 * @module
 */
import { makeEstimator, type Scores } from "../../../src/learning/index.js";
import { modelCard, saveModel } from "../../../src/model/index.js";
import { spentByRelease } from "../../../src/report/spending.js";
import type { FitOutcome, FitProgress, FitRequest } from "./messages.js";
import { saysOfLater } from "./later.js";
import { prepareFor } from "./prepare.js";
import { Trace } from "./trace.js";

/** Milliseconds between two messages to the page. */
const INTERVAL = 60;

const estimatorOf = ({ data: { loss }, method, options }: FitRequest) =>
  makeEstimator(method, { ...options, loss });

/** Fits, telling how it goes. */
export async function watchedFit(
  request: FitRequest,
  onProgress: (progress: FitProgress) => void,
): Promise<FitOutcome> {
  const { data, method, options } = request;
  const { train, test } = prepareFor(method, data);
  const trace = new Trace(Number(options["rounds"] ?? 1), train.m * train.d);
  const started = performance.now();
  let told = started;
  const model = await estimatorOf(request).fit(train, {
    notCharged: data.notCharged ?? [],
    observe: trace.observe,
    onRound: ({ round, rounds }) => {
      if (performance.now() - told < INTERVAL) return;
      told = performance.now();
      onProgress({ round, rounds, releases: trace.releases, frame: trace.frames.at(-1) ?? null });
    },
  });
  const seconds = (performance.now() - started) / 1000;
  const { ledger } = model;
  const summary = model.summary();
  return {
    method: model.method,
    why: model.choice?.why ?? null,
    summary: summary.fixedEffects ? summary : null,
    later: saysOfLater(model, summary),
    taskNames: model.taskNames,
    featureNames: model.featureNames,
    weights: Float32Array.from(model.weights),
    width: model.parameters,
    guarantee: model.guarantee,
    scores: model.score(test),
    rounds: model.rounds,
    seconds,
    // What tasks of a mixed model share are scores, not models: no features to draw them by.
    frames: summary.fixedEffects ? [] : trace.frames,
    releases: trace.releases,
    release: summary.fixedEffects ? null : trace.release,
    spent: ledger ? spentByRelease(ledger) : [],
    budget: ledger && { epsilon: ledger.epsilon, delta: ledger.delta },
    file: saveModel(model),
    card: `${JSON.stringify(modelCard(model), null, 2)}\n`,
  };
}

/** Fits and keeps the scores only. */
export async function scoredFit(request: FitRequest): Promise<Scores> {
  const { train, test } = prepareFor(request.method, request.data);
  const model = await estimatorOf(request).fit(train);
  return model.score(test);
}
