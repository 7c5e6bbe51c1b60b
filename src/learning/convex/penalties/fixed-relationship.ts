/**
 * (lambda/2) tr(W Omega^-1 W^T) for a given positive definite Omega.
 *
 * With the models as rows of V = W^T, its proximal point of Y at step eta is Omega (Omega + eta lambda I)^-1 Y, and its conjugate at
 * -G is tr(G^T Omega G) / (2 lambda).
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { syrk, type Eigendecomposition } from "../../../linalg/index.js";
import { transpose } from "../../../linalg/small-matrices.js";

/** The penalty of V[m,d] in a core's memory. */
export class RelationshipPenalty {
  readonly #core: Core;
  readonly #values: Float64Array;
  readonly #lambda: number;
  readonly #d: number;
  /** U^T, and Omega (Omega + eta lambda I)^-1: [m, m]. */
  readonly #directions: Pointer;
  readonly #mixing: Pointer;
  readonly #mixed: Pointer;
  readonly #work: Pointer;

  /** @param eta the step of the proximal points. */
  constructor(
    core: Core,
    spectrum: Eigendecomposition,
    { lambda, eta, d }: Record<"lambda" | "eta" | "d", number>,
  ) {
    const { arena, kernels } = core;
    const { values, vectors } = spectrum;
    const m = values.length;
    this.#core = core;
    this.#values = values;
    this.#lambda = lambda;
    this.#d = d;
    this.#mixed = arena.f64(m * d);
    this.#mixing = arena.copyOf(mixingOf(spectrum, eta * lambda));
    this.#work = arena.bytes(kernels.gemmWorkspace(m, m, d));
    this.#directions = arena.copyOf(transpose(vectors, m, m));
  }

  /** to = the proximal point of from, both [m, d]. */
  proximal(from: Pointer, to: Pointer): void {
    this.#multiply(this.#mixing, from, to);
  }

  /** The penalty at V. */
  at(v: Pointer): number {
    const factor = this.#lambda / 2;
    return this.#along(v).reduce((sum, square, j) => sum + factor * (square / this.#values[j]!), 0);
  }

  /** The conjugate at -G. */
  conjugateAt(g: Pointer): number {
    const factor = 2 * this.#lambda;
    return this.#along(g).reduce((sum, square, j) => sum + (square * this.#values[j]!) / factor, 0);
  }

  /** Squared norms of the rows of U^T V. */
  #along(v: Pointer): Float64Array {
    const d = this.#d;
    this.#multiply(this.#directions, v, this.#mixed);
    const rows = this.#core.arena.view(this.#mixed, this.#values.length * d);
    return this.#values.map((_, j) =>
      rows.subarray(j * d, (j + 1) * d).reduce((sum, value) => sum + value * value, 0),
    );
  }

  #multiply(matrix: Pointer, from: Pointer, to: Pointer): void {
    const m = this.#values.length;
    this.#core.kernels.gemm(matrix, from, to, m, m, this.#d, this.#work);
  }
}

/** Omega (Omega + c I)^-1, [m, m], symmetric. */
function mixingOf({ values, vectors }: Eigendecomposition, c: number): Float64Array {
  const m = values.length;
  const scaled = vectors.map((entry, at) => {
    const value = values[at % m]!;
    return entry * Math.sqrt(value / (value + c));
  });
  return syrk(transpose(scaled, m, m), m, m);
}
