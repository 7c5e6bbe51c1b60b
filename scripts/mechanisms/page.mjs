/**
 * docs/MECHANISMS.md from the table of mechanisms.
 */
import { basename } from "node:path";

const link = (path) => `[${basename(path)}](../${path})`;
const links = (paths) => paths.map(link).join(", ");
const title = ({ mechanism, variant, form }) =>
  `\`${mechanism}\`${variant ? `, ${variant}` : ""}, ${form}`;

const WIDTH = 130;

/** Text in lines of at most so many characters, code and links whole; no line begins with what Markdown takes for a list or a quotation. */
function wrapped(text, indent = "") {
  const words = text.match(/\[[^\]]*\]\([^)]*\)\S*|`[^`]*`\S*|\S+/g);
  const lines = [words[0]];
  for (const word of words.slice(1)) {
    const last = `${lines.at(-1)} ${word}`;
    const mark = /^([-+*#>=|]|\d+[.)]$)/.test(word);
    if (mark || indent.length + last.length <= WIDTH) lines[lines.length - 1] = last;
    else lines.push(word);
  }
  return lines.join(`\n${indent}`);
}

/** What a mechanism says of itself, a sentence for each of its clauses. */
const sentences = (why) =>
  why
    .split("; ")
    .map((clause) => `${clause[0].toUpperCase()}${clause.slice(1)}.`)
    .join(" ");

const items = (...list) => list.map((item) => `- ${wrapped(item, "  ")}`).join("\n");

function proven({ sound, exact }) {
  if (!sound) return "**no**: kept for reproduction";
  return exact ? "yes, for the numbers drawn" : "for real numbers only";
}

/** Rows of which all but names and audits is the same, in the order of the first of them. */
function together(mechanisms) {
  const groups = new Map();
  for (const row of mechanisms) {
    const { variant, form, sound, why, statement, proof, sampler, tests } = row;
    const key = JSON.stringify([variant, form, sound, why, statement, proof, sampler, tests]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

/** A title of some rows; of a mechanism that has several sections of one title, with what it releases. */
function heading(rows, all) {
  const [row] = rows;
  const names = rows.map(({ mechanism }) => `\`${mechanism}\``).join(", ");
  const same = all.filter((other) => title(other) === title(row)).length > 1;
  const rest = [row.variant, same ? row.statistic : null, row.form].filter(Boolean);
  return `### ${[names, ...rest].join(", ")}`;
}

const section = (rows, all) => `${heading(rows, all)}

${wrapped(rows[0].statement)}

${items(
  `Why: ${sentences(rows[0].why)}`,
  `Statement and proof: ${links(rows[0].proof)}`,
  `Sampler: ${links(rows[0].sampler)}`,
  `Tests: ${links(rows[0].tests)}`,
  ...rows.map(({ audit }) => `Audit: \`${audit.command}\`, ${link(audit.test)}`),
)}
`;

const INTRODUCTION = `# Mechanisms

A mechanism adds noise to a statistic of the tasks' uploads. This page has every one that a private fit can use: what is stated of it, where that is proven, what draws its noise, and which tests and audits hold it. Statements are those at the head of the files that prove them. The same is there as JSON: [mechanisms.json](mechanisms.json).

Which noise does a fit draw? Exact noise, unless another is asked for (\`noise: "auto"\`). \`dp-aggregation\` and \`dp-task-relationship\` have noise in floating point only: what they bound is how far a release moves, not how large what is summed may be.`;

const WORDS = `| word | meaning |
| --- | --- |
| exact | drawn by integer arithmetic on a grid; the proof is about the numbers that are drawn |
| float | drawn in floating point (\`noise: "float"\`); the proof is about real numbers, and what rounding does to their low-order bits is not covered |
| releases | covariance: W W^T of the uploads W; diagonal: its diagonal; vector: a sum of vectors |
| event | the name by which accounting composes the release with others |
| budget | what the noise is sized by: epsilon, or mu of Gaussian differential privacy (GDP) |
| K, Delta | the clip, and the sensitivity ([sensitivity.ts](../src/privacy/sensitivity.ts)) |
| zero-out, replace | the two adjacencies: one task's uploads become 0, or change arbitrarily |
| audit | an attack that looks for more than is stated ([AUDIT.md](AUDIT.md)) |`;

/** The page, as Markdown. */
export function mechanismsPage({ mechanisms, compositions }) {
  const rows = mechanisms.map(
    (row) =>
      `| ${title(row)} | ${row.statistic} | ${row.event} | ${row.budget === "mu" ? "mu (Gaussian DP)" : "epsilon"} | ${proven(row)} |`,
  );
  const sections = together(mechanisms).map((group) => section(group, mechanisms));
  const others = compositions.map(
    ({ name, statement, proof, tests }) => `### ${name[0].toUpperCase()}${name.slice(1)}

${wrapped(statement)}

${items(`Statement and proof: ${link(proof)}`, `Tests: ${links(tests)}`)}
`,
  );
  const introduction = INTRODUCTION.split("\n\n").map((text) => wrapped(text));
  return `<!-- Written by \`npm run mechanisms\` from the code; a test holds it to the code. Do not edit. -->

${introduction.join("\n\n")}

${WORDS}

| mechanism, form | releases | event | budget | proven |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

## Statements

Mechanisms of which all but the audit is the same share a section.

${sections.join("\n")}
## What is composed of them

${others.join("\n")}`;
}
