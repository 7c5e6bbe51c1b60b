/**
 * Exact or floating-point noise: which form a stage's releases take.
 * @module
 */
import type { Mechanism } from "../../privacy/index.js";
import type { NoiseForm } from "../options/noise-forms.js";
import { statistic as statisticOf } from "../round/statistic.js";
import type { StageRequest } from "./stage-request.js";

/** Released entries that "auto" draws exactly: at a tenth of a microsecond each, at most 2 ms; half where symmetric. */
const AFFORDABLE_ENTRIES = 20_000;

/**
 * A stage in the form asked for. "auto" takes the exact form where the mechanism has one, the entries
 * are affordable and the budget is within the sampler's range.
 *
 * @param make   the mechanism, exact or not; one that was given, or whose noise comes in shares, is
 *               neither and is made as it is.
 * @param planned the stage with that mechanism.
 * @throws RangeError if "exact" is asked for and there is no such form or the budget is out of range.
 */
export function inForm<Planned>(
  form: NoiseForm,
  stage: StageRequest,
  make: (discrete: boolean) => Mechanism,
  planned: (mechanism: Mechanism) => Planned,
): Planned {
  if (form === "exact") return planned(make(true));
  const float = make(false);
  if (form === "float" || !mayBeExact(stage, float)) return planned(float);
  try {
    return planned(make(true));
  } catch (error) {
    // A budget beyond the exact sampler's range, for example the eps of 1e40 of the leakage figure.
    if (error instanceof RangeError) return planned(float);
    throw error;
  }
}

function mayBeExact(stage: StageRequest, { budgetKind, inShares }: Mechanism): boolean {
  if (stage.mechanism || inShares || budgetKind !== "mu") return false;
  if (stage.sampling?.kind === "poisson") return false;
  const { statistic, m, d, rounds } = stage;
  return statisticOf(statistic).length(m, d) * rounds <= AFFORDABLE_ENTRIES;
}
