/**
 * Repeated releases of a mechanism in two neighbouring worlds, attacked.
 *
 * The kernels and the stream are given, not opened here: this layer holds no WebAssembly.
 * @module
 */
import type { Core } from "../../core/core.js";
import type { Pointer } from "../../core/kernels/pointer.js";
import type { Mechanism, NoiseStream } from "../mechanisms/mechanism.js";
import { attacksOn, noiseScaleOf, ScoreSum, type Attack } from "./attacks.js";
import type { Neighbours } from "./neighbours.js";
import { noiseSample, type NoiseSample } from "./release-checks.js";
import type { PrivacyEvent } from "../events/event-kinds.js";

/** What is attacked. */
export interface MechanismTrialsOptions {
  readonly core: Core;
  readonly stream: NoiseStream;
  readonly mechanism: Mechanism;
  /** Budget of every round. */
  readonly budgets: Float64Array;
  readonly neighbours: Neighbours;
}

/** Noise draws kept for the check of repeats. */
const KEPT_SAMPLES = 4096;

/** A game of T releases that is played once per trial. */
export class MechanismTrials {
  readonly attacks: readonly Attack[];
  /** The first draws of noise, scaled. */
  readonly samples: NoiseSample[] = [];
  readonly #options: MechanismTrialsOptions;
  readonly #events: readonly PrivacyEvent[];
  readonly #length: number;
  readonly #at: Pointer;
  readonly #coin: Pointer;
  readonly #work: Pointer;

  constructor(options: MechanismTrialsOptions) {
    const { core, mechanism, budgets, neighbours } = options;
    this.#options = options;
    this.#events = Array.from(budgets, (budget) => mechanism.event(budget));
    this.attacks = attacksOn(this.#events[0]!);
    this.#length = neighbours.present.length;
    this.#at = core.arena.f64(this.#length);
    this.#coin = core.arena.f64(1);
    this.#work = core.arena.bytes(mechanism.workspace(core));
  }

  /** All rounds once in one world; the score of every attack. */
  play(world: keyof Neighbours): number[] {
    const { core, stream, mechanism, budgets, neighbours } = this.#options;
    const sums = this.attacks.map(() => new ScoreSum());
    budgets.forEach((budget, t) => {
      const event = this.#events[t]!;
      const exact = this.#takesPart(event) ? neighbours[world] : neighbours.neighbour;
      core.arena.view(this.#at, this.#length).set(exact);
      mechanism.perturb(core, stream, this.#at, budget, this.#work);
      const values = core.arena.view(this.#at, this.#length);
      this.#keep(values, exact, event);
      this.attacks.forEach((attack, k) => {
        sums[k]!.add(attack.score({ values, ...neighbours, event }));
      });
    });
    return sums.map(({ value }) => value);
  }

  /** Under Poisson sampling the canary is in a round with the sampling probability. */
  #takesPart(event: PrivacyEvent): boolean {
    if (event.kind !== "subsampled-gaussian") return true;
    const { core, stream } = this.#options;
    core.kernels.randomUniform(stream.state, this.#coin, 1);
    return core.arena.view(this.#coin, 1)[0]! < event.sampling.rate;
  }

  #keep(values: Float64Array, exact: Float64Array, event: PrivacyEvent): void {
    if (this.samples.length >= KEPT_SAMPLES) return;
    this.samples.push(noiseSample(values, exact, noiseScaleOf(event)));
  }
}
