/**
 * Baseline: the private average of locally trained models.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted-model.js";
import {
  checkSlopeBound,
  placeClipped,
  recordLevelGuarantee,
  recordLevelRules,
  recordRounds,
  releaseBound,
  type RecordLevelOptions,
} from "../record-level/options.js";
import { solveToDistance } from "../record-level/solve.js";
import { fittedModel, type Estimator, type FitOptions } from "./estimator.js";
import { checkOptions } from "./options.js";
import { checkFeatureBound } from "./private-options.js";
import { refuseWarmStart } from "./warm-start.js";

/**
 * DP-AGGR: every task trains an l2-regularised model alone, one noisy average of them is released,
 * and all tasks get it.
 *
 * It protects one record; the guarantee of a task is the lift to its n records by group privacy, so
 * noise grows with n = max n_i. With c_i of the loss scale, slopes within G and rows within B, one
 * changed record moves its task's model by at most 2 c_i G B / lambda, and the average by a part
 * 1/m of that.
 *
 * @see Pathak, Rane, Raj (2010), "Multiparty differential privacy via aggregation of locally trained
 *   classifiers"; Liang et al., Proposition 3; PRIVACY.md 5.6.
 * @example const model = await new DpAggregation({ epsilon: 1, lambda: 0.1, slopeBound: 20 }).fit(train);
 */
export class DpAggregation implements Estimator {
  readonly method = "dp-aggregation";
  readonly options: RecordLevelOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<RecordLevelOptions>) {
    this.options = checkOptions<RecordLevelOptions>(this.method, options, recordLevelRules);
    checkSlopeBound(this.method, this.options);
  }

  /**
   * Trains, averages and releases once.
   * @throws DataError if a row is longer than `featureBound`.
   */
  async fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const { method, options } = this;
    const { lambda, featureBound, slopeBound } = options;
    refuseWarmStart(method, hooks);
    checkFeatureBound(data, featureBound);
    const placed = placeClipped(data, options);
    const { tasks } = placed;
    const { m, d, core } = tasks;
    const { arena, kernels } = core;
    const largestScale = Math.max(...arena.view(tasks.scales, m));
    const perSlope = (largestScale * featureBound) / (lambda * m);
    const { distance } = releaseBound(perSlope * (slopeBound === "data" ? 1 : slopeBound));
    const own = await solveToDistance({
      tasks,
      strongConvexity: lambda,
      distance,
      signal: hooks.signal,
    });
    const slope = slopeBound === "data" ? tasks.largestSlope(own) : slopeBound;
    const { clip } = releaseBound(perSlope * slope);
    const rounds = recordRounds({ tasks, data }, options, {
      length: d,
      clip,
      rounds: 1,
      journal: hooks.journal,
    });
    try {
      const average = arena.zeros(d);
      for (let i = 0; i < m; i++) kernels.axpy(1 / m, own + 8 * i * d, average, d);
      rounds.perturb(average, 1);
      hooks.onRound?.({ round: 1, rounds: 1 });
      const weights = arena.f64(m * d);
      const released = arena.view(average, d);
      for (let i = 0; i < m; i++) arena.view(weights + 8 * i * d, d).set(released);
      const losses = arena.f64(m);
      tasks.losses(weights, 0, losses);
      return fittedModel(
        data,
        placed,
        { weights, intercepts: 0 },
        {
          method,
          options,
          guarantee: recordLevelGuarantee(rounds, data, options, hooks),
          ledger: rounds.ledger,
          certificate: null,
          rounds: 1,
          history: [{ round: 1, noiseScale: rounds.noiseScale(1) }],
          objective: arena.view(losses, m).reduce((sum, loss) => sum + loss, 0),
        },
      );
    } finally {
      rounds.close();
    }
  }
}
