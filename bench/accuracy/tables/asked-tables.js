/** Which of the real tables a bench was asked for, and at which budgets. */
import { classesIn } from "./classes.js";
import { describedIn, encodedTable } from "./data.js";

/** Options of {@link askedTables}, for `parseArgs`. @param epsilon default budgets, separated by commas. */
export const tableOptions = (epsilon) => ({
  sets: { type: "string" },
  epsilon: { type: "string", default: epsilon },
  "data-folder": { type: "string", default: "../shared/data/tables" },
});

/** Names of the tables of numbers and of labels, all unless some are named. */
export function askedTables({ sets, epsilon, "data-folder": folder }) {
  const labels = Object.keys(classesIn(folder));
  const names = sets?.split(",") ?? [...Object.keys(describedIn(folder)), ...labels];
  return {
    folder,
    numbers: names.filter((name) => !labels.includes(name)),
    labels: names.filter((name) => labels.includes(name)),
    epsilons: epsilon.split(",").map(Number),
  };
}

/** The encoded tables of these names, [name, table]; says which are not there. */
export function* tablesOf(folder, names) {
  for (const name of names) {
    const table = encodedTable(folder, name);
    if (table) yield [name, table];
    else console.log(`${name}: not in ${folder}, skipped`);
  }
}
