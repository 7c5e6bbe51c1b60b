/**
 * A quadratic under an l1 penalty: coordinate descent, which finds the support, and Newton's steps on it, which end there.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";

/** g^T (v - v_0) + (1/2) (v - v_0)^T G (v - v_0) + lambda ||v||_1, with what is known of it at v. */
export interface LassoQuadratic {
  readonly core: Core;
  /** G[a, a], positive semidefinite; its sides. */
  readonly gram: Pointer;
  readonly sides: number;
  readonly lambda: number;
  /** v[a], moved to the minimum; and g + G (v - v_0) there, [a]. */
  readonly values: Pointer;
  readonly slopes: Pointer;
}

/** When to stop. */
export interface LassoLimits {
  /** Largest violation of the optimality conditions that will do, relative to lambda. */
  readonly violation: number;
  readonly sweeps: number;
}

/** Of the mean of the diagonal: singular systems are solved, too, and the next step makes up for what that moved. */
const RIDGE = 1e-11;

/** Moves v to the minimum. @returns how many sweeps that took, at least one. */
export function minimizeLasso(
  problem: LassoQuadratic,
  { violation, sweeps: most }: LassoLimits,
): number {
  const { arena } = problem.core;
  const mark = arena.mark();
  const descent = new Descent(problem);
  let sweeps = 0;
  let fixed = 0;
  do {
    fixed = descent.sweep() ? 0 : fixed + 1;
    sweeps += 1;
    // A support that stays costs a system of equations once, and again when as much was spent on sweeps.
    if (isDue(fixed, descent.support) && descent.newton()) fixed = 0;
  } while (sweeps < most && !(descent.violation() <= violation * problem.lambda));
  arena.release(mark);
  return sweeps;
}

const isDue = (fixed: number, support: number) =>
  support > 0 && fixed > 0 && (fixed - 1) % Math.max(1, Math.ceil(support / 12)) === 0;

/** Views of one problem: nothing is allocated while they are used. */
class Descent {
  readonly #core: Core;
  readonly #a: number;
  readonly #lambda: number;
  readonly #gram: Float64Array;
  readonly #v: Float64Array;
  readonly #r: Float64Array;
  readonly #ridge: number;
  /** Positions of v's entries that are not 0, as of the last sweep. */
  readonly #support: Uint32Array;
  #count = 0;
  readonly #systemAt: Pointer;
  readonly #moveAt: Pointer;
  readonly #system: Float64Array;
  readonly #move: Float64Array;
  readonly #along: Float64Array;

  constructor({ core, gram, sides: a, lambda, values, slopes }: LassoQuadratic) {
    const { arena } = core;
    this.#core = core;
    this.#a = a;
    this.#lambda = lambda;
    this.#systemAt = arena.f64(a * a);
    this.#moveAt = arena.f64(a);
    const alongAt = arena.f64(a);
    const supportAt = arena.bytes(4 * a);
    this.#gram = arena.view(gram, a * a);
    this.#v = arena.view(values, a);
    this.#r = arena.view(slopes, a);
    this.#system = arena.view(this.#systemAt, a * a);
    this.#move = arena.view(this.#moveAt, a);
    this.#along = arena.view(alongAt, a);
    this.#support = arena.words(supportAt, a);
    let trace = 0;
    for (let j = 0; j < a; j++) trace += this.#gram[j * (a + 1)]!;
    this.#ridge = (RIDGE * trace) / a;
  }

  get support(): number {
    return this.#count;
  }

  /** Minimises over every entry once. @returns whether the support or a sign changed. */
  sweep(): boolean {
    const [a, lambda, G, v, r] = [this.#a, this.#lambda, this.#gram, this.#v, this.#r];
    let changed = false;
    let count = 0;
    for (let j = 0; j < a; j++) {
      const bend = G[j * (a + 1)]!;
      const before = v[j]!;
      if (!(bend > 0)) continue;
      const aim = bend * before - r[j]!;
      const now = aim > lambda ? (aim - lambda) / bend : aim < -lambda ? (aim + lambda) / bend : 0;
      if (now !== 0) this.#support[count++] = j;
      if (now === before) continue;
      changed ||= Math.sign(now) !== Math.sign(before);
      v[j] = now;
      this.#add(j, now - before);
    }
    this.#count = count;
    return changed;
  }

  /** r += by G's row j. */
  #add(j: number, by: number): void {
    const [a, G, r] = [this.#a, this.#gram, this.#r];
    const row = j * a;
    for (let k = 0; k < a; k++) r[k]! += by * G[row + k]!;
  }

  /**
   * Towards the minimum with the signs as they are, as far as it or the first entry that becomes 0.
   * @returns whether one did.
   */
  newton(): boolean {
    const { kernels } = this.#core;
    const [a, count] = [this.#a, this.#count];
    const [G, v, r, move] = [this.#gram, this.#v, this.#r, this.#move];
    for (let p = 0; p < count; p++) {
      const j = this.#support[p]!;
      for (let q = 0; q < count; q++) {
        this.#system[p * count + q] = G[j * a + this.#support[q]!]!;
      }
      this.#system[p * (count + 1)]! += this.#ridge;
      move[p] = -(r[j]! + this.#lambda * Math.sign(v[j]!));
    }
    if (kernels.cholesky(this.#systemAt, count) !== 0) return false;
    let slope = 0;
    for (let p = 0; p < count; p++) this.#along[p] = move[p]!;
    kernels.choleskySolve(this.#systemAt, this.#moveAt, count, 1);
    for (let p = 0; p < count; p++) slope += this.#along[p]! * move[p]!;
    return slope > 0 && this.#step(slope);
  }

  /** @param slope how fast the objective falls at first. @returns whether an entry became 0. */
  #step(slope: number): boolean {
    const [a, count] = [this.#a, this.#count];
    const [G, v, move, along] = [this.#gram, this.#v, this.#move, this.#along];
    along.fill(0);
    for (let p = 0; p < count; p++) {
      const row = this.#support[p]! * a;
      for (let k = 0; k < a; k++) along[k]! += move[p]! * G[row + k]!;
    }
    let bend = 0;
    for (let p = 0; p < count; p++) bend += move[p]! * along[this.#support[p]!]!;
    let length = bend > 0 ? slope / bend : Infinity;
    let first = -1;
    for (let p = 0; p < count; p++) {
      const reach = -v[this.#support[p]!]! / move[p]!;
      if (reach > 0 && reach < length) [length, first] = [reach, p];
    }
    if (!Number.isFinite(length)) return false;
    for (let p = 0; p < count; p++) {
      const j = this.#support[p]!;
      v[j] = p === first ? 0 : v[j]! + length * move[p]!;
    }
    const r = this.#r;
    for (let k = 0; k < a; k++) r[k]! += length * along[k]!;
    return first >= 0;
  }

  /** The largest distance of an entry from its optimality condition. */
  violation(): number {
    const [a, lambda, G, v, r] = [this.#a, this.#lambda, this.#gram, this.#v, this.#r];
    let most = 0;
    for (let j = 0; j < a; j++) {
      if (!(G[j * (a + 1)]! > 0)) continue;
      const off =
        v[j] === 0 ? Math.abs(r[j]!) - lambda : Math.abs(r[j]! + lambda * Math.sign(v[j]!));
      if (off > most) most = off;
    }
    return most;
  }
}
