/**
 * A model as a user would write it.
 * @module
 */
import type { DifferentiableModel } from "../../src/learning/index.js";

/** A line through the data by hand, as a user would write it. */
export function lineModel(d: number): DifferentiableModel {
  return {
    name: "line",
    features: d,
    outputs: 1,
    parameters: d,
    initial: () => new Float64Array(d),
    predict(w, x, out) {
      for (let j = 0; j < out.length; j++) {
        out[j] = w.reduce((sum, value, k) => sum + value * x[j * d + k]!, 0);
      }
    },
    valueAndGradient(w, x, y, g) {
      const out = new Float64Array(y.length);
      this.predict(w, x, out);
      g.fill(0);
      let value = 0;
      for (let j = 0; j < y.length; j++) {
        const error = out[j]! - y[j]!;
        value += (error * error) / 2 / y.length;
        for (let k = 0; k < d; k++) g[k]! += (error * x[j * d + k]!) / y.length;
      }
      return value;
    },
  };
}
