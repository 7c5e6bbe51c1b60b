/**
 * Tasks of Algorithm 2 with the squared loss that follow known broadcasts, several rounds in one call.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Replayer } from "../../local-selection/broadcast-log.js";
import type { FoldEntries } from "../../tasks/fold-entries.js";
import { KernelRecord } from "../../tasks/kernel-record.js";
import type { PlacedModels } from "../../tasks/local-models.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { ProximalGradientOptions } from "../../steps/proximal-gradient.js";
import { PlacedBroadcasts } from "./placed-broadcasts.js";
import { singleForms } from "./single-forms.js";

/** Features up to which a task's form and a broadcast stay in a second-level cache. */
export const MOST_FEATURES = 256;

/** What of a proximal gradient step there is to choose. */
export type ProjectedOptions = Pick<
  ProximalGradientOptions,
  "steps" | "strongConvexity" | "momentum"
> & {
  /** K, which is known after the rounds. */
  readonly clip: number;
  /** Where every entry starts, in the tasks' core: they stay as they are. */
  readonly starts: PlacedModels;
  /** Where the broadcasts lie that several of these follow; default: room of their own. */
  readonly broadcasts?: PlacedBroadcasts | undefined;
};

/**
 * What `ProximalGradient` does with M[d, d] as broadcast, the clipped model as iterate and no local part, but for rounding: in
 * single precision, as the broadcasts are kept. Its models are for choices among models, and never a task's own.
 */
export class QuadraticReplay implements Replayer {
  readonly atOnce: number;
  /** w^(t), [m, d], of the entries that go through the rounds, in their order. */
  readonly weights: Pointer;
  /** Intercepts of that round, [m]; 0 without them. */
  readonly intercepts: Pointer;
  readonly #core: Core;
  readonly #clip: number;
  readonly #words: Record<(typeof WORDS)[number], number>;
  readonly #record: KernelRecord<(typeof WORDS)[number]>;
  readonly #chosen: Pointer;
  readonly #broadcasts: PlacedBroadcasts;
  #done = 0;

  /** All entries go through the rounds, unless `only` names some. @param entries of dense tasks with the squared loss, whose options are in the order of entries. */
  constructor(tasks: ResidentTasks, entries: FoldEntries, options: ProjectedOptions) {
    const { core, d, intercept } = tasks;
    const { arena, kernels } = core;
    const m = entries.owners.length;
    const { starts, clip } = options;
    const forms = singleForms(tasks, entries, { ...options, scale: kernels.projectedScale(clip) });
    this.#core = core;
    this.#clip = clip;
    this.#broadcasts = options.broadcasts ?? new PlacedBroadcasts(core, d, options.momentum);
    this.atOnce = this.#broadcasts.atOnce;
    this.weights = arena.f64(m * d);
    this.intercepts = intercept ? arena.f64(m) : 0;
    this.#record = new KernelRecord(core, 1, WORDS);
    this.#chosen = arena.bytes(4 * m);
    this.#words = {
      ...forms,
      m,
      d,
      broadcasts: 0,
      betas: 0,
      rounds: 0,
      first: 1,
      placed: 0,
      work: 0,
      chosen: this.#chosen,
      starts: starts.weights,
      interceptStarts: starts.intercepts,
      iterate: arena.f64(m * d),
      interceptIterate: intercept ? arena.f64(m) : 0,
      output: this.weights,
      intercepts: this.intercepts,
    };
    const all = new Uint32Array(m);
    for (let k = 0; k < m; k++) all[k] = k;
    this.only(all);
  }

  /** These entries go through the rounds from the start. */
  only(entries: Uint32Array): void {
    this.#core.arena.words(this.#chosen, entries.length).set(entries);
    this.#words.m = entries.length;
    this.#done = 0;
  }

  replay(received: readonly Float32Array[]): void {
    const placed = this.#broadcasts.place(received, this.#done);
    const first = this.#done === 0 ? 1 : 0;
    Object.assign(this.#words, placed, { first });
    this.#record.write([this.#clip], this.#words);
    this.#core.kernels.projectedRounds(this.#record.at);
    placed.placed = 1;
    this.#done += received.length;
  }
}

/** The words of the kernel's record, in its order. */
const WORDS = [
  "forms",
  "means",
  "broadcasts",
  "betas",
  "chosen",
  "starts",
  "interceptStarts",
  "iterate",
  "output",
  "interceptIterate",
  "intercepts",
  "work",
  "m",
  "d",
  "rounds",
  "first",
  "placed",
] as const;
