/**
 * The local step of Algorithms 2, 3 and 4: project by the broadcast, extrapolate, one gradient step.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { clipNow, type Clip } from "../round/learned-clip/learned-clip.js";
import type { Participants } from "../round/participants.js";
import type { GradientSource } from "../tasks/quadratic-tasks.js";
import type { Momentum } from "./momentum.js";
import type { Projection } from "./projection.js";

/** How the batch of tasks steps. */
export interface ProximalGradientOptions {
  /** Clip bound K on what is shared; Infinity for the non-private methods. */
  readonly clip: Clip;
  /** Whether the clipped model is also the iterate (the papers' step 3). */
  readonly clipIterate: boolean;
  /** Step size of every task, [m]. */
  readonly steps: Float64Array;
  /** mu: (mu/2)||w_i||^2 is added to every L_i. */
  readonly strongConvexity: number;
  readonly momentum: Momentum;
  /**
   * Whether a gradient step comes before the first round, so that a start at the solution stays
   * there; the papers' rounds project W(0) first (default).
   */
  readonly gradientFirst?: boolean;
  /** Applies the broadcast to the shared part of the model. */
  readonly projection: Projection;
  /** A second part Q that never leaves its task (Algorithm 4): its proximal operator. */
  readonly localPart?: Projection | undefined;
  /** W(0), [m, d]; and intercepts b(0), [m], where the tasks have them. */
  readonly initial: Float64Array;
  /** Q(0), [m, d]; zeros by default. */
  readonly initialLocal?: Float64Array | undefined;
  readonly initialIntercepts: Float64Array;
}

/** Models of all tasks by their parts, outside the core. */
export interface PartModels {
  /** P, the models themselves where there is no local part, [m, d]. */
  readonly shared: Float64Array;
  /** Q [m, d], and b [m], where there are such. */
  readonly local: Float64Array | undefined;
  readonly intercepts: Float64Array | undefined;
}

/** Blocks of one additive part of the model, each [m, d] unless it is the intercepts' [m]. */
interface Part {
  /** What enters the next round, before clipping and projection. */
  iterate: Pointer;
  output: Pointer;
  previous: Pointer;
  /** Where the gradient is taken. */
  extrapolated: Pointer;
  readonly size: number;
}

