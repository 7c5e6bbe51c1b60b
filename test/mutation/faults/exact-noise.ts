/**
 * Noise on a grid, drawn exactly.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/privacy/mechanisms/exact", {
  "computed-statistic.ts": [
    {
      from: "(exact + 2 * error * spread) * (1 + (2 * d + 9) * 2 ** -52)",
      to: "exact",
      breaks: "Sensitivity includes the error of floating point in the statistic.",
    },
  ],
  "discrete-gaussian.ts": [
    {
      from: "if (matrix) kernels.addDiscreteSymmetricNormal(random.state, at, side, steps, grid);",
      to: "if (matrix) kernels.addDiscreteSymmetricNormal(random.state, at, side, steps / 2, grid);",
      breaks: "Exact noise has the scale that is charged.",
    },
  ],
  "discrete-laplace.ts": [
    {
      from: "sensitivity + grid * spread * (1 + 1 / 32)",
      to: "sensitivity",
      breaks: "Laplace noise hides what rounding to the grid adds.",
    },
  ],
  "exact-reals.ts": [
    { from: "this.#rests.clear();", to: "", breaks: "What is known of the numbers is forgotten." },
    { from: "this.#next?.fill(0);", to: "", breaks: "The bits of the numbers are wiped." },
    {
      from: "this.#core.arena.wipe(this.#at, 8 * this.#count);",
      to: "",
      breaks: "The numbers are wiped.",
    },
    {
      from: "this.#core.arena.wipe(this.#work, exactRealsWorkspace(this.#core));",
      to: "",
      breaks: "The words that were drawn are wiped.",
    },
    {
      from: "const first = value >> BigInt(TAIL_BITS - NEXT_BITS);",
      to: "const first = value & 0xffffffffffffffffn;",
      breaks: "The next bits of a number are those that follow its first.",
    },
    {
      from: "rest.bits += 64;\n      this.#rests.set(i, rest);",
      to: "rest.bits += 64;",
      breaks: "Bits that were drawn for a number stay its own.",
    },
  ],
  "precise-dot.ts": [
    {
      from: "[isNegative(x) ? -s : s, isNegative(y) ? -t : t]",
      to: "[s, t]",
      breaks: "The tail of a negative number is negative.",
    },
  ],
  "range.ts": [
    {
      from: "sensitivity / (budget - spread * 2 ** -bits)",
      to: "sensitivity / budget",
      breaks: "The scale leaves room for rounding to the grid.",
    },
  ],
  "round-interval.ts": [
    {
      from: "const most = (left + 1n) * (right + 1n);",
      to: "const most = left * right;",
      breaks: "An interval encloses its products.",
    },
  ],
  "rounded-normal.ts": [
    {
      from: "arena.wipe(work, workspace(kernels));",
      to: "void arena;",
      breaks: "No chunk of exact normal numbers is left in memory.",
    },
  ],
  "rounded-spherical-laplace.ts": [
    {
      from: "if (usable && value - width > cell && value + width < cell + 1) return cell;",
      to: "return cell;",
      breaks: "A cell is accepted in double precision only where rounding cannot change it.",
    },
    { from: "normals.wipe();", to: "", breaks: "The directions of the noise are wiped." },
    { from: "radii.wipe();", to: "", breaks: "The lengths of the noise are wiped." },
  ],
  "rounded-wishart.ts": [
    {
      from: "if (value - width > cell && value + width < cell + 1) return cell;",
      to: "return cell;",
      breaks: "An entry is accepted in double precision only where rounding cannot change it.",
    },
    { from: "reals.wipe();", to: "", breaks: "The numbers of the Wishart noise are wiped." },
    {
      from: "arena.wipe(work, offsets.reals);",
      to: "",
      breaks: "The matrices of the Wishart noise are wiped.",
    },
  ],
});
