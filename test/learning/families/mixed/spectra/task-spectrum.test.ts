/** The likelihood of a task's rows by products of variances, against logarithms of each. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { TaskSpectrum } from "../../../../../src/learning/families/mixed/spectra/task-spectrum.js";

const exponent = fc.double({ min: -20, max: 122, noNaN: true });

test("variances of up to squares of 1e60, and as small as noise gets, do not leave the numbers", () => {
  fc.assert(
    fc.property(
      fc.array(exponent, { minLength: 1, maxLength: 60 }),
      fc.double({ min: -20, max: 3, noNaN: true }),
      (exponents, noiseAt) => {
        const d = exponents.length;
        const spectrum = new TaskSpectrum(d);
        Object.assign(spectrum, { n: d + 3, k: d, rest: 0 });
        exponents.forEach((e, j) => (spectrum.squares[j] = 10 ** e));
        const noise = 10 ** noiseAt;
        const sum = exponents.reduce(
          (total, e) => total + Math.log(noise + 0.5 * 10 ** e),
          3 * Math.log(noise),
        );
        const found = spectrum.logLikelihood(0.5, noise);
        expect(Math.abs(found + sum / 2)).toBeLessThan(1e-10 * (1 + Math.abs(sum)));
      },
    ),
    { seed: 5, numRuns: 300 },
  );
});