/** A batch of tasks that takes proximal gradient steps; model i is row i of `weights`. */
export class ProximalGradient implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly #tasks: GradientSource;
  readonly #options: ProximalGradientOptions;
  readonly #upload: Pointer;
  readonly #main: Part;
  readonly #local: Part | undefined;
  readonly #intercept: Part | undefined;
  readonly #parts: readonly Part[];
  readonly #sum: Pointer;
  readonly #gradient: Pointer;
  readonly #interceptGradient: Pointer;
  readonly #steps: Pointer;
  #started = false;

  constructor(tasks: GradientSource, options: ProximalGradientOptions) {
    const { m, d, core } = tasks;
    const { arena } = core;
    this.m = m;
    this.uploadLength = d;
    this.#tasks = tasks;
    this.#options = options;
    this.#main = this.#part(options.initial);
    // What is clipped in its place takes no memory of its own; nor does a gradient that one part alone steps by.
    this.#upload = this.#isClipped && !options.clipIterate ? arena.f64(m * d) : this.#main.iterate;
    this.#local = options.localPart && this.#part(options.initialLocal ?? new Float64Array(m * d));
    this.#intercept = tasks.intercept ? this.#part(options.initialIntercepts) : undefined;
    this.#parts = [this.#main, this.#local, this.#intercept].filter((part) => part !== undefined);
    this.#sum = this.#local ? arena.f64(m * d) : 0;
    this.#gradient = this.#local ? arena.f64(m * d) : this.#main.iterate;
    this.#interceptGradient = tasks.intercept ? arena.f64(m) : 0;
    this.#steps = arena.copyOf(options.steps);
    if (options.gradientFirst) {
      this.#started = true;
      this.step(1);
    }
  }

  get #isClipped(): boolean {
    return this.#options.clip !== Infinity;
  }

  #part(initial: Float64Array): Part {
    const { arena } = this.#tasks.core;
    const size = initial.length;
    return {
      iterate: arena.copyOf(initial),
      output: arena.copyOf(initial),
      previous: arena.copyOf(initial),
      extrapolated: arena.f64(size),
      size,
    };
  }

  /** Where the batch lives: its pointers are addresses there. */
  get core(): Core {
    return this.#tasks.core;
  }

  /** The shared part of the models of the last round, w^(t), [m, d]. */
  get output(): Pointer {
    return this.#main.output;
  }

  /** The local part Q of the last round, [m, d]; 0 without one. */
  get localOutput(): Pointer {
    return this.#local?.output ?? 0;
  }

  /** Intercepts of the last round, [m]; 0 without them. */
  get intercepts(): Pointer {
    return this.#intercept?.output ?? 0;
  }

  /** The models of the last round: the shared part, plus the local part where there is one. */
  get weights(): Pointer {
    return this.#total("output");
  }

  /** The models of the last round, copied. */
  copy(): PartModels {
    const { arena } = this.#tasks.core;
    const copyOf = (part: Part | undefined) => part && arena.view(part.output, part.size).slice();
    return {
      shared: copyOf(this.#main)!,
      local: copyOf(this.#local),
      intercepts: copyOf(this.#intercept),
    };
  }

  /** Takes these as the models of the last round, for the tasks marked in `which` or for all. */
  replace({ shared, local, intercepts }: PartModels, which?: Uint8Array): void {
    const { arena } = this.#tasks.core;
    const given = [
      [this.#main, shared],
      [this.#local, local],
      [this.#intercept, intercepts],
    ] as const;
    for (const [part, models] of given) {
      if (!part || !models) continue;
      const width = part.size / this.m;
      const output = arena.view(part.output, part.size);
      for (let i = 0; i < this.m; i++) {
        if (which && which[i] === 0) continue;
        output.set(models.subarray(i * width, (i + 1) * width), i * width);
      }
    }
  }

  upload(): Pointer {
    const { clip } = this.#options;
    const { kernels } = this.#tasks.core;
    if (this.#isClipped) {
      const { m, uploadLength: d } = this;
      kernels.clipRows(this.#main.iterate, this.#upload, m, d, clipNow(clip));
    }
    return this.#upload;
  }

  receive(broadcast: Pointer, round: number, last: boolean): void {
    this.project(broadcast);
    if (!last) this.step(round);
  }

  /** The first half of `receive`: the models of this round. */
  project(broadcast: Pointer): void {
    const { projection, localPart } = this.#options;
    const source = this.#main.iterate;
    if (!this.#started) this.#start(source);
    advance(this.#main);
    projection(broadcast, source, this.#main.output);
    if (this.#local && localPart) {
      advance(this.#local);
      localPart(broadcast, this.#local.iterate, this.#local.output);
    }
    if (this.#intercept) {
      advance(this.#intercept);
      this.#copy(this.#intercept.iterate, this.#intercept.output, this.m);
    }
  }

  /** w^(0) is the clipped model of the first round. */
  #start(source: Pointer): void {
    this.#copy(source, this.#main.output, this.m * this.uploadLength);
    this.#started = true;
  }

  /** The second half: extrapolates, and takes the gradient step. Taken again after the same round, it starts from the same models. */
  step(round: number): void {
    const { momentum, strongConvexity } = this.#options;
    const { kernels } = this.#tasks.core;
    if (round > 1 && momentum.restart && this.#uphill()) momentum.restart(round);
    const beta = momentum.beta(round);
    for (const part of this.#parts) {
      kernels.extrapolate(part.output, part.previous, part.extrapolated, part.size, beta);
    }
    this.#tasks.gradients(
      this.#total("extrapolated"),
      this.#intercept?.extrapolated ?? 0,
      this.#gradient,
      this.#interceptGradient,
    );
    if (strongConvexity > 0) {
      kernels.axpy(
        strongConvexity,
        this.#total("extrapolated"),
        this.#gradient,
        this.m * this.uploadLength,
      );
    }
    for (const part of this.#parts) {
      const intercept = part === this.#intercept;
      kernels.gradientStep(
        part.extrapolated,
        intercept ? this.#interceptGradient : this.#gradient,
        this.#steps,
        part.iterate,
        this.m,
        intercept ? 1 : this.uploadLength,
      );
    }
  }

  /** Whether the last move went against the momentum, over all parts and tasks. */
  #uphill(): boolean {
    const { kernels } = this.#tasks.core;
    let angle = 0;
    for (const part of this.#parts) {
      angle += kernels.momentumAngle(part.extrapolated, part.output, part.previous, part.size);
    }
    return angle > 0;
  }

  /**
   * into[m] <- how far the last move of every task went against its momentum. Their sum is what `restart` asks, so that whoever has
   * other tasks as well may ask it of all; between `project` and `step`.
   */
  angles(into: Pointer): void {
    const { arena, kernels } = this.#tasks.core;
    arena.view(into, this.m).fill(0);
    for (const { extrapolated, output, previous, size } of this.#parts) {
      kernels.momentumAngles(extrapolated, output, previous, into, this.m, size / this.m);
    }
  }

  #total(block: "output" | "extrapolated"): Pointer {
    if (!this.#local) return this.#main[block];
    const size = this.m * this.uploadLength;
    this.#copy(this.#main[block], this.#sum, size);
    this.#tasks.core.kernels.axpy(1, this.#local[block], this.#sum, size);
    return this.#sum;
  }

  #copy(from: Pointer, to: Pointer, n: number): void {
    const { arena } = this.#tasks.core;
    arena.view(to, n).set(arena.view(from, n));
  }
}

/** The output of the round before becomes `previous`; its block is reused for the new output. */
function advance(part: Part): void {
  [part.output, part.previous] = [part.previous, part.output];
}
