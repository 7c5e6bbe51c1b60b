/**
 * Exact or floating-point noise: which form a stage's releases take.
 * @module
 */
import { preferExact, type Mechanism } from "../../privacy/index.js";
import type { NoiseForm } from "../options/noise-forms.js";

/**
 * A stage in the form asked for. "auto" takes the exact form where the mechanism has one and the budget is
 * within the sampler's range.
 *
 * @param make    the mechanism, exact or not; one that was given, or whose noise is added in noise shares, is
 *                neither and is made as it is.
 * @param planned the stage with that mechanism.
 * @throws RangeError if "exact" is asked for and there is no such form or the budget is out of range.
 */
export function inForm<Planned>(
  form: NoiseForm,
  make: (discrete: boolean) => Mechanism,
  planned: (mechanism: Mechanism) => Planned,
): Planned {
  if (form === "auto") return preferExact((discrete) => planned(make(discrete)));
  return planned(make(form === "exact"));
}
