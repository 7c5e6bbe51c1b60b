/**
 * Which rows are scaled to unit length where nobody says so: those of methods that need a bound on rows.
 * @module
 */
import { methodNamed } from "../../learning/methods.js";
import { choice } from "../options/values.js";

export const normalizeOption = {
  value: "auto|rows|none",
  help:
    "rows: every row is scaled to unit l2 norm, also at predict; none: by declared ranges alone; auto: rows for the " +
    "methods that need a bound on rows (feature-bound) and were given none, none for the others.",
  schema: choice("auto", "rows", "none"),
  default: "auto",
} as const;

/** What "auto" means for a method with these options. */
export function normalizeFor(
  asked: "auto" | "rows" | "none",
  method: string,
  given: Readonly<Record<string, unknown>>,
): "rows" | "none" {
  if (asked !== "auto") return asked;
  const bounded = "featureBound" in methodNamed(method).options;
  return bounded && given["featureBound"] === undefined ? "rows" : "none";
}
