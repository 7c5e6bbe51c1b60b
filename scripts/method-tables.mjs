/**
 * The tables of docs/METHODS.md and its pages by family: methods and options as the code declares them.
 * `node scripts/method-tables.mjs` writes them between their marks, from the last build; test/docs/methods.test.ts
 * holds the pages to the sources.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import prettier from "prettier";

/** The overview, and the pages of the families. */
export const PAGES = [
  "docs/METHODS.md",
  "docs/METHODS-LOCAL.md",
  "docs/METHODS-STRUCTURE.md",
  "docs/METHODS-MIXED.md",
  "docs/METHODS-AVERAGING.md",
];

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

const hyphenated = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The rows that some methods' options make; methods whose option is the same share one. */
function optionRows(methods, { flagOf, defaultText, inCodeOnly }) {
  const noText = inCodeOnly("", () => true).expectedText;
  const rows = new Map();
  for (const method of methods) {
    for (const [name, option] of Object.entries(method.options)) {
      const text = option.expectedText ?? option.expected;
      // A seed is written as text, and given in code as what says what it does.
      const inCode = option.secret ? `in code \`${option.expected}\`` : "";
      const written = inCode === "" ? text : method.inCodeOnly ? inCode : `${text}; ${inCode}`;
      const values = text.includes(noText) ? option.expected : written;
      const flag = method.inCodeOnly || option.flag === null ? undefined : flagOf(name, option);
      const cells = [
        flag === undefined || flag === hyphenated(name)
          ? code(name)
          : `${code(name)} (\`--${flag}\`)`,
        option.unit ? `${values} (${option.unit})` : values,
        defaultText(option) ?? "required",
        option.help,
      ];
      const key = JSON.stringify(cells);
      rows.set(key, {
        key,
        name,
        cells,
        methods: [...(rows.get(key)?.methods ?? []), method.name],
      });
    }
  }
  const order = [...new Set([...rows.values()].map(({ name }) => name))];
  return [...rows.values()].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

function optionTable(rows, methods) {
  const divided = rows.some((one) => one.methods.length < methods.length);
  return table(
    ["option", "values", "default", ...(divided ? ["of"] : []), "meaning"],
    rows.map(({ cells: [option, values, fallback, help], methods: names }) => [
      option,
      values,
      fallback,
      ...(divided ? [names.length === methods.length ? "all" : names.map(code).join(", ")] : []),
      help,
    ]),
  );
}

/** Rows that a list of methods has in common. */
const common = (methods, words) =>
  optionRows(methods, words).filter(({ methods: names }) => names.length === methods.length);

/** The pages with their tables made anew. */
export async function withTables(pages, { ALL_METHODS, ...words }) {
  const named = ALL_METHODS.filter(({ inCodeOnly }) => !inCodeOnly);
  const every = common(named, words);
  const noisy = named.filter(({ privacy }) => privacy);
  const everyPrivate = common(noisy, words).filter(
    ({ key }) => !every.some((one) => one.key === key),
  );
  const known = new Set([...every, ...everyPrivate].map(({ key }) => key));
  const rest = new Set(ALL_METHODS.map(({ name }) => name));

  function tableFor(whose) {
    if (whose === "every method") return optionTable(every, named);
    if (whose === "every private method") return optionTable(everyPrivate, noisy);
    const methods = whose.split(", ").map((name) => {
      if (!rest.delete(name)) {
        throw new Error(`docs/METHODS*.md: expected a method that has no table yet, found ${name}`);
      }
      return ALL_METHODS.find((method) => method.name === name);
    });
    return optionTable(
      optionRows(methods, words).filter(({ key }) => !known.has(key)),
      methods,
    );
  }

  const marks = /(<!-- methods -->\n)[\s\S]*?(<!-- \/methods -->)/;
  if (!pages.some((page) => marks.test(page))) {
    throw new Error("docs/METHODS*.md: no mark for the table of methods");
  }
  const written = pages.map((page) =>
    page
      .replace(marks, (_, begin, end) => `${begin}\n${methodTable(ALL_METHODS)}\n\n${end}`)
      .replace(
        /(<!-- options of ([\s\S]*?) -->\n)[\s\S]*?(<!-- \/options -->)/g,
        (_, begin, whose, end) => `${begin}\n${tableFor(whose)}\n\n${end}`,
      ),
  );
  if (rest.size > 0) throw new Error(`docs/METHODS*.md: no table for ${[...rest].join(", ")}`);
  const format = (page) => prettier.format(page, { parser: "markdown", printWidth: 100 });
  return Promise.all(written.map(format));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = PAGES.map((page) => fileURLToPath(new URL(`../${page}`, import.meta.url)));
  const built = "../build/modules/learning";
  const { ALL_METHODS } = await import(`${built}/estimators/all.js`);
  const { flagOf, defaultText } = await import(`${built}/options/option.js`);
  const pages = paths.map((path) => readFileSync(path, "utf8"));
  const { inCodeOnly } = await import(`${built}/options/kinds.js`);
  const words = { flagOf, defaultText, inCodeOnly };
  const written = await withTables(pages, { ALL_METHODS, ...words });
  paths.forEach((path, k) => writeFileSync(path, written[k]));
}
