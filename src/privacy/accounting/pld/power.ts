/**
 * Powers of spectra: a law composed with itself.
 * @module
 */
import type { Spectrum } from "./fft.js";

/** product *= factor^count, by repeated squaring. */
export function multiplyPower(product: Spectrum, { re, im }: Spectrum, count: number): void {
  for (let k = 0; k < re.length; k++) {
    let [br, bi] = [re[k]!, im[k]!];
    let [r, i] = [product.re[k]!, product.im[k]!];
    for (let n = count; n > 0; n = Math.floor(n / 2)) {
      if (n % 2 === 1) [r, i] = [r * br - i * bi, r * bi + i * br];
      [br, bi] = [br * br - bi * bi, 2 * br * bi];
    }
    product.re[k] = r;
    product.im[k] = i;
  }
}
