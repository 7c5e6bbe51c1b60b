/**
 * The table of all mechanisms, from the code: what `createMechanism` says of each, and the statement at the head of the file
 * that proves it.
 */
import { CATALOGUE, COMPOSITIONS } from "./catalogue.mjs";

const SIZES = { tasks: 10, dimension: 5, clip: 1, adjacency: "replace" };

/** The comment that opens a file, without its stars. */
function opening(text) {
  const [, comment] = /^\/\*\*\n([\s\S]*?)\*\//.exec(text) ?? [];
  return (comment ?? "").replace(/^ \* ?/gm, "");
}

/**
 * The text after "**Statement.**" or "**Statement (label).**" up to its proof.
 *
 * @throws Error if the file opens with no such statement, or none of its statements is followed by a proof.
 */
export function statementOf(text, label, path) {
  const comment = opening(text);
  const head = label
    ? new RegExp(`\\*\\*Statement \\(?${label}[^*]*?\\*\\*`)
    : /\*\*Statement\b[^*]*?\*\*/;
  const found = head.exec(comment);
  const rest = found && comment.slice(found.index + found[0].length);
  const end = rest?.search(/\n\s*\n|\*\*Proof/);
  if (!rest || !/\*\*Proof\.\*\*/.test(comment)) {
    throw new Error(
      `${path}: expected it to open with a statement${label ? ` (${label})` : ""} and its proof`,
    );
  }
  // "(nu = d + 1, the papers' setting)." is part of what is stated.
  const condition = /\((.*\s.*)\)\.\*\*$/s.exec(found[0])?.[1];
  const statement = rest
    .slice(0, end === -1 ? undefined : end)
    .replace(/\s+/g, " ")
    .trim();
  return condition ? `For ${condition}: ${statement}` : statement;
}

/**
 * One row for every mechanism in every form.
 *
 * @param {(options: object) => object} createMechanism
 * @param {(path: string) => string} read text of a file of the project; throws where there is none.
 */
export function mechanismTable(createMechanism, read) {
  const mechanisms = CATALOGUE.map(
    ({ form, options, variant, label, proof, sampler, tests, audit, auditTest }) => {
      const { name, statistic } = options;
      const gaussian = name.startsWith("gaussian");
      const made = createMechanism({
        ...SIZES,
        ...options,
        delta: gaussian ? 1e-5 : 0,
        discrete: form === "exact",
      });
      for (const path of [...proof, ...sampler, ...tests, auditTest]) read(path);
      return {
        mechanism: name,
        variant: variant ?? null,
        form,
        statistic,
        event: made.event(1).kind,
        budget: made.budgetKind,
        sound: made.sound,
        exact: made.exact,
        why: made.why,
        statement: statementOf(read(proof[0]), label, proof[0]),
        proof,
        sampler,
        tests,
        audit: { test: auditTest, command: auditCommand(name, form, audit) },
      };
    },
  );
  const compositions = COMPOSITIONS.map(({ name, proof, tests }) => {
    tests.forEach(read);
    return { name, statement: statementOf(read(proof), undefined, proof), proof, tests };
  });
  return { format: "mp-mtl mechanisms", version: 1, mechanisms, compositions };
}

function auditCommand(name, form, options) {
  return [`mp-mtl audit --mechanism ${name}`, form === "exact" ? "--discrete" : "", options]
    .filter(Boolean)
    .join(" ");
}
