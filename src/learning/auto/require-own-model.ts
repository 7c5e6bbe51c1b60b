/**
 * What was asked of models that are to be given away is kept by the method that `auto` takes, or nothing is fitted.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { ALL_METHODS } from "../estimators/all.js";
import type { MethodChoice } from "./choose-method.js";

/**
 * Options that the method taken does not have are not passed to it; this one is a promise against whoever is given a task's model.
 * @throws OptionError if the method taken makes models of the tasks' own rows all the same.
 */
export function requireOwnModel(
  { method, why }: Pick<MethodChoice, "method" | "why">,
  { ownModel }: { readonly ownModel: string },
): void {
  const taken = ALL_METHODS.find(({ name }) => name === method);
  if (ownModel !== "noisy" || (taken && "ownModel" in taken.options)) return;
  throw new OptionError(
    `ownModel: "noisy" hides records from whoever is given their task's model, and ${method}, which auto takes here, makes models of the ` +
      `tasks' own rows (${why}); nothing was fitted. Name a method that keeps it, as mp-mixed with the unit "record", or expected "exact", ` +
      "and models for their owners alone",
  );
}
