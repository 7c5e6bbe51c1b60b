/**
 * What a column's chunk says of how many values it has at each level, held to the levels that its schema gives it.
 * @module
 */
import type { ColumnMetaData, SchemaTree } from "hyparquet";
import { damaged } from "./damage.js";

/** A column's deepest levels: how many of the groups around it and itself may be missing, and may be repeated. */
export interface Levels {
  readonly definition: number;
  readonly repetition: number;
}

/** Those of every column that holds values, in the order of the schema. */
export const levelsOf = (root: SchemaTree): Levels[] =>
  root.children.flatMap((child) => below(child, { definition: 0, repetition: 0 }));

function below({ element, children }: SchemaTree, around: Levels): Levels[] {
  const levels = {
    definition: around.definition + Number(element.repetition_type !== "REQUIRED"),
    repetition: around.repetition + Number(element.repetition_type === "REPEATED"),
  };
  return children.length > 0 ? children.flatMap((child) => below(child, levels)) : [levels];
}

/** @throws ParquetDamage if there are counts of other levels than the column has, or bytes of text where there is none. */
export function checkSizeStatistics(chunk: ColumnMetaData, levels: Levels): void {
  const sizes = chunk.size_statistics;
  const fits = (counts: readonly bigint[] | undefined, deepest: number): boolean =>
    !counts?.length || counts.length === deepest + 1;
  if (
    !fits(sizes?.repetition_level_histogram, levels.repetition) ||
    !fits(sizes?.definition_level_histogram, levels.definition)
  )
    damaged("a column counts levels that it does not have");
  if (sizes?.unencoded_byte_array_data_bytes !== undefined && chunk.type !== "BYTE_ARRAY")
    damaged("a column counts bytes of text that it does not have");
}
