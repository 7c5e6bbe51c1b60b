/**
 * The local step of the methods that share a prior: a full local solve under it.
 * @module
 */
import { norm } from "../../../linalg/norm.js";
import type { Pointer } from "../../../core/index.js";
import type { Participants } from "../../round/participants.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { PriorCoordinates } from "./covariance/coordinates.js";
import {
  selectStrength,
  type SelectedModels,
  type StrengthPrior,
} from "./strength/strength-selection.js";
import type { LocalModels } from "../../tasks/local-models.js";

/** How a batch of tasks shares and solves. */
export interface LocalSolveOptions {
  /** K, the norm of what is uploaded. */
  readonly clip: number;
  /** "unit": every model is scaled to norm K. "clipped": only longer ones are. */
  readonly scaling: "unit" | "clipped";
  readonly initial: LocalModels;
  readonly strength: StrengthPrior;
  /** Whether the broadcast's center is used; else it is the origin. */
  readonly centered: boolean;
  /** Whether models are uploaded in the coordinates of the last prior, see {@link PriorCoordinates}. */
  readonly refined: boolean;
}

/** A batch of tasks that solve argmin L_i(w, b) + (kappa/2) (w - a)^T C^-1 (w - a). */
export class LocalSolve implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly weights: Pointer;
  readonly #intercepts: Pointer;
  readonly #upload: Pointer;
  readonly #tasks: ResidentTasks;
  readonly #options: LocalSolveOptions;
  readonly #coordinates: PriorCoordinates | undefined;
  #broadcast: Pointer = 0;
  #chosen: SelectedModels | undefined;

  constructor(tasks: ResidentTasks, options: LocalSolveOptions) {
    const { arena } = tasks.core;
    this.m = tasks.m;
    this.uploadLength = tasks.d;
    this.#tasks = tasks;
    this.#options = options;
    this.weights = arena.copyOf(options.initial.weights);
    this.#intercepts = arena.copyOf(options.initial.intercepts);
    this.#upload = arena.f64(this.m * this.uploadLength);
    this.#coordinates = options.refined
      ? new PriorCoordinates(tasks.core, this.uploadLength, this.m)
      : undefined;
  }

  /** b[m], or 0 without intercepts. */
  get intercepts(): Pointer {
    return this.#tasks.intercept ? this.#intercepts : 0;
  }

  /** The choice of the last round. */
  get chosen(): SelectedModels {
    if (!this.#chosen) throw new RangeError("receive: no broadcast has arrived yet");
    return this.#chosen;
  }

  /** Whether the prior received last says anything: more than one size for all directions, around the origin. */
  get informed(): boolean {
    const { uploadLength: d } = this;
    const { arena } = this.#tasks.core;
    const precision = arena.view(this.#broadcast, d * d);
    const round = precision.every((value, k) => value === (k % (d + 1) === 0 ? precision[0] : 0));
    if (!round) return true;
    return (
      this.#options.centered &&
      arena.view(this.#broadcast, d * d + d).some((v, k) => k >= d * d && v !== 0)
    );
  }

  upload(): Pointer {
    const { clip, scaling } = this.#options;
    const { kernels, arena } = this.#tasks.core;
    const { m, uploadLength: d } = this;
    const unit = scaling === "unit";
    if (unit && this.#coordinates?.entered) {
      this.#coordinates.express(this.weights, this.#upload, m);
      kernels.clipRows(this.#upload, this.#upload, m, d, clip);
    } else {
      kernels.clipRows(this.weights, this.#upload, m, d, clip);
    }
    if (!unit) return this.#upload;
    const rows = arena.view(this.#upload, m * d);
    for (let i = 0; i < m; i++) {
      const row = rows.subarray(i * d, (i + 1) * d);
      const length = norm(row);
      if (length > 0) for (let j = 0; j < d; j++) row[j]! *= clip / length;
    }
    // Within K after rounding too.
    kernels.clipRows(this.#upload, this.#upload, m, d, clip);
    return this.#upload;
  }

  receive(broadcast: Pointer, _round: number, last: boolean): void {
    this.#broadcast = broadcast;
    this.solveAgain(this.#options.strength);
    if (!last) this.#coordinates?.enter(broadcast);
  }

  /** Solves under the prior received last with other beliefs about its strength. */
  solveAgain(strength: StrengthPrior): void {
    const { uploadLength: d } = this;
    const precision = this.#broadcast;
    const center = this.#options.centered ? precision + 8 * d * d : 0;
    this.#chosen = selectStrength(this.#tasks, { precision, center }, strength);
    this.keep(this.#chosen);
  }

  /** Takes these models. */
  keep({ weights, intercepts }: LocalModels): void {
    const { m, uploadLength: d } = this;
    const { arena } = this.#tasks.core;
    arena.view(this.weights, m * d).set(weights);
    arena.view(this.#intercepts, m).set(intercepts);
  }

  /** w_i <- w_i + q_i (v_i - w_i) for models v, [m, d], and parts q, [m]; intercepts alike. */
  blend({ weights: v, intercepts: c }: LocalModels, parts: Float64Array): void {
    const { m, uploadLength: d } = this;
    const { arena } = this.#tasks.core;
    const w = arena.view(this.weights, m * d);
    const b = arena.view(this.#intercepts, m);
    for (let i = 0; i < m; i++) {
      const q = parts[i]!;
      for (let k = i * d; k < (i + 1) * d; k++) w[k]! += q * (v[k]! - w[k]!);
      b[i]! += q * (c[i]! - b[i]!);
    }
  }
}
