/**
 * Expected shares of the gain as tables, by budget and by number of tasks.
 * @module
 */
import { alignedTable } from "../words/aligned-table.js";

const percent = (share: number | null) => (share === null ? "-" : `${Math.round(100 * share)} %`);

/** What to show: shares between 0 and 1, null where none is known. */
interface Shares {
  readonly byEpsilon: readonly { readonly epsilon: number; readonly share: number | null }[];
  readonly byTasks: readonly { readonly tasks: number; readonly share: number | null }[];
}

/** Two tables with an empty line between them. */
export function shareTables({ byEpsilon, byTasks }: Shares): string[] {
  return [
    alignedTable([
      ["epsilon", ...byEpsilon.map((one) => String(one.epsilon))],
      ["share", ...byEpsilon.map((one) => percent(one.share))],
    ]),
    "",
    alignedTable([
      ["tasks", ...byTasks.map((one) => String(one.tasks))],
      ["share", ...byTasks.map((one) => percent(one.share))],
    ]),
  ];
}
