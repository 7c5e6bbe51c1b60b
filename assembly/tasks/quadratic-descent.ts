/**
 * A gradient step of one task whose loss is a quadratic, in one pass over its form (`quadratic.ts`).
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { addScaled } from "../blas/vector";
import { axpy, combine } from "../proximal";

/**
 * out f64[d] <- z - step (H z + b s - h + mu z), apart from z; b and s with an intercept only (`own`). Rounded as by
 * `quadraticGradients`, `axpy` and `gradientStep`, to the bit. Cost: 2 d^2 flops.
 */
export function descend(
  form: usize, z: usize, own: bool, b: f64, mu: f64, step: f64, out: usize, d: i32,
): void {
  const h = at(form, d * d), sums = own ? at(h, d) : 0;
  if (ASC_FEATURE_SIMD) {
    if (d >= 16 && mu == 0.0) {
      for (let j = 0; j < d; j += 16) sixteen(form, h, sums, z, b, step, out, d, min(j, d - 16));
      return;
    }
  }
  combineRows(-1.0, h, z, form, out, d, d);
  if (own) addScaled(b, sums, out, d);
  if (mu > 0.0) axpy(mu, z, out, d);
  combine(1.0, z, -step, out, out, d);
}

/** Entries j .. j + 15 without mu. @param sums s, or 0 without an intercept. */
function sixteen(
  form: usize, h: usize, sums: usize, z: usize, b: f64, step: f64, out: usize, d: i32, j: i32,
): void {
  const from = at(h, j);
  let s0 = f64x2.neg(v128.load(from)), s1 = f64x2.neg(v128.load(from, 16));
  let s2 = f64x2.neg(v128.load(from, 32)), s3 = f64x2.neg(v128.load(from, 48));
  let s4 = f64x2.neg(v128.load(from, 64)), s5 = f64x2.neg(v128.load(from, 80));
  let s6 = f64x2.neg(v128.load(from, 96)), s7 = f64x2.neg(v128.load(from, 112));
  const stride = (<usize>d) << 3;
  let row = at(form, j), a = z;
  for (const end = at(z, d); a < end; a += 8, row += stride) {
    const v = v128.load64_splat(a);
    s0 = f64x2.add(s0, f64x2.mul(v, v128.load(row)));
    s1 = f64x2.add(s1, f64x2.mul(v, v128.load(row, 16)));
    s2 = f64x2.add(s2, f64x2.mul(v, v128.load(row, 32)));
    // Never taken, like the next: V8 hoists all loads of a loop's body to its top and spills; a way out stops that.
    if (row == 0) break;
    s3 = f64x2.add(s3, f64x2.mul(v, v128.load(row, 48)));
    s4 = f64x2.add(s4, f64x2.mul(v, v128.load(row, 64)));
    s5 = f64x2.add(s5, f64x2.mul(v, v128.load(row, 80)));
    if (row == 1) break;
    s6 = f64x2.add(s6, f64x2.mul(v, v128.load(row, 96)));
    s7 = f64x2.add(s7, f64x2.mul(v, v128.load(row, 112)));
  }
  if (sums) {
    const s = at(sums, j), v = f64x2.splat(b);
    s0 = f64x2.add(s0, f64x2.mul(v, v128.load(s)));
    s1 = f64x2.add(s1, f64x2.mul(v, v128.load(s, 16)));
    s2 = f64x2.add(s2, f64x2.mul(v, v128.load(s, 32)));
    s3 = f64x2.add(s3, f64x2.mul(v, v128.load(s, 48)));
    s4 = f64x2.add(s4, f64x2.mul(v, v128.load(s, 64)));
    s5 = f64x2.add(s5, f64x2.mul(v, v128.load(s, 80)));
    s6 = f64x2.add(s6, f64x2.mul(v, v128.load(s, 96)));
    s7 = f64x2.add(s7, f64x2.mul(v, v128.load(s, 112)));
  }
  const by = f64x2.splat(-step), to = at(out, j), point = at(z, j);
  v128.store(to, f64x2.add(v128.load(point), f64x2.mul(by, s0)));
  v128.store(to, f64x2.add(v128.load(point, 16), f64x2.mul(by, s1)), 16);
  v128.store(to, f64x2.add(v128.load(point, 32), f64x2.mul(by, s2)), 32);
  v128.store(to, f64x2.add(v128.load(point, 48), f64x2.mul(by, s3)), 48);
  v128.store(to, f64x2.add(v128.load(point, 64), f64x2.mul(by, s4)), 64);
  v128.store(to, f64x2.add(v128.load(point, 80), f64x2.mul(by, s5)), 80);
  v128.store(to, f64x2.add(v128.load(point, 96), f64x2.mul(by, s6)), 96);
  v128.store(to, f64x2.add(v128.load(point, 112), f64x2.mul(by, s7)), 112);
}
