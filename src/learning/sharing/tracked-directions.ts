/**
 * The directions that a broadcast keeps, from those of the round before: a step of subspace iteration in the place of a decomposition.
 *
 * With the columns of Q near the largest eigenvectors of A, U an orthonormal basis of A Q and U^T A U = V diag(theta) V^T, the columns of
 * U V are nearer, and next to them are kept a few that pass no more, among which others are seen as they grow. Whatever U is,
 * U V diag(f) V^T U^T W has the singular values f_j theta_j^{1/2} exactly, so penalties of the models, and with them certificates,
 * hold as if the eigenvectors were: a direction that is missed makes rounds go on, and no certificate wrong. One that stays
 * orthogonal to all that are followed is found by the next decomposition.
 *
 * Only without noise: private fits shrink what was released as they say they do.
 *
 * @see Hastie, Mazumder, Lee, Zadeh (2015), "Matrix completion and low-rank SVD via fast alternating least squares", for such steps.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";

/** Below this order a decomposition takes no longer than a step. */
const LEAST_ORDER = 96;
/** At most this share of all directions is followed. */
const LARGEST_SHARE = 1 / 8;
/** Directions that are followed beside those that are kept. */
const BESIDE = 4;
/** Steps between two decompositions. */
const STEPS = 16;

/** Where it works in the core, with room for the most directions that are followed. */
interface Room {
  /** Q, then U, [d, followed]; and A times it. */
  readonly basis: Pointer;
  readonly image: Pointer;
  /** U^T, [followed, d]. */
  readonly transposed: Pointer;
  /** U^T A U; V, and its first columns; [followed, followed]. */
  readonly inner: Pointer;
  readonly turn: Pointer;
  readonly turned: Pointer;
  /** [followed] */
  readonly scales: Pointer;
  readonly work: Pointer;
}

/** The largest eigenvectors of matrices A[d, d] that change little from one to the next. */
export class TrackedDirections {
  readonly #core: Core;
  readonly #d: number;
  readonly #room: Room;
  #followed = 0;
  #steps = 0;

  private constructor(core: Core, d: number) {
    this.#core = core;
    this.#d = d;
    this.#room = roomFor(core, d, mostOf(d));
  }

  /** Undefined where it would not pay. */
  static of(core: Core, d: number): TrackedDirections | undefined {
    return d < LEAST_ORDER ? undefined : new TrackedDirections(core, d);
  }

  /**
   * values[d] <- the largest eigenvalues of A[d, d] that were found, descending, then zeros. A stays as it is.
   * @returns how many; 0: a decomposition is due.
   */
  step(a: Pointer, values: Pointer): number {
    const [d, p] = [this.#d, this.#followed];
    if (p === 0 || this.#steps === STEPS) return 0;
    this.#steps++;
    const { arena, kernels } = this.#core;
    const { basis, image, transposed, inner, turn, scales, work } = this.#room;
    kernels.gemm(a, basis, image, d, d, p, work);
    // To about equal lengths, of which a basis is quickly found.
    kernels.scaleColumns(image, scales, image, d, p);
    if (kernels.svd(image, basis, values, turn, d, p, work) !== 0) return 0;
    kernels.gemm(a, basis, image, d, d, p, work);
    kernels.transpose(basis, transposed, d, p);
    kernels.gemm(transposed, image, inner, p, d, p, work);
    if (kernels.eigh(inner, values, turn, p, work) !== 0) return 0;
    arena.view(values + 8 * p, d - p).fill(0);
    // What is no number is left to the decomposition to refuse.
    return arena.view(values, 1)[0]! >= 0 ? p : 0;
  }

  /** vectors[d, rank] <- those of the largest values that the last step has found; so many and a few more are followed. */
  take(values: Pointer, rank: number, vectors: Pointer): void {
    const { arena, kernels } = this.#core;
    const { basis, image, turn, turned, work } = this.#room;
    const [d, p] = [this.#d, this.#followed];
    const next = Math.min(p, rank + BESIDE);
    copyColumns(arena.view(turn, p * p), arena.view(turned, p * next), p);
    kernels.gemm(basis, turned, image, d, p, next, work);
    arena.view(basis, d * next).set(arena.view(image, d * next));
    this.#follow(values, next);
    this.#write(rank, vectors);
  }

  /** The same right after a decomposition (`shrinkOrValues`). */
  takeDecomposed(values: Pointer, rank: number, vectors: Pointer): void {
    const next = rank + BESIDE;
    this.#steps = 0;
    if (next > mostOf(this.#d)) {
      this.#followed = 0;
      this.#core.kernels.largestVectors(vectors, this.#d, rank);
      return;
    }
    this.#core.kernels.largestVectors(this.#room.basis, this.#d, next);
    this.#follow(values, next);
    this.#write(rank, vectors);
  }

  #follow(values: Pointer, count: number): void {
    const { arena } = this.#core;
    this.#followed = count;
    const found = arena.view(values, count);
    arena.view(this.#room.scales, count).set(found.map((value) => (value > 0 ? 1 / value : 1)));
  }

  #write(rank: number, vectors: Pointer): void {
    const { arena } = this.#core;
    const [d, p] = [this.#d, this.#followed];
    copyColumns(arena.view(this.#room.basis, d * p), arena.view(vectors, d * rank), d);
  }
}

const mostOf = (d: number) => Math.floor(d * LARGEST_SHARE);

function roomFor({ arena, kernels }: Core, d: number, most: number): Room {
  const work = Math.max(
    kernels.gemmWorkspace(d, d, most),
    kernels.gemmWorkspace(most, d, most),
    kernels.gemmWorkspace(d, most, most),
    kernels.svdWorkspace(d, most),
    kernels.eighWorkspace(most),
  );
  return {
    basis: arena.f64(d * most),
    image: arena.f64(d * most),
    transposed: arena.f64(d * most),
    inner: arena.f64(most * most),
    turn: arena.f64(most * most),
    turned: arena.f64(most * most),
    scales: arena.f64(most),
    work: arena.bytes(work),
  };
}

/** to[rows, less] <- the first columns of from[rows, more]. */
function copyColumns(from: Float64Array, to: Float64Array, rows: number): void {
  const [more, less] = [from.length / rows, to.length / rows];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < less; j++) to[i * less + j] = from[i * more + j]!;
  }
}
