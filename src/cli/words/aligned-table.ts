/**
 * A table as text, its columns aligned by spaces.
 * @module
 */

/** Lines of cells, the header first, all with the same number of cells. */
export function alignedTable(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, j) => Math.max(...lines.map((line) => line[j]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, j) => cell.padEnd(widths[j]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
