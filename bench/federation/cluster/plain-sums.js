/**
 * The models of a run on secure sums without keys, masks, relays and network: in every round the plain sum of the integers of those who
 * are there, each with its share of the noise.
 * @module
 */
import { openCore } from "../../../build/modules/core/index.js";
import { aggregationTerms } from "../../../build/modules/federation/secure-aggregation/plan/terms.js";
import { noisyIntegers } from "../../../build/modules/federation/secure-aggregation/run/contribution.js";
import { unpackStatistic } from "../../../build/modules/federation/secure-aggregation/integers/fixed-point.js";
import { plannedMethod } from "../../../build/modules/federation/protocol/plan/planned-method.js";
import { shareOptionsOf } from "../../../build/modules/federation/secure-aggregation/plan/planned.js";
import { publicSizes } from "../../../build/modules/learning/release/public-sizes.js";
import { openStream } from "../../../build/modules/random/index.js";
import { keyOf, streamNumber } from "../../../build/modules/random/stream-numbers.js";

/**
 * @param isThere whether a participant is in a round's sum.
 * @returns every participant's weights, in the order of names.
 */
export async function modelsOfPlainSums({ plan, tasks, names }, isThere) {
  const core = openCore();
  const sizes = publicSizes(tasks);
  const { estimator, outputs, releases } = plannedMethod(plan, sizes);
  const terms = aggregationTerms(releases, shareOptionsOf(plan.aggregation));
  const curator = estimator.halves.curator({ core, sizes, outputs, releases });
  const owners = names.map((name, i) => ({
    name,
    noise: openStream(core, keyOf(plan.options.random, ` ${name}`)),
    half: estimator.halves.participants({
      core,
      data: tasks.select([tasks.names[i]]),
      sizes,
      positions: [i],
      classes: null,
      start: curator.start,
      releases,
    }),
  }));
  let round = 0;
  for (const [k, { rounds, curator: own }] of curator.stages.entries()) {
    for (let i = 0; i < rounds; i++) {
      const now = terms[round++];
      const { statistic: kind, entries, dimension, step } = now.grid;
      const sum = new Float64Array(entries);
      for (const { name, noise, half } of owners) {
        const stage = half.stages[k];
        const vector = core.arena.view(stage.upload(round), stage.uploadLength).slice();
        if (!isThere(name, round)) continue;
        noise.select(streamNumber.release(round));
        noisyIntegers(core, noise, now, vector).forEach((x, at) => (sum[at] += x));
      }
      const statistic = new Float64Array(own.statisticLength);
      unpackStatistic(kind, sum, dimension, step, statistic);
      own.release(statistic, round);
      const broadcast = core.arena.view(own.broadcast, own.broadcastLength).slice();
      for (const { half } of owners) {
        half.stages[k].receive(core.arena.copyOf(broadcast), round, i === rounds - 1);
      }
    }
  }
  const models = [];
  for (const { half } of owners) {
    await half.finish?.();
    models.push(half.models().weights);
  }
  return models;
}
