/**
 * Which columns of a participant's table the plan's features are made of, and how: the plan names features, `ward=med` among
 * them, and a table has columns.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { FeatureKind, Table } from "../../data/index.js";
import { didYouMean } from "../../core/messages/nearest.js";
import { someNames } from "../../core/messages/some-names.js";
import type { Plan } from "../../federation/index.js";
import { columnsByFeature } from "../../federation/protocol/feature-columns.js";

/**
 * The columns, in the order of the plan, each once.
 * @throws DataError naming a feature that no column can give.
 */
export function plannedColumns(
  table: Table,
  { features, schema }: Pick<Plan, "features" | "schema">,
): string[] {
  const declared = schema ? columnsByFeature(schema) : undefined;
  const columns = features.map((feature) => {
    const known = declared?.get(feature) ?? feature;
    if (table.has(known)) return known;
    // Of two columns that could be meant, the one with the longer name.
    const sources = (known === feature ? table.columnNames : []).filter(
      (name) => feature.startsWith(`${name}=`) || feature.startsWith(`${name}[`),
    );
    const source = sources.sort((a, b) => b.length - a.length)[0];
    if (source !== undefined) return source;
    throw new DataError(
      `${table.name} has no column for the plan's feature ${JSON.stringify(feature)}; it has ${someNames(table.columnNames)}.` +
        didYouMean(feature, table.columnNames),
    );
  });
  return [...new Set(columns)];
}

/**
 * What a column holds by the plan's features: a category of their levels, so that a participant whose rows have only some of
 * them has the same features, or numbers whose gaps have a feature; undefined where they say nothing of it.
 */
export function plannedKind(column: string, features: readonly string[]): FeatureKind | undefined {
  const named = features.flatMap((name) =>
    name.startsWith(`${column}=`) ? [name.slice(column.length + 1)] : [],
  );
  if (named.length === 0) return undefined;
  // "missing" is what the feature of missing values is called.
  const levels = named.filter((level) => level !== "missing");
  const gaps = levels.length < named.length ? "level" : "refuse";
  if (features.includes(column)) return { kind: "number", missing: gaps };
  // Of two values the plan names one: the other is whatever is not that one.
  const unseen = levels.length === 1 ? "zeros" : "refuse";
  return { kind: "category", levels, unseen, missing: gaps };
}
