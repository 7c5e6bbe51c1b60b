/** Whatever a task's model or scores come to, what it uploads is no longer than its sensitivity says. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { covarianceUploads } from "../../../../src/learning/families/mixed/squared/spread/squared-covariance.js";
import { SquaredLocation } from "../../../../src/learning/families/mixed/squared/squared-location.js";
import { shapeUploads } from "../../../../src/learning/families/mixed/squared/spread/squared-shape.js";
import { SquaredState } from "../../../../src/learning/families/mixed/squared/squared-state.js";
import { varianceUploads } from "../../../../src/learning/families/mixed/squared/spread/squared-variances.js";
import type { TaskSpectra } from "../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { TaskSpectrum } from "../../../../src/learning/families/mixed/spectra/task-spectrum.js";
import { diagonal } from "../../../../src/linalg/small-matrices.js";
import { rounding, vectorOf } from "../../../magnitudes.js";

const identity = diagonal([1, 1, 1]);
const norm = (v: Iterable<number>) => Math.hypot(...v);
const three = { minLength: 3, maxLength: 3 };

const core = openCore();

/** One task with this spectrum. */
const tasksOf = (spectrum: object) =>
  ({
    m: 1,
    core,
    of: () => spectrum as TaskSpectrum,
  }) as Pick<TaskSpectra, "m" | "core" | "of"> as TaskSpectra;

test("the direction of a task's model has length 1, or is none", () => {
  fc.assert(
    fc.property(vectorOf(three), (mean) => {
      const state = {
        sizes: { m: 1, d: 3, meanRows: 5 },
        root: identity,
        effects: new Float64Array(3),
        deviations: Float64Array.of(1, 1, 1),
        noise: 1,
        noiseWeights: () => [1, 0, 0],
      };
      let isFirst = true;
      const addMean = (_spread: number, _noise: number, _weight: number, into: Float64Array) => {
        if (isFirst) into.set(mean);
        isFirst = false;
      };
      const upload = covarianceUploads(state as never, tasksOf({ addMean }));
      const length = norm(upload);
      expect(length).toBeLessThanOrEqual(rounding(6));
      expect(length).toBeGreaterThan(mean.some((x) => x !== 0) ? 1 - 1e-14 : -1);
      // It is u u^T of that direction.
      const size = norm(mean);
      if (size > 1e-300 && size < 1e300) {
        mean.forEach((x, c) => expect(upload[(c * (c + 3)) / 2]).toBeCloseTo((x / size) ** 2, 12));
      }
    }),
    { seed: 21, numRuns: 1000 },
  );
});

describe("scores and information of rows of every magnitude", () => {
  const spectra = fc.record({
    observed: vectorOf(three),
    squares: vectorOf(three).map((v) => v.map(Math.abs)),
    rest: vectorOf({ minLength: 1, maxLength: 1 }).map(([x]) => Math.abs(x!)),
    clip: fc.constantFrom(1e-3, 0.2, 1),
  });
  const open = (given: { observed: Float64Array; squares: Float64Array; rest: number }) => {
    const spectrum = new TaskSpectrum(3);
    spectrum.observed.set(given.observed);
    spectrum.squares.set(given.squares);
    spectrum.directions.set(identity);
    return Object.assign(spectrum, { n: 5, k: 3, rest: given.rest });
  };
  const sizes = { m: 1, d: 3, meanRows: 5 };

  test("of fixed effects", () => {
    fc.assert(
      fc.property(spectra, ({ clip, ...given }) => {
        const shape = { clip, weight: 0.2, information: 0.3, curvature: 0 };
        const location = new SquaredLocation(new SquaredState(sizes), shape);
        for (const part of ["score", "information"] as const) {
          const upload = location.upload(part, tasksOf(open(given)));
          expect(norm(upload)).toBeLessThanOrEqual(rounding(upload.length));
        }
      }),
      { seed: 22, numRuns: 200 },
    );
  });

  test.each([
    ["variances", varianceUploads],
    ["the shape", shapeUploads],
  ])("of %s", (_, uploadsOf) => {
    const state = new SquaredState(sizes);
    fc.assert(
      fc.property(spectra, (given) => {
        const upload = uploadsOf(state, tasksOf(open(given)));
        expect(norm(upload)).toBeLessThanOrEqual(rounding(upload.length));
      }),
      { seed: 23, numRuns: 200 },
    );
  });
});
