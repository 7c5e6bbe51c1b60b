/**
 * Every code block of the README, the guide and the questions runs as printed; every link leads somewhere.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { built, root } from "../package/packed.js";
import { blocksOf, openProject } from "./code-blocks.js";
import { someOf, thorough } from "../thorough.js";

const RUN = ["js", "sh"];
const SHOWN = ["text", "json"];
/** The method of its own choice, of as many tasks as a page has: nothing after it needs what it writes. */
const SLOW = /--ranges schema\.json --epsilon 1 --out own/;

describe
  .skipIf(!built || process.platform === "win32")
  .each(
    someOf(
      [
        "README.md",
        "docs/GUIDE.md",
        "docs/FAQ.md",
        "docs/VERIFIED-SUMS.md",
        "docs/METHODS-AVERAGING.md",
      ],
      5,
    ),
  )("%s (skipped where dist/ is not built)", (page) => {
  const blocks = blocksOf(page);

  test("has no block of another kind than those that are run or show output", () => {
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.filter(({ language }) => ![...RUN, ...SHOWN].includes(language))).toEqual([]);
  });

  test("its blocks run, in order", async () => {
    const run = openProject();
    for (const block of blocks.filter(({ language }) => RUN.includes(language))) {
      if (!thorough && SLOW.test(block.code)) continue;
      await run(block).catch((error: unknown) => {
        throw new Error(`${page}, line ${block.line}`, { cause: error });
      });
    }
  }, 240_000);
});

test("a block that fails is noticed", async () => {
  const run = openProject();
  await expect(run({ language: "sh", code: "npx mp-mtl fit", line: 1 })).rejects.toThrow();
  await expect(run({ language: "sh", code: "npm run nothing", line: 1 })).rejects.toThrow(
    "neither",
  );
  await expect(run({ language: "js", code: "throw 1", line: 1 })).rejects.toThrow();
});

test("the README opens with the two commands", () => {
  const [first] = blocksOf("README.md");
  expect(first!.line).toBeLessThan(12);
  expect(first!.code.split("\n").map((line) => line.split(/\s+#/)[0])).toEqual([
    "npm start",
    "npm test",
    "",
  ]);
});

const pages = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`)
  .concat("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md");

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const anchorsOf = (page: string) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    anchorOf(heading!),
  );

test.each(pages)("the links of %s lead to files that exist, and to headings in them", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
  const broken = targets.filter((target) => {
    const [path, anchor] = target.split("#") as [string, string?];
    const file = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).includes(anchor);
  });
  expect(broken).toEqual([]);
});
