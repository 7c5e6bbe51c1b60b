/**
 * Wishart draws: Bartlett's factor times its transpose, the empty triangle skipped.
 *
 * W = scale R^T R with R upper triangular, R_kk^2 ~ chi-square(nu - k), k = 0 .. d-1, and standard
 * normals above the diagonal (Bartlett 1933; Odell and Feiveson 1966). W_ij sums k = 0 .. min(i, j).
 *
 * R is drawn straight into the layout that the product reads: panel p holds columns 4p .. 4p+3,
 * rows 0 .. 4p+3, row by row, and starts at byte 64 p (p + 1). Columns past d are zero.
 */
import { mirrorUpper } from "./blas/symmetric";
import { ADD, OVERWRITE, tile } from "./blas/tile";
import { randomChiSquare } from "./random/gamma";
import { randomNormal } from "./random/normal";

const BLOCK_ROWS: i32 = 256; // a sliver of 16 KiB stays in the first-level cache
const BLOCK_PANELS: i32 = 32; // while 256 KiB of panels stream past it from the second
const sliver: usize = memory.data(256 * 64, 16);
const edge: usize = memory.data(128, 16); // f64[4, 4], for tiles that stick out

@inline function panelAt(work: usize, p: i32): usize {
  return work + ((<usize>p * <usize>(p + 1)) << 6);
}
@inline function panels(d: i32): i32 {
  return (d + 3) >> 2;
}

function drawPanel(state: usize, panel: usize, p: i32, d: i32, nu: f64): void {
  const first = p << 2;
  const width = min(4, d - first);
  if (width == 4) randomNormal(state, panel, <u32>first << 2);
  else {
    memory.fill(panel, 0, (<usize>first) << 5);
    for (let k = 0; k < first; k++) randomNormal(state, panel + ((<usize>k) << 5), width);
  }
  const corner = panel + ((<usize>first) << 5);
  memory.fill(corner, 0, 128);
  for (let r = 0; r < width; r++) {
    const at = corner + <usize>r * 40;
    store<f64>(at, Math.sqrt(randomChiSquare(state, nu - <f64>(first + r))));
    randomNormal(state, at + 8, width - 1 - r);
  }
}

/** The left operand of `tile`: `rows` rows of a panel times `scale`, every entry twice. */
function packSliver(panel: usize, rows: i32, scale: f64): void {
  let to = sliver;
  for (const end = panel + ((<usize>rows) << 5); panel < end; panel += 8) {
    const entry = scale * load<f64>(panel);
    store<f64>(to, entry);
    store<f64>(to, entry, 8);
    to += 16;
  }
}

/** Upper tile (p, q) of `out` = or += the packed sliver of panel p times panel q. */
function addTile(panel: usize, rows: i32, out: usize, d: i32, p: i32, q: i32, mode: i32): void {
  const stride = (<usize>d) << 3;
  const at = out + <usize>(p << 2) * stride + ((<usize>q) << 5);
  if ((q << 2) + 4 <= d) {
    tile(sliver, panel, rows, at, stride, mode);
    return;
  }
  tile(sliver, panel, rows, edge, 32, OVERWRITE);
  const height = min(4, d - (p << 2)), width = d - (q << 2);
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < width; c++) {
      const entry = at + <usize>r * stride + ((<usize>c) << 3);
      const sum = load<f64>(edge + ((<usize>r) << 5) + ((<usize>c) << 3));
      store<f64>(entry, mode == ADD ? load<f64>(entry) + sum : sum);
    }
  }
}

/**
 * out <- a draw of W_d(nu, scale I), f64[d, d], both triangles; nu > d - 1, real.
 *
 * work f64[8 P (P + 1)], P = ceil(d / 4); wiped, for it determines the noise.
 * Cost: d^2 / 2 normals, d chi-squares, d^3 / 3 flops. Rounding: every entry is summed in the order
 * of k within blocks of BLOCK_ROWS, the blocks in order; both builds give the same bits.
 */
export function wishart(state: usize, out: usize, d: i32, nu: f64, scale: f64, work: usize): void {
  const count = panels(d);
  for (let p = 0; p < count; p++) drawPanel(state, panelAt(work, p), p, d, nu);
  for (let k0 = 0; k0 < d; k0 += BLOCK_ROWS) {
    const mode = k0 == 0 ? OVERWRITE : ADD;
    const from = (<usize>k0) << 5;
    const first = k0 >> 2; // panels left of row k0 have no such row
    for (let q0 = first; q0 < count; q0 += BLOCK_PANELS) {
      const stop = min(q0 + BLOCK_PANELS, count);
      for (let p = first; p < stop; p++) {
        const rows = min(BLOCK_ROWS, (p << 2) + 4 - k0);
        packSliver(panelAt(work, p) + from, rows, scale);
        for (let q = max(p, q0); q < stop; q++) {
          addTile(panelAt(work, q) + from, rows, out, d, p, q, mode);
        }
      }
    }
  }
  mirrorUpper(out, d);
  memory.fill(work, 0, panelAt(0, count));
  memory.fill(sliver, 0, 256 * 64);
  memory.fill(edge, 0, 128);
}
export function wishartWorkspace(d: i32): f64 {
  const count = <f64>panels(d);
  return 64.0 * count * (count + 1.0);
}
