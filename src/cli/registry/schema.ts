/**
 * What an entry of the public registry of deployments of differential privacy has to hold: its own words and choices.
 * @module
 */
import * as v from "valibot";
import { DataError } from "../../core/index.js";

const words = v.optional(v.string());
const named = v.pipe(v.string(), v.trim(), v.minLength(1, "expected some text"));
const names = v.pipe(v.array(named), v.minLength(1, "expected at least one"));
const date = v.pipe(
  v.string(),
  v.isoDate("expected a date as YYYY-MM-DD"),
  v.check((text) => !Number.isNaN(Date.parse(text)), "expected a day that there is"),
);

const PRODUCTS = [
  "Summary statistics",
  "Machine learning model",
  "Dataset",
  "Synthetic data",
  "Interactive API",
  "SQL queries",
] as const;
export const SECTORS = [
  "Technology",
  "Healthcare",
  "Education",
  "Government",
  "Energy",
  "Finance",
] as const;
const STATUS = [
  "Converted",
  "Draft",
  "Pending",
  "Changes Required",
  "Approved",
  "Approved (Update Requested)",
  "Approved (Pending)",
] as const;
const VARIANTS = [
  "Pure DP",
  "Approximate DP",
  "Zero-concentrated DP",
  "Renyi DP",
  "Custom",
] as const;

const deployment = v.strictObject({
  basic: v.strictObject({
    name: named,
    data_curators: names,
    intended_use: named,
    data_product_type: v.picklist(PRODUCTS),
    data_product_region: named,
    description: named,
    publication_date: date,
    data_product_sector: v.optional(v.picklist(SECTORS)),
  }),
  dp_variant: v.optional(
    v.strictObject({
      variant_name: v.optional(v.picklist(VARIANTS)),
      data_domain: words,
      unprotected_quantities: words,
    }),
  ),
  privacy_loss: v.optional(
    v.strictObject({
      privacy_unit: words,
      privacy_unit_details: words,
      privacy_parameters: v.optional(
        v.strictObject({
          epsilon: v.optional(v.number()),
          delta: v.optional(v.union([v.number(), v.string()])),
          rho: v.optional(v.number()),
        }),
      ),
      privacy_parameters_details: words,
    }),
  ),
  deployment_model: v.optional(
    v.strictObject({
      model_name: v.optional(v.picklist(["Local", "Central", "Shuffle", "Federated", "Varies"])),
      model_name_details: words,
      actors: words,
      release_type: v.optional(v.picklist(["One release", "Many releases"])),
      release_type_details: words,
      data_source_type: v.optional(v.picklist(["Static", "Dynamic"])),
      data_source_type_details: words,
      access_type: v.optional(v.picklist(["Interactive", "Non-interactive"])),
      access_type_details: words,
    }),
  ),
  accounting: v.optional(v.strictObject({ post_processing: words, composition: words })),
  implementation: v.optional(
    v.strictObject({
      preprocessing_and_hyperparameter_tuning: words,
      mechanisms: words,
      justification: words,
    }),
  ),
  administrative: v.optional(
    v.strictObject({ sources: words, notes: words, registry_authors: names }),
  ),
});

const entry = v.strictObject({
  url_slug: v.pipe(v.string(), v.regex(/^[a-z0-9_-]+$/i, "expected letters, digits, - and _")),
  status: v.picklist(STATUS),
  tier: v.picklist([1, 2, 3]),
  deployment,
});

/** An entry of the registry. */
export type RegistryEntry = v.InferOutput<typeof entry>;

/** @throws DataError naming every member that is not as the registry has it. */
export function checkRegistryEntry(value: unknown): RegistryEntry {
  const { success, output, issues } = v.safeParse(entry, value);
  if (success) return output;
  throw new DataError(
    issues
      .map((issue) => `registry entry, ${v.getDotPath(issue) ?? "top"}: ${issue.message}`)
      .join("\n"),
  );
}
