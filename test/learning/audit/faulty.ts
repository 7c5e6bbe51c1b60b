/**
 * A private fit with a fault planted in it: what an audit must find.
 * @module
 */
import type { Core } from "../../../src/core/index.js";
import type { TaskSet } from "../../../src/data/index.js";
import { fittedModel } from "../../../src/learning/fitted/build-model.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import type { Estimator, FitOptions } from "../../../src/learning/round/estimator.js";
import { initialModels } from "../../../src/learning/steps/initial-models.js";
import { MpLowRank } from "../../../src/learning/estimators/mp-low-rank.js";
import type { GradientMethodOptions } from "../../../src/learning/families/projected/options.js";
import { plannedClip } from "../../../src/learning/options/clip-option.js";
import { planReleases } from "../../../src/learning/release/plan-releases.js";
import { PrivateReleases } from "../../../src/learning/release/private-releases.js";
import type { FittedModel } from "../../../src/learning/fitted/fitted-model.js";
import { fixedMomentum } from "../../../src/learning/steps/momentum.js";
import { matrixProjection } from "../../../src/learning/steps/projection.js";
import { ProximalGradient } from "../../../src/learning/steps/proximal-gradient.js";
import { Curator, type RoundPrivacy } from "../../../src/learning/round/curator.js";
import { runRounds } from "../../../src/learning/round/run.js";
import { lowRankRule } from "../../../src/learning/sharing/low-rank.js";
import { Ledger, type ReleaseCheck } from "../../../src/privacy/index.js";
import type { RandomOptions } from "../../../src/random/index.js";

export const FAULTS = [
  "none",
  "noise halved",
  "clip skipped",
  "round not charged",
  "seed reused between rounds",
  "seed reused between runs",
  "no noise",
] as const;

export type Fault = (typeof FAULTS)[number];

/** The check that sees a fault without statistics, if one does. */
export const CHECK_OF: Partial<Record<Fault, ReleaseCheck["name"]>> = {
  "round not charged": "charged",
  "seed reused between rounds": "noise-fresh",
  "seed reused between runs": "noise-fresh",
  "no noise": "noise-drawn",
};

/** Algorithm 2 from the pieces of the real one, with a fault. */
export class FaultyLowRank implements Estimator {
  readonly method = "faulty-low-rank";
  readonly options: GradientMethodOptions;
  readonly #fault: Fault;

  constructor(fault: Fault, options: Partial<GradientMethodOptions>) {
    this.options = new MpLowRank({ schedule: { kind: "constant" }, ...options }).options;
    this.#fault = fault;
  }

  async fit(data: TaskSet, { observe }: FitOptions = {}): Promise<FittedModel> {
    const { options } = this;
    const fault = this.#fault;
    const placed = placeTasks(data, options);
    const { tasks } = placed;
    const { m, d, core } = tasks;
    const random: RandomOptions =
      fault === "seed reused between runs" ? { mode: "seeded", seed: "fixed" } : options.random;
    const open = () => this.#open(core, m, d, random);
    const sound = open();
    const privacy = this.#break(core, d, sound, open);
    const rule = lowRankRule(0.01);
    const curator = new Curator({ core, m, d, rule, privacy, observe });
    const initial = initialModels(tasks, options);
    const participants = new ProximalGradient(tasks, {
      clip: fault === "clip skipped" ? 1e9 : plannedClip(options.clip),
      clipIterate: true,
      steps: new Float64Array(m).fill(1),
      strongConvexity: 0,
      momentum: fixedMomentum("none", 0, 1),
      projection: matrixProjection(core, m, d),
      initial: initial.weights,
      initialIntercepts: initial.intercepts,
    });
    const rounds = await runRounds({ participants, curator, rounds: options.rounds });
    return fittedModel(data, placed, participants, {
      method: this.method,
      options,
      guarantee: sound.guarantee([]),
      ledger: fault === "round not charged" ? forgetful(sound.ledger) : sound.ledger,
      certificate: null,
      rounds,
      history: [],
      objective: 0,
    });
  }

  #open(core: Core, m: number, d: number, random: RandomOptions): PrivateReleases {
    const { options } = this;
    const { rounds } = options;
    const clip = plannedClip(options.clip);
    const stages = [{ statistic: "covariance" as const, m, d, clip, rounds }];
    return new PrivateReleases(planReleases({ options, tasks: m, stages }), { core, random });
  }

  #break(
    core: Core,
    d: number,
    releases: PrivateReleases,
    open: () => PrivateReleases,
  ): RoundPrivacy {
    const sound = releases.stages[0]!;
    const view = (at: number) => core.arena.view(at, d * d);
    const shift = () => 0;
    const scaled = (factor: number): RoundPrivacy => ({
      shift,
      perturb: (at, round) => {
        const before = view(at).slice();
        sound.perturb(at, round);
        view(at).forEach((x, k, all) => (all[k] = before[k]! + factor * (x - before[k]!)));
      },
    });
    switch (this.#fault) {
      case "noise halved":
        return scaled(0.5);
      case "no noise":
        return scaled(0);
      case "seed reused between rounds":
        return {
          shift,
          perturb: (at, round) => {
            const before = view(at).slice();
            sound.perturb(at, round);
            view(at).set(before);
            open().stages[0]!.perturb(at, 1); // the first round's noise again
          },
        };
      default:
        return sound;
    }
  }
}

/** The same ledger without its last charge. */
function forgetful(ledger: Ledger): Ledger {
  const stored = ledger.toJSON();
  return Ledger.fromJSON({ ...stored, entries: stored.entries.slice(0, -1) });
}
