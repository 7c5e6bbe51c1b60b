/**
 * exp, log and their kin from additions and multiplications only, so that every host gives the same bits.
 *
 * The language leaves the last bits of Math.exp, log, pow, sin and tanh to the engine, and engines
 * differ. Noise scales, accountants and losses use these instead: a seeded fit is then the same in
 * V8, in JavaScriptCore, in any release of either. Sums, products, quotients and square roots are
 * exact by IEEE 754 everywhere, and so are `x ** 2` and powers of two in every engine tested.
 *
 * Approximations are those of fdlibm (Sun Microsystems 1993: e_exp.c, e_log.c, k_sin.c, k_cos.c).
 * Errors, in units in the last place: exp, log 1; expm1, log1p 2; tanh 4, which near 1 doubles that of expm1; a test holds them.
 * @module
 */

const doubles = new Float64Array(1);
const words = new Uint32Array(doubles.buffer);
/** Which of the two words holds sign and exponent. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

const LN2_HIGH = 6.9314718036912381649e-1; // 33 bits: its product with an exponent is exact
const LN2_LOW = 1.90821492927058770002e-10;

/** 2^k for a normal result, -1022 <= k <= 1023. */
function powerOfTwo(k: number): number {
  words[1 - HIGH] = 0;
  words[HIGH] = (k + 1023) << 20;
  return doubles[0]!;
}

/** y 2^k, rounded once. */
function scaled(y: number, k: number): number {
  if (k > 1023) return y * powerOfTwo(1023) * powerOfTwo(k - 1023);
  if (k >= -1021) return y * powerOfTwo(k);
  return y * powerOfTwo(k + 1000) * powerOfTwo(-1000);
}

/** e^(high - low) - 1 for |high - low| <= ln(2) / 2: r + r c / (2 - c), with the rounding of r. */
function expm1Reduced(high: number, low: number): number {
  const r = high - low;
  const t = r * r;
  const c =
    r -
    t *
      (1.66666666666666019037e-1 +
        t *
          (-2.77777777770155933842e-3 +
            t *
              (6.61375632143793436117e-5 +
                t * (-1.6533902205465251539e-6 + t * 4.13813679705723846039e-8))));
  return high - (low - (r * c) / (2 - c));
}

/** e^x. */
export function exp(x: number): number {
  if (!(x <= 709.782712893384)) return x > 0 ? Infinity : NaN;
  if (x < -745.2) return 0;
  const k = Math.round(x * Math.LOG2E);
  return scaled(1 + expm1Reduced(x - k * LN2_HIGH, k * LN2_LOW), k);
}

/** e^x - 1, without cancellation near 0. */
export function expm1(x: number): number {
  if (x > 50) return exp(x);
  if (x < -50) return -1;
  if (x === 0 || x !== x) return x;
  const k = Math.round(x * Math.LOG2E);
  const e = expm1Reduced(x - k * LN2_HIGH, k * LN2_LOW);
  if (k === 0) return e;
  const power = powerOfTwo(k);
  return power * e + (power - 1);
}

/** Natural logarithm; -Infinity at 0, NaN below. */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x > 0 ? x : NaN;
  let k = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984; // 2^54: a subnormal number becomes normal
    k = -54;
  }
  // x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2).
  k += binaryExponent(x);
  words[HIGH] = (words[HIGH]! & 0xfffff) | 0x3ff00000;
  let f = doubles[0]!;
  if (f >= Math.SQRT2) {
    f *= 0.5;
    k++;
  }
  f -= 1;
  const s = f / (2 + f);
  const z = s * s;
  const series =
    z *
    (6.66666666666673513e-1 +
      z *
        (3.999999999940941908e-1 +
          z *
            (2.857142874366239149e-1 +
              z *
                (2.222219843214978396e-1 +
                  z *
                    (1.818357216161805012e-1 +
                      z * (1.531383769920937332e-1 + z * 1.479819860511658591e-1))))));
  const half = 0.5 * f * f;
  const rest = s * (half + series);
  if (k === 0) return f - (half - rest);
  return k * LN2_HIGH - (half - (rest + k * LN2_LOW) - f);
}

/** ln(1 + x), without cancellation near 0; -Infinity at -1, NaN below. */
export function log1p(x: number): number {
  const u = 1 + x;
  if (u === 1 || !(u > 0 && u < Infinity)) return u === 1 ? x : log(u);
  // 1 + x = u + (x - (u - 1)): what rounding took away goes back in to first order.
  return log(u) + (x - (u - 1)) / u;
}

/** The largest integer k with 2^k <= x, for a normal x > 0. */
export function binaryExponent(x: number): number {
  doubles[0] = x;
  return ((words[HIGH]! >>> 20) & 0x7ff) - 1023;
}

/** log(x) / ln(10): exact at no power of ten but 1, unlike Math.log10. */
export function log10(x: number): number {
  return log(x) * Math.LOG10E;
}

/**
 * x^y for x >= 0. Integer exponents up to 1024 by repeated squaring, with a relative error of at most |y| 2^-52; else
 * e^(y ln x), whose relative error is about (1 + |y ln x|) 2^-52.
 */
export function pow(x: number, y: number): number {
  if (Number.isInteger(y) && Math.abs(y) <= 1024) {
    let result = 1;
    let base = x;
    for (let n = Math.abs(y); n > 0; n = Math.floor(n / 2), base *= base) {
      if (n % 2 === 1) result *= base;
    }
    return y < 0 ? 1 / result : result;
  }
  if (x === 0) return y > 0 ? 0 : Infinity;
  return exp(y * log(x));
}

/** Hyperbolic tangent. */
export function tanh(x: number): number {
  const t = expm1(-2 * Math.abs(x));
  const size = -t / (2 + t);
  return x < 0 ? -size : size;
}

/** Cosine and sine of the angle 2 pi k / n, n a multiple of 4, 0 <= k < n. */
export function unitRoot(k: number, n: number): { cos: number; sin: number } {
  // Into the first octant by symmetry, in integers, so that nothing is lost there.
  const quarter = n / 4;
  const quadrant = Math.floor(k / quarter);
  const within = k - quadrant * quarter;
  const mirrored = within > quarter / 2;
  const angle = (2 * Math.PI * (mirrored ? quarter - within : within)) / n;
  const [c, s] = mirrored ? [sinSmall(angle), cosSmall(angle)] : [cosSmall(angle), sinSmall(angle)];
  if (quadrant === 0) return { cos: c, sin: s };
  if (quadrant === 1) return { cos: -s, sin: c };
  return quadrant === 2 ? { cos: -c, sin: -s } : { cos: s, sin: -c };
}

/** sin x for 0 <= x <= pi / 4. */
function sinSmall(x: number): number {
  const z = x * x;
  const r =
    8.33333333332248946124e-3 +
    z *
      (-1.98412698298579493134e-4 +
        z *
          (2.75573137070700676789e-6 +
            z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  return x + z * x * (-1.66666666666666324348e-1 + z * r);
}

/** cos x for 0 <= x <= pi / 4. */
function cosSmall(x: number): number {
  const z = x * x;
  const r =
    z *
    (4.16666666666666019037e-2 +
      z *
        (-1.38888888888741095749e-3 +
          z *
            (2.48015872894767294178e-5 +
              z *
                (-2.75573143513906633035e-7 +
                  z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11)))));
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + z * r);
}
