/**
 * What is in the tarball: all that the export map names, nothing a user has no use for; and that
 * publint and are-the-types-wrong find nothing to say about it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { thoroughTest } from "../thorough.js";
import { built, installPacked, manifest, pack, root, type Tarball } from "./packed.js";

describe.skipIf(!built)("the packed tarball (skipped where dist/ is not built)", () => {
  let tarball: Tarball;
  let folder: string;
  let paths: Set<string>;
  beforeAll(() => {
    const scratch = temporaryFolder();
    tarball = pack(scratch);
    mkdirSync(join(scratch, "project"));
    folder = installPacked(tarball, join(scratch, "project"));
    paths = new Set(tarball.files.map(({ path }) => path));
  });

  test("holds the built files, six documents and the deployment of a server, and no source, test, map or build stamp", () => {
    const documents = [...paths].filter((path) => !/^(dist|deploy)\//.test(path));
    expect(documents.sort()).toEqual([
      "CHANGELOG.md",
      "CITATION.cff",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "package.json",
    ]);
    const odd = [...paths].filter(
      (path) =>
        path.startsWith("dist/") && !/\.(js|d\.ts|wasm|d\.wasm\.ts|licenses\.txt)$/.test(path),
    );
    expect(odd).toEqual([]);
  });

  test("every target of exports, imports and bin is in it", () => {
    const targets = [manifest.exports, manifest.imports, { "mp-mtl": manifest.bin }].flatMap(
      (map) =>
        Object.values(map).flatMap((entry) =>
          typeof entry === "string" ? entry : Object.values(entry),
        ),
    );
    const missing = targets
      .map((target) => target.replace(/^\.\//, ""))
      .filter((path) => !paths.has(path));
    expect(missing).toEqual([]);
    expect(targets.length).toBeGreaterThan(12);
  });

  test("the command is executable and begins with a shebang", () => {
    const path = manifest.bin["mp-mtl"]!.replace(/^\.\//, "");
    const { mode } = tarball.files.find((file) => file.path === path)!;
    expect(mode & 0o111).toBe(0o111);
    expect(readFileSync(join(folder, path), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test("the bytes of the kernels are in these files only", () => {
    const kernels = readFileSync(join(folder, "dist/kernels.wasm"))
      .toString("base64")
      .slice(0, 4000);
    const carriers = [...paths].filter((path) =>
      readFileSync(join(folder, path), "latin1").includes(kernels),
    );
    expect(carriers.sort()).toEqual(["dist/core/builds/packed-bytes.js", "dist/mp-mtl.browser.js"]);
  });

  thoroughTest("publint finds nothing", async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true });
    expect(messages).toEqual([]);
  });

  thoroughTest("are the types wrong? finds nothing for ESM", () => {
    const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const args = [attw, tarball.path, "--profile", "esm-only", "--format", "ascii", "--no-emoji"];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status, stdout).toBe(0);
    for (const entry of Object.keys(manifest.exports)) {
      expect(stdout).toContain(`"${join("mp-mtl", entry).replaceAll("\\", "/")}"`);
    }
  });
});
