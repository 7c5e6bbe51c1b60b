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
  /** w^(t), [m, d], of the entries that go through the rounds, in their order. */
  readonly weights: Pointer;
  /** Intercepts of that round, [m]; 0 without them. */
  readonly intercepts: Pointer;
  readonly #core: Core;
  readonly #d: number;
  readonly #options: ProjectedOptions;
  readonly #words: Record<(typeof WORDS)[number], number>;
  readonly #record: KernelRecord<(typeof WORDS)[number]>;
  readonly #chosen: Pointer;
  #placed: PlacedBroadcasts | undefined;
  #done = 0;

  /** All entries go through the rounds, unless `only` names some. @param entries of dense tasks with the squared loss, whose options are in the order of entries. */
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
    this.#chosen = arena.bytes(4 * m);
    this.#words = {
      ...{ ...forms, m, d, broadcasts: 0, betas: 0, rounds: 0, first: 1, placed: 0, work: 0 },
      ...{ chosen: this.#chosen, starts: arena.copyOf(initial), interceptStarts: placed() },
      ...{ iterate: arena.f64(m * d), interceptIterate: intercept ? arena.f64(m) : 0 },
      ...{ output: this.weights, intercepts: this.intercepts },
    };
    this.only(Uint32Array.from({ length: m }, (_, k) => k));
  }

  /** These entries go through the rounds from the start. */
  only(entries: Uint32Array): void {
    this.#core.arena.words(this.#chosen, entries.length).set(entries);
    this.#words.m = entries.length;
    this.#done = 0;
  }

  replay(received: readonly Float32Array[]): void {
    const placed = this.#place(received);
    const first = this.#done === 0 ? 1 : 0;
    Object.assign(this.#words, placed.words, { first });
    this.#record.write([this.#options.clip], this.#words);
    this.#core.kernels.projectedRounds(this.#record.at);
    placed.words.placed = 1;
    this.#done += received.length;
  }

  /** The broadcasts in the core, where they stay until others come: in their place, if that is large enough. */
  #place(received: readonly Float32Array[]): PlacedBroadcasts {
    const { arena, kernels } = this.#core;
    const { momentum } = this.#options;
    const rounds = received.length;
    const from = this.#done;
    const length = this.#d * this.#d;
    let placed = this.#placed;
    if (placed?.from === from && isSame(placed.received, received)) return placed;
    if (!placed || placed.room < rounds) {
      const broadcasts = arena.bytes(4 * rounds * length);
      const betas = arena.f64(rounds);
      const work = arena.bytes(kernels.projectedRoundsWorkspace(this.#d, rounds));
      const words = { broadcasts, betas, work, rounds, placed: 0 };
      placed = this.#placed = { room: rounds, from, received, words };
    }
    Object.assign(placed, { from, received });
    Object.assign(placed.words, { rounds, placed: 0 });
    const { broadcasts, betas } = placed.words;
    const at = arena.singles(broadcasts, rounds * length);
    received.forEach((broadcast, k) => at.set(broadcast, k * length));
    arena.view(betas, rounds).set(received.map((_, k) => momentum.beta(from + 1 + k)));
    return placed;
  }
}

function isSame(some: readonly Float32Array[], others: readonly Float32Array[]): boolean {
  return some.length === others.length && some.every((one, k) => one === others[k]);
}

/** Broadcasts of the rounds after `from`, with room for so many, and what the kernel is told of them. */
interface PlacedBroadcasts {
  readonly room: number;
  readonly from: number;
  readonly received: readonly Float32Array[];
  readonly words: Record<"broadcasts" | "betas" | "work" | "rounds" | "placed", number>;
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
