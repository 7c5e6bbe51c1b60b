/**
 * How much tasks of the public sizes tell of their models, before any release says so: the mean information of
 * fake tasks whose features are uniform on their declared ranges. Public, and the same for everyone.
 * @module
 */
import type { Core } from "../../../../core/index.js";
import { uniforms } from "../../../../random/draws.js";
import { openStream } from "../../../../random/stream.js";
import { congruence } from "../../../../linalg/kernel-products.js";
import { sameEntries } from "../../../../linalg/same-entries.js";
import {
  factor,
  invertLower,
  mirrorLower,
  over,
  transpose,
} from "../../../../linalg/small-matrices.js";
import { sumOfParts, type CommonWork } from "../../../round/common-work.js";
import type { MixedSizes } from "../exchange.js";
import { NOISE_MULTIPLES, NOISE_PRIOR, SYNTHETIC } from "./squared-settings.js";
import { SpectrumInformation } from "../spectra/spectrum-information.js";
import { readRows, TaskSpectra, type ReadRows } from "../spectra/task-spectra.js";
import type { TaskRows } from "../spectra/task-spectrum.js";
import { ToldInformation } from "../spectra/told-information.js";

/** Not secret: nothing that it draws hides anything. */
const SEED = "mp-mixed, public twin";

/** More rows than these tell a model as well as fixed, and fewer tasks do where they have many. */
const MOST_ROWS = 1000;
const ROWS_IN_ALL = 4000;
const FEWEST_TASKS = 20;

/** Parts into which threads divide them: few enough to be sent, and most counts of threads divide them evenly. */
const PARTS = 16;

/** Fake tasks, drawn from nothing but public sizes. */
interface SyntheticRows {
  readonly d: number;
  readonly mean: number;
  readonly rows: TaskRows;
  readonly read: ReadRows;
}

/** Those of the fit before: fits one after the other are mostly of the same sizes. */
let kept: SyntheticRows | undefined;
/** Numbers of the fake tasks and their moments beyond which they are not kept. */
const MOST_KEPT = 2 ** 19;

/** @param mean rows of a task. */
function syntheticRows(core: Core, { d }: MixedSizes, mean: number): SyntheticRows {
  if (kept?.d === d && kept.mean === mean) return kept;
  const count = Math.max(FEWEST_TASKS, Math.min(SYNTHETIC.tasks, Math.ceil(ROWS_IN_ALL / mean)));
  // Sizes just below and above the mean, which they have.
  const offsets = Uint32Array.from({ length: count + 1 }, (_, i) => Math.round(i * mean));
  const size = offsets[count]!;
  const stream = openStream(core, { mode: "seeded", seed: SEED });
  const x = uniforms(stream, size * d).map((u, at) =>
    at % d === d - 1 ? 1 : SYNTHETIC.range * (2 * u - 1),
  );
  stream.close();
  const rows = { x, y: new Float64Array(size), offsets };
  const made = { d, mean, rows, read: readRows(rows, d) };
  if (size * d + count * d * d <= MOST_KEPT) kept = made;
  return made;
}

export class SyntheticInformation {
  readonly #tasks: TaskSpectra;
  readonly #d: number;
  readonly #made: SyntheticRows;
  /** What was asked last: uploads of a step and what is concluded from their sum ask the same. */
  #last:
    { readonly p: Float64Array; readonly noise: number; readonly mean: Float64Array } | undefined;

  /** @param core whose arena is used as long as this is. */
  constructor(core: Core, sizes: MixedSizes) {
    const { d, meanRows } = sizes;
    const mean = Math.min(Math.max(meanRows, 1), MOST_ROWS);
    this.#made = syntheticRows(core, sizes, mean);
    this.#d = d;
    this.#tasks = new TaskSpectra(core, this.#made.rows, d, this.#made.read);
  }

  /** Mean over the fake tasks of X^T V^-1 X for V = noise I + X P X^T, averaged over a task's noise. */
  information(p: Float64Array, noise: number): Float64Array {
    const work = this.work(p, noise);
    if (work) work.take(sumOfParts(work, work.compute(0, work.parts)));
    return this.#last!.mean;
  }

  /** What that takes; undefined where it was asked last. */
  work(p: Float64Array, noise: number): CommonWork | undefined {
    const last = this.#last;
    if (last?.noise === noise && sameEntries(p, last.p)) return undefined;
    const d = this.#d;
    const l = factor(p, d);
    return {
      parts: PARTS,
      length: d * d,
      compute: (first, end) => this.#parts(l, noise, first, end),
      take: (sum) => {
        const mean = mirrorLower(over(sum, this.#tasks.m), d);
        const whole = congruence(transpose(invertLower(l, d), d, d), mean, d, d);
        this.#last = { p: p.slice(), noise, mean: whole };
      },
    };
  }

  /** Sums over the fake tasks of parts, in the coordinates of L: lower triangles of [end - first, d, d]. */
  #parts(l: Float64Array, noise: number, first: number, end: number): Float64Array<ArrayBuffer> {
    const d = this.#d;
    const { m, core } = this.#tasks;
    const { arena } = core;
    const mark = arena.mark();
    const noises = NOISE_MULTIPLES.map((multiple) => noise * multiple);
    const told = new ToldInformation(core, this.#made, l, { noises, weights: NOISE_PRIOR });
    const bySpectrum = new SpectrumInformation(core, d, noises.length);
    const middle = new Float64Array(d);
    const sums = arena.zeros((end - first) * d * d);
    const cut = (part: number) => Math.round((m * part) / PARTS);
    for (let part = first; part < end; part++) {
      const at = sums + 8 * (part - first) * d * d;
      for (let task = cut(part); task < cut(part + 1); task++) {
        if (told.add(task, at)) continue;
        bySpectrum.add(this.#tasks.of(task, middle, l), noises, NOISE_PRIOR, at);
      }
    }
    const out = arena.view(sums, (end - first) * d * d).slice();
    arena.release(mark);
    return out;
  }
}
