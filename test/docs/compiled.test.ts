/**
 * The JavaScript of README, guide and other pages, as a strict TypeScript project compiles it, with a bundler's and
 * with Node's resolution.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { built, installPacked, pack, root } from "../package/packed.js";
import { temporaryFolder } from "../temporary.js";
import { blocksOf } from "./code-blocks.js";
import { LEFT_OUT, thorough } from "../thorough.js";

/** Pages, and what many projects ask for beyond `strict`; arithmetic on arrays needs marks for it that are no JavaScript. */
const projects = [
  ["README.md docs/GUIDE.md docs/EXAMPLE.md docs/DATA.md docs/FAQ.md docs/VERIFIED-SUMS.md", true],
  ["docs/METHODS-AVERAGING.md", false],
] as const;

describe.skipIf(!built || !thorough)(`code of the documents ${LEFT_OUT}`, () => {
  let project: string;
  beforeAll(() => {
    project = temporaryFolder();
    installPacked(pack(temporaryFolder()), project);
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  });

  const kinds = [
    ["NodeNext", "NodeNext"],
    ["ESNext", "Bundler"],
  ] as const;
  // How modules are found is the same for every page: the second kind is of the first ones alone.
  const cases = kinds.flatMap(([module, resolution], k) =>
    projects
      .slice(0, projects.length - k)
      .map(([pages, checked]) => [module, resolution, pages, checked] as const),
  );
  test.each(cases)(
    "module %s, resolution %s: %s",
    (module, moduleResolution, pages, noUncheckedIndexedAccess) => {
      const files = pages.split(" ").flatMap((page) =>
        blocksOf(page).flatMap(({ language, code, line }) => {
          if (language !== "js") return [];
          const file = `${page.replace(/\W+/g, "-")}-line-${line}.ts`;
          writeFileSync(join(project, file), `${code}\nexport {};\n`);
          return [file];
        }),
      );
      expect(files.length).toBeGreaterThanOrEqual(pages.split(" ").length);
      const compilerOptions = {
        target: "ES2022",
        lib: ["ES2023", "DOM", "DOM.AsyncIterable"],
        module,
        moduleResolution,
        strict: true,
        noUncheckedIndexedAccess,
        noEmit: true,
        types: ["node"],
        // Declarations themselves, which take most of the time, are checked by test/package/types.test.ts.
        skipLibCheck: true,
        typeRoots: [join(root, "node_modules/@types")],
      };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const { stdout } = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
      expect(stdout).toBe("");
    },
  );
});
