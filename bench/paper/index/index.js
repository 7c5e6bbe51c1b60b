/**
 * Every figure and table of both papers: what makes it and what we found. The command and docs/REPRODUCTION.md are made from this.
 */
import { MP_MTL } from "./mp-mtl.js";
import { PMTL } from "./pmtl.js";
import { STATEMENTS } from "./statements.js";

export { STATEMENTS } from "./statements.js";

/** Verdicts, in words for the page. */
export const VERDICTS = {
  reproduced: "reproduced",
  "older noise": "reproduced with the older text's noise, whose guarantee does not hold",
  "in part": "reproduced in part",
  contradicted: "contradicted",
  "cannot be tried here": "cannot be tried here",
  "nothing to measure": "nothing to measure",
};

export const INDEX = [...MP_MTL, ...PMTL];

/** The experiments that try a statement. */
export function experimentsBehind({ entry, makes }) {
  return makes ?? INDEX.find(({ id }) => id === entry).makes;
}

/** Names that an unknown one may stand for: `Figure 6` and `fig-6` for `mp-mtl-fig-6`. */
export function namesLike(name, experiments) {
  const part = name
    .toLowerCase()
    .replace(/\W+/g, "-")
    .replace(/figure/, "fig");
  const known = [...new Set([...[...INDEX, ...STATEMENTS].map(({ id }) => id), ...experiments])];
  return part.length < 3
    ? []
    : known.filter((id) => `${id.toLowerCase()}-`.includes(`${part}-`)).slice(0, 3);
}

/**
 * Names on the command line as experiments, each once.
 *
 * @param names of experiments, entries or statements, or "all".
 * @param experiments the names there are.
 * @returns experiments in order, and what is unknown or has nothing to run.
 */
export function experimentsOf(names, experiments) {
  const found = new Set();
  const refused = [];
  for (const name of names) {
    const entry = INDEX.find(({ id }) => id === name);
    const statement = STATEMENTS.find(({ id }) => id === name);
    const makes =
      name === "all"
        ? experiments
        : experiments.includes(name)
          ? [name]
          : (entry?.makes ?? (statement && experimentsBehind(statement)));
    const { verdict, why } = entry ?? { verdict: statement?.verdict, why: statement?.found };
    if (makes === undefined) refused.push({ name, why: "unknown" });
    else if (makes.length === 0) refused.push({ name, why: `${verdict}: ${why}` });
    else for (const one of makes) found.add(one);
  }
  return { experiments: [...found], refused };
}
