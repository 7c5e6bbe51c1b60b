/**
 * Exact or floating-point noise: which form a fit's releases take.
 * @module
 */
import {
  allocateBudget,
  createMechanism,
  preferExact,
  type AllocateOptions,
  type Allocation,
  type Mechanism,
  type MechanismFactory,
} from "../../privacy/index.js";
import type { NoiseForm } from "../options/noise-forms.js";

/** A mechanism with the budgets of its rounds. */
export interface PlannedMechanism {
  readonly mechanism: Mechanism;
  readonly plan: Allocation;
}

/**
 * The mechanism in the form asked for, and its plan. "auto" takes the exact form where the mechanism
 * has one and the budget is within the sampler's range.
 *
 * @param make    instead of both: mechanisms whose noise comes in shares.
 * @throws RangeError if "exact" is asked for and there is no such form or the budget is out of range.
 */
export function planMechanism(
  form: NoiseForm,
  options: Parameters<typeof createMechanism>[0],
  budget: Omit<AllocateOptions, "mechanism">,
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
  return form === "auto" ? preferExact(planned) : planned(form === "exact");
}
