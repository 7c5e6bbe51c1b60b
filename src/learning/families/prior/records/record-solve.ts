/**
 * The local step of the methods that share a prior where single records are hidden: what is shared is a matrix that one record
 * moves little, what is kept is the full local solve.
 *
 * **Statement.** Every task uploads [u; q][u; q]^T (q 1 or absent), written as [A_ii, sqrt(2) A_ij], u = k w for a model w that
 * one record moves by at most D / k, clipped to norm K. One record moves it by at most 2 K D without q, and by
 * D sqrt(4 K^2 + 2) with q = 1.
 *
 * **Proof.** Clipping moves no two points apart. Write u = c + e, u' = c - e, ||2 e|| <= D. Then
 * u u^T - u' u'^T = 2 (c e^T + e c^T), of norm at most 4 ||c|| ||e|| <= 2 K D, since c, between u and u', has norm at most K.
 * Beside it stand 2 e twice, of squared norm 2 ||2 e||^2 <= 2 D^2. The vector has the Frobenius norm of the matrix. QED
 * @module
 */
import { clippedTo } from "../../../../linalg/norm.js";
import { triangle } from "../../../../linalg/packed-symmetric.js";
import { factor, invertLower } from "../../../../linalg/small-matrices.js";
import type { Pointer } from "../../../../core/index.js";
import type { Participants } from "../../../round/participants.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import type { LocalSolve } from "../local-solve.js";
import { RecordModels, type RecordModelOptions } from "./record-models.js";

/** What is uploaded. */
export interface RecordUpload extends RecordModelOptions {
  /** k, factor of a model. */
  readonly factor: number;
  /** K. */
  readonly norm: number;
  /** Whether a 1 stands beside the model. */
  readonly augmented: boolean;
  /** Whether later models are of the coordinates of the prior before. */
  readonly refined: boolean;
  /** Factors of the matrices, at most 1, where owners have budgets of their own. */
  readonly weights: readonly number[] | undefined;
}

/** Entries of an upload. */
export const uploadLength = (d: number, augmented: boolean) => triangle(d + (augmented ? 1 : 0));

/** Tasks that upload matrices and solve under what is broadcast. */
export class RecordSolve implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly #tasks: ResidentTasks;
  readonly #local: LocalSolve;
  readonly #options: RecordUpload;
  readonly #models: RecordModels;
  readonly #at: Pointer;
  #map: Float64Array | undefined;

  constructor(tasks: ResidentTasks, local: LocalSolve, options: RecordUpload) {
    const { core, m, d, rows } = tasks;
    const { arena } = core;
    this.m = m;
    this.uploadLength = uploadLength(d, options.augmented);
    this.#tasks = tasks;
    this.#local = local;
    this.#options = options;
    this.#at = arena.f64(m * this.uploadLength);
    this.#models = new RecordModels(
      {
        x: arena.view(tasks.x, rows * d).slice(),
        y: arena.view(tasks.y, rows).slice(),
        offsets: arena.words(tasks.offsets, m + 1).slice(),
        names: tasks.names,
        d,
      },
      options,
    );
  }

  upload(): Pointer {
    const { d, core } = this.#tasks;
    const { factor: k, norm, augmented, weights } = this.#options;
    const { m, uploadLength: length } = this;
    const models = this.#models.solve(this.#map);
    const out = core.arena.view(this.#at, m * length);
    for (let i = 0; i < m; i++) {
      const own = models.subarray(i * d, (i + 1) * d).map((value) => k * value);
      const u = clippedTo(own, norm * BELOW_ONE);
      const matrix = out.subarray(i * length, (i + 1) * length);
      outerProduct(augmented ? Float64Array.of(...u, 1) : u, matrix);
      const weight = weights?.[i] ?? 1;
      if (weight !== 1) matrix.forEach((value, k) => (matrix[k] = weight * value));
    }
    return this.#at;
  }

  receive(broadcast: Pointer, round: number, last: boolean): void {
    const { d, core } = this.#tasks;
    this.#local.receive(broadcast, round, last);
    if (last || !this.#options.refined) return;
    // z = L^T w for C^-1 = L L^T, so w^T x = z^T L^-1 x.
    const precision = core.arena.view(broadcast, d * d).slice();
    this.#map = invertLower(factor(precision, d), d);
  }
}

/** Pays for the rounding of the clipped norm and of the products. */
const BELOW_ONE = 1 - 2 ** -40;

function outerProduct(u: Float64Array, into: Float64Array): void {
  for (let i = 0, at = 0; i < u.length; i++) {
    for (let j = 0; j < i; j++) into[at++] = Math.SQRT2 * u[i]! * u[j]!;
    into[at++] = u[i]! * u[i]!;
  }
}
