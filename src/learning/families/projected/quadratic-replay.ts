/**
 * Tasks of Algorithm 2 with the squared loss that follow known broadcasts, several rounds in one call.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Replayer } from "../../local-selection/broadcast-log.js";
import type { FoldEntries } from "../../tasks/fold-entries.js";
import { KernelRecord } from "../../tasks/kernel-record.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { ProximalGradientOptions } from "../../steps/proximal-gradient.js";
import { singleForms } from "./single-forms.js";

/** Features up to which a task's form and a broadcast stay in a second-level cache. */
export const MOST_FEATURES = 256;
/** Most numbers of broadcasts that a call takes. */
const BROADCASTS_AT_ONCE = 2 ** 17;

/** What of a proximal gradient step there is to choose. */
export type ProjectedOptions = Pick<
  ProximalGradientOptions,
  "clip" | "steps" | "strongConvexity" | "momentum" | "initial" | "initialIntercepts"
>;

/**
 * What `ProximalGradient` does with M[d, d] as broadcast, the clipped model as iterate and no local part, but for rounding: in
 * single precision, as the broadcasts are kept. Its models are for choices among models, and never a task's own.
 */
export class QuadraticReplay implements Replayer {
  readonly atOnce: number;
  /** w^(t), [m, d]. */
  readonly weights: Pointer;
  /** Intercepts of that round, [m]; 0 without them. */
  readonly intercepts: Pointer;
  readonly #core: Core;
  readonly #d: number;
  readonly #options: ProjectedOptions;
  readonly #words: Record<(typeof WORDS)[number], number>;
  readonly #record: KernelRecord<(typeof WORDS)[number]>;
  #done = 0;

  /** @param entries of dense tasks with the squared loss, whose options are in the order of entries. */
  constructor(tasks: ResidentTasks, entries: FoldEntries, options: ProjectedOptions) {
    const { core, d, intercept } = tasks;
    const { arena, kernels } = core;
    const m = entries.owners.length;
    const { initial, initialIntercepts, clip } = options;
    const forms = singleForms(tasks, entries, { ...options, scale: kernels.projectedScale(clip) });
    const placed = () => (intercept ? arena.copyOf(initialIntercepts) : 0);
    this.#core = core;
    this.#d = d;
    this.#options = options;
    this.atOnce = Math.max(1, Math.floor(BROADCASTS_AT_ONCE / (d * d)));
    this.weights = arena.f64(m * d);
    this.intercepts = placed();
    this.#record = new KernelRecord(core, 1, WORDS);
    this.#words = {
      ...{ ...forms, m, d, broadcasts: 0, betas: 0, rounds: 0, first: 1, output: this.weights },
      iterate: arena.copyOf(initial),
      ...{ interceptIterate: placed(), intercepts: this.intercepts, work: 0 },
    };
  }

  replay(received: readonly Float32Array[]): void {
    const { arena, kernels } = this.#core;
    const { clip, momentum } = this.#options;
    const rounds = received.length;
    const length = this.#d * this.#d;
    const mark = arena.mark();
    const broadcasts = arena.bytes(4 * rounds * length);
    const betas = arena.f64(rounds);
    const work = arena.bytes(kernels.projectedRoundsWorkspace(this.#d, rounds));
    const at = arena.singles(broadcasts, rounds * length);
    received.forEach((broadcast, k) => at.set(broadcast, k * length));
    const round = this.#done + 1;
    arena.view(betas, rounds).set(received.map((_, k) => momentum.beta(round + k)));
    Object.assign(this.#words, {
      broadcasts,
      betas,
      work,
      rounds,
      first: this.#done === 0 ? 1 : 0,
    });
    this.#record.write([clip], this.#words);
    kernels.projectedRounds(this.#record.at);
    arena.release(mark);
    this.#done += rounds;
  }
}

/** The words of the kernel's record, in its order. */
const WORDS = [
  "forms",
  "means",
  "broadcasts",
  "betas",
  "iterate",
  "output",
  "interceptIterate",
  "intercepts",
  "work",
  "m",
  "d",
  "rounds",
  "first",
] as const;
