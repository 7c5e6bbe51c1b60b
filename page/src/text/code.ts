/**
 * The same fit as a program.
 * @module
 */

/** A value as it is written in JavaScript. */
function literal(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return `{ ${entries.join(", ")} }`;
}

/** What fits the same model with the library; `tasks` is a TaskSet. A seed is left to its owner. */
export function fitCode(method: string, options: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(options)
    .filter(([name, value]) => value !== "auto" && name !== "random")
    .map(([name, value]) => `  ${name}: ${literal(value)},`);
  const seeded = options["random"] === undefined ? [] : ['  random: { mode: "seeded", seed },'];
  return [
    'import { makeEstimator } from "mp-mtl";',
    "",
    `const model = await makeEstimator("${method}", {`,
    ...lines,
    ...seeded,
    "}).fit(tasks);",
  ].join("\n");
}
