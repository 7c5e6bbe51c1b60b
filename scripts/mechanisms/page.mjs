/**
 * docs/MECHANISMS.md from the table of mechanisms.
 */
import { basename } from "node:path";

const link = (path) => `[${basename(path)}](../${path})`;
const links = (paths) => paths.map(link).join(", ");
const title = ({ mechanism, variant, form }) =>
  `\`${mechanism}\`${variant ? `, ${variant}` : ""}, ${form}`;

function proven({ sound, exact }) {
  if (!sound) return "**no**: kept for reproduction";
  return exact ? "yes, for the numbers drawn" : "for real numbers only";
}

/** The page, as Markdown. */
export function mechanismsPage({ mechanisms, compositions }) {
  const rows = mechanisms.map(
    (row) =>
      `| ${title(row)} | ${row.statistic} | ${row.event} | ${row.budget === "mu" ? "mu (Gaussian DP)" : "epsilon"} | ${proven(row)} |`,
  );
  const sections = mechanisms.map(
    (row) => `### ${title(row)}

${row.statement}

- Why: ${row.why}.
- Statement and proof: ${links(row.proof)}
- Sampler: ${links(row.sampler)}
- Tests: ${links(row.tests)}
- Audit: \`${row.audit.command}\`; ${link(row.audit.test)}
`,
  );
  const others = compositions.map(
    ({ name, statement, proof, tests }) => `### ${name[0].toUpperCase()}${name.slice(1)}

${statement}

- Statement and proof: ${link(proof)}
- Tests: ${links(tests)}
`,
  );
  return `<!-- Written by \`npm run mechanisms\` from the code; a test holds it to the code. Do not edit. -->

# Mechanisms

Every mechanism that a private fit can use: what is stated of it, where that is proven, what draws its noise, and which
tests and audits hold it. The same as JSON: [mechanisms.json](mechanisms.json). Statements are those at the head of the
files that prove them; K is the clip, Delta the sensitivity ([sensitivity.ts](../src/privacy/sensitivity.ts)).

Fits draw exact noise (\`noise: "auto"\`). \`noise: "float"\` takes the floating-point forms, whose proofs are about real
numbers: what rounding does to their low-order bits is not covered. \`dp-aggregation\` and \`dp-task-relationship\` have no others:
what they bound is how far a release moves, not how large what is summed may be.

| mechanism, form | releases | event | budget | proven |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

## Statements

${sections.join("\n")}
## What is composed of them

${others.join("\n")}`;
}
