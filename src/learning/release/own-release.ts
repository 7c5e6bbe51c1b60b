/**
 * Releases that go to one task's own model only: every task perturbs statistics of its own rows, so that whoever is given its
 * model learns no record of it beyond the budget.
 *
 * **Statement.** A plan whose last stage is made by every task on its own rows, (eps, delta)-DP in all for one record, is
 * that against whoever sees the earlier releases and the task's own. Against all who do not have the task's own release, it
 * is what the earlier stages alone cost.
 *
 * **Proof.** A record is in one task; the other tasks' own releases do not depend on it. Its own task's is one more mechanism
 * composed with the earlier stages, and models are functions of both. A person with k_i rows in task i moves the own releases
 * of all tasks together by at most (sum_i k_i^2)^(1/2) <= sum_i k_i times what one row does, for which the noise is sized. QED
 * @module
 */
import type { Core } from "../../core/index.js";
import { attackerGain, Ledger, type Guarantee, type RecordGuarantee } from "../../privacy/index.js";
import { ownModelWords } from "../../privacy/guarantee/guarantee-words.js";
import { inRealNumbersOnly, isOfRealNumbersOnly } from "../../privacy/mechanisms/mechanism.js";
import { openStream, type RandomOptions } from "../../random/index.js";
import { streamNumber } from "../../random/stream-numbers.js";
import { noiseScaleAt, type OwnStage, type ReleasePlan } from "../round/release-plan.js";
import { epsilonThatFits } from "./epsilon-that-fits.js";

/** A plan whose last stage is every task's own. */
export function withOwnStage(plan: ReleasePlan): ReleasePlan {
  const { stages, ledger } = plan;
  const [shared, stage] = [stages.slice(0, -1), stages.at(-1)!];
  const events = shared.flatMap((one) => one.events);
  const epsilon = epsilonThatFits(events, ledger);
  return {
    ...plan,
    stages: shared,
    ledger: { ...ledger, epsilon, plan: events },
    own: { stage, ledger },
  };
}

/** What of the run a release by its owner depends on. */
export interface OwnReleaseContext {
  readonly random: RandomOptions;
  /** Where each task of the batch stands among all tasks of the run. */
  readonly positions: readonly number[];
}

/** The own releases of a batch of tasks, one or more rounds: all spend the same, each on its own records. */
export class OwnRelease {
  readonly ledger: Ledger;
  readonly #core: Core;
  readonly #own: OwnStage;
  readonly #random: RandomOptions;
  readonly #positions: readonly number[];

  constructor(core: Core, own: OwnStage, { random, positions }: OwnReleaseContext) {
    this.ledger = new Ledger(own.ledger);
    this.#core = core;
    this.#own = own;
    this.#random = random;
    this.#positions = positions;
  }

  /** Standard deviation, or scale, of the noise on every entry. */
  get deviation(): number {
    return noiseScaleAt(this.#own.stage, 1);
  }

  /**
   * Charges the next round of the stage, before the first one all that is shared, then perturbs the tasks' statistics
   * [batch, length] in a copy.
   * @throws BudgetExceededError after the last round.
   */
  draw(exact: Float64Array): Float64Array {
    const { stage } = this.#own;
    const { mechanism, budgets, length } = stage;
    const { arena } = this.#core;
    const round = this.#charge();
    const mark = arena.mark();
    const at = arena.f64(exact.length);
    const work = arena.bytes(mechanism.workspace(this.#core));
    const noisy = arena.view(at, exact.length);
    noisy.set(exact);
    const stream = openStream(this.#core, this.#random);
    try {
      this.#positions.forEach((position, i) => {
        stream.select(streamNumber.recordNoise(round, position));
        mechanism.perturb(this.#core, stream, at + 8 * i * length, budgets[round]!, work);
      });
    } finally {
      stream.close();
    }
    const out = arena.view(at, exact.length).slice();
    arena.view(at, exact.length).fill(0);
    arena.release(mark);
    return out;
  }

  /** The round of the stage that is paid for, from 0. */
  #charge(): number {
    const { plan } = this.#own.ledger;
    const shared = plan.length - this.#own.stage.events.length;
    const done = this.ledger.releases;
    const next = Math.max(shared, done);
    for (let k = done; k <= next; k++) {
      // Beyond the plan the ledger refuses whatever it is.
      const event = plan[k] ?? plan.at(-1)!;
      this.ledger.charge(event, { round: k + 1, label: k < shared ? "shared" : "own" });
    }
    return next - shared;
  }

  /** What a record is promised against whoever is given its task's model. */
  guarantee(joint: Guarantee): RecordGuarantee {
    const { epsilon, delta, accountant, adjacency } = this.ledger;
    const { mechanism, events } = this.#own.stage;
    const isPrivate = joint.noiseSource === "secure";
    // The shared releases are among those that it is of.
    const { why } = isOfRealNumbersOnly(joint) ? inRealNumbersOnly(mechanism) : mechanism;
    return {
      kind: "record",
      against: "own model",
      ...ownModelWords(joint),
      ...(isPrivate ? { attacker: attackerGain({ epsilon, delta }, this.ledger.plan) } : {}),
      adjacency,
      epsilon,
      delta,
      accountant,
      mechanism: mechanism.name,
      sound: mechanism.sound && events.length > 0,
      why,
      noiseSource: joint.noiseSource,
      private: isPrivate,
      spent: this.ledger.spent(),
    };
  }
}
