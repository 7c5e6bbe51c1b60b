/**
 * The tables of docs/METHODS.md: methods and options as the code declares them. `node scripts/method-tables.mjs`
 * writes them between their marks, from the last build; test/docs/methods.test.ts holds the page to the sources.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import prettier from "prettier";

const GROUPS = ["privacy", "model", "rounds"];

const cell = (text) => String(text).replaceAll("|", "\\|");
const row = (cells) => `| ${cells.map(cell).join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
const code = (text) => `\`${text}\``;

function guaranteeOf({ privacy }) {
  if (!privacy) return "none";
  return privacy.unit === "task" ? "joint (eps, delta)" : "record level, lifted to a task";
}

function methodTable(all) {
  const rows = all.map((method) => [
    code(method.name),
    method.title,
    method.releases,
    guaranteeOf(method),
    method.recommendedFor,
  ]);
  return table(["method", "", "what is released", "guarantee", "when to use it"], rows);
}

/** Whose option it is, in as few words as are true. */
function owners(names, methods) {
  const groups = {
    "all methods": methods,
    "private methods": methods.filter(({ privacy }) => privacy),
    "methods without noise": methods.filter(({ privacy }) => !privacy),
    "methods that protect a task": methods.filter(({ privacy }) => privacy?.unit === "task"),
  };
  const same = Object.entries(groups).find(
    ([, members]) =>
      members.length === names.length && members.every(({ name }) => names.includes(name)),
  );
  return same ? same[0] : names.map(code).join(", ");
}

function optionTable(methods, group, { flagOf, defaultText }) {
  const rows = new Map();
  for (const { name: method, options } of methods) {
    for (const [name, option] of Object.entries(options)) {
      if (option.group !== group) continue;
      const values = option.expectedText ?? option.expected;
      const cells = [
        code(name),
        `\`--${flagOf(name, option)}\``,
        option.unit ? `${values} (${option.unit})` : values,
        defaultText(option) ?? "required",
        option.help,
      ];
      const key = JSON.stringify(cells);
      rows.set(key, { cells, names: [...(rows.get(key)?.names ?? []), method] });
    }
  }
  const order = [...new Set([...rows.values()].map(({ cells }) => cells[0]))];
  const sorted = [...rows.values()].sort(
    (a, b) => order.indexOf(a.cells[0]) - order.indexOf(b.cells[0]),
  );
  return table(
    ["option", "flag", "values", "default", "of", "meaning"],
    sorted.map(({ cells: [option, flag, values, fallback, help], names }) => [
      ...[option, flag, values, fallback, owners(names, methods), help],
    ]),
  );
}

/** The page with its tables made anew. */
export async function withTables(page, { ALL_METHODS, METHODS, flagOf, defaultText }) {
  const parts = { methods: methodTable(ALL_METHODS) };
  for (const group of GROUPS) {
    parts[`options: ${group}`] = optionTable(METHODS, group, { flagOf, defaultText });
  }
  const written = Object.entries(parts).reduce((text, [name, content]) => {
    const marks = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!marks.test(text)) throw new Error(`docs/METHODS.md has no marks "${name}"`);
    return text.replace(marks, (_, begin, end) => `${begin}\n${content}\n\n${end}`);
  }, page);
  return prettier.format(written, { parser: "markdown", printWidth: 100 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL("../docs/METHODS.md", import.meta.url));
  const built = "../build/modules/learning";
  const { ALL_METHODS } = await import(`${built}/estimators/all.js`);
  const { METHODS } = await import(`${built}/methods.js`);
  const declarations = await import(`${built}/options/option.js`);
  const { flagOf, defaultText } = declarations;
  const parts = { ALL_METHODS, METHODS, flagOf, defaultText };
  writeFileSync(path, await withTables(readFileSync(path, "utf8"), parts));
}
