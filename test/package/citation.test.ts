/**
 * What CITATION.cff says of the package and of the papers. Its form was checked with the schema of the format (version 1.2.0 of
 * citation-file-format, `schema.json`), which is not kept here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, load } from "js-yaml";
import { expect, test } from "vitest";
import { root } from "./packed.js";

const text = (name: string) => readFileSync(join(root, name), "utf8");
const manifest = JSON.parse(text("package.json")) as Record<string, unknown>;
const citation = load(text("CITATION.cff"), { schema: CORE_SCHEMA }) as {
  [member: string]: unknown;
  references: { title: string; authors: { "family-names": string }[] }[];
};

test("the citation is of this package and version", () => {
  const { name, version, description, license, keywords } = manifest;
  expect(citation).toMatchObject({
    title: name,
    version,
    abstract: description,
    license,
    keywords,
  });
  expect(citation["cff-version"]).toBe("1.2.0");
});

test("both papers that README names are cited, by their first authors", () => {
  const readme = text("README.md").replace(/\s+/g, " ");
  expect(citation.references).toHaveLength(2);
  for (const { title, authors } of citation.references) {
    expect(readme).toContain(`"${title}"`);
    expect(readme).toMatch(new RegExp(`${authors[0]!["family-names"]}(,| et al.)`));
  }
});
