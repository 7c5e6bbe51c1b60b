/** One word for one thing: documents use the field's terms that CONTRIBUTING.md lists, and no others for the same. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../package/packed.js";

/** What is not written, and the term for it. */
const TERMS: readonly (readonly [RegExp, string])[] = [
  [/\bsafeguard(s|ed)?\b/i, "single-task fallback (the option is `safeguard`)"],
  [/\bopinions?\b|\bballots?\b/i, "utility score, or vote"],
  [/\blook(s|ed|ing)? back\b|\bhindsight\b/i, "checkpoint, or local selection"],
  [/\bmessages? to (everyone|all)\b/i, "broadcast"],
  [/\bshares? of (the )?noise\b/i, "noise share"],
  [/\b(Shamir|sealed|mask) shares?\b/i, "secret share"],
  [
    /\bbillboard(-| )privacy\b|\bjoint \(billboard\)/i,
    "joint differential privacy, by the billboard lemma",
  ],
  [/\bclients?['’]? models?\b|\busers?['’] models?\b/i, "task's model"],
];

/** A page without what is code: blocks and spans. */
const prose = (page: string) =>
  readFileSync(join(root, page), "utf8")
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/`[^`]*`/g, "");

const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "MECHANISMS.md")
    .map((name) => `docs/${name}`),
];

test.each(pages)("%s keeps to the terms", (page) => {
  const text = prose(page).replace(/\s+/g, " ");
  const found = TERMS.flatMap(([pattern, term]) => {
    const match = pattern.exec(text);
    return match
      ? [`"${text.slice(Math.max(0, match.index - 30), match.index + 40)}": say ${term}`]
      : [];
  });
  expect(found).toEqual([]);
});

/** Metaphors that stood for terms in names and comments of the sources. */
const METAPHORS =
  /\b(hears?|heard|hear[A-Z]\w*|breathes?|farewell|voices?|ballots?|hindsight|opinions?|twins?)\b/;

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => `src/${name}`);

test("the sources use the field's terms", () => {
  const found = sources.flatMap((name) => {
    // Strings are left out: seeds and names of records keep what earlier releases and stores had.
    const text = readFileSync(join(root, name), "utf8").replace(/"[^"\n]*"/g, '""');
    const match = METAPHORS.exec(text);
    return match ? [`${name}: ${match[0]}`] : [];
  });
  expect(found).toEqual([]);
});

test("no page names a machine's path", () => {
  for (const page of pages) expect(prose(page), page).not.toMatch(/(^|\s)\/(work|home|tmp)\//);
});
