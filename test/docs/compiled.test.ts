/**
 * The JavaScript of README, guide and the pages for data, as a strict TypeScript project compiles it, with a bundler's and
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

const pages = [
  ...["README.md", "docs/GUIDE.md", "docs/EXAMPLE.md", "docs/DATA.md", "docs/FAQ.md"],
  "docs/METHODS-AVERAGING.md",
];

describe.skipIf(!built || !thorough)(`code of the documents ${LEFT_OUT}`, () => {
  let project: string;
  const files: string[] = [];
  beforeAll(() => {
    project = temporaryFolder();
    installPacked(pack(temporaryFolder()), project);
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    for (const page of pages) {
      for (const { language, code, line } of blocksOf(page)) {
        if (language !== "js") continue;
        const file = `${page.replace(/\W+/g, "-")}-line-${line}.ts`;
        writeFileSync(join(project, file), `${code}\nexport {};\n`);
        files.push(file);
      }
    }
  });

  test.each([
    ["NodeNext", "NodeNext"],
    ["ESNext", "Bundler"],
  ])("module %s, resolution %s", (module, moduleResolution) => {
    expect(files.length).toBeGreaterThan(4);
    const compilerOptions = {
      ...{
        target: "ES2022",
        lib: ["ES2023", "DOM", "DOM.AsyncIterable"],
        module,
        moduleResolution,
      },
      ...{ strict: true, noEmit: true, types: ["node"] },
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
    expect(stdout).toBe("");
  });
});
