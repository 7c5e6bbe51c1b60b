/**
 * Exact or floating-point noise: which form a fit's releases take.
 * @module
 */
import {
  allocateBudget,
  createMechanism,
  type AllocateOptions,
  type Allocation,
  type Mechanism,
  type MechanismFactory,
} from "../../privacy/index.js";
import type { NoiseForm } from "../options/noise-forms.js";

/** Released entries that "auto" draws exactly: at a tenth of a microsecond each, at most 2 ms; half where symmetric. */
const AFFORDABLE_ENTRIES = 20_000;

/** A mechanism with the budgets of its rounds. */
export interface PlannedMechanism {
  readonly mechanism: Mechanism;
  readonly plan: Allocation;
}

/**
 * The mechanism in the form asked for, and its plan. "auto" takes the exact form where the mechanism
 * has one, the entries are affordable and the budget is within the sampler's range.
 *
 * @param entries float64s of the statistic.
 * @param make    instead of both: mechanisms whose noise comes in shares.
 * @throws RangeError if "exact" is asked for and there is no such form or the budget is out of range.
 */
export function planMechanism(
  form: NoiseForm,
  options: Parameters<typeof createMechanism>[0],
  budget: Omit<AllocateOptions, "mechanism">,
  entries: number,
  make?: MechanismFactory,
): PlannedMechanism {
  if (make) {
    const mechanism = make(options);
    return { mechanism, plan: allocateBudget({ ...budget, mechanism }) };
  }
  const planned = (discrete: boolean): PlannedMechanism => {
    const mechanism = createMechanism({ ...options, discrete });
    return { mechanism, plan: allocateBudget({ ...budget, mechanism }) };
  };
  if (form !== "auto") return planned(form === "exact");
  const { name } = createMechanism(options);
  const has = name.startsWith("gaussian") && options.sampling?.kind !== "poisson";
  if (!has || entries * budget.rounds > AFFORDABLE_ENTRIES) return planned(false);
  try {
    return planned(true);
  } catch (error) {
    // A budget beyond the exact sampler's range, for example the eps of 1e40 of the leakage figure.
    if (error instanceof RangeError) return planned(false);
    throw error;
  }
}
