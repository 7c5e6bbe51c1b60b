/**
 * What the entry points pull in: the core one no package, the privacy one no WebAssembly.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Files and packages reached by static imports from an entry.
 * @param folder "dist", what is published, or "build/modules", whose files are those of src/.
 */
function reachable(folder: "dist" | "build/modules", entry: string) {
  const top = join(root, folder);
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    const text = readFileSync(path, "utf8");
    for (const [, specifier] of text.matchAll(
      /^(?:import|export)\b(?:[^"'=;]*\bfrom)?\s*"([^"]+)";/gm,
    )) {
      if (specifier === "#kernels") visit(join(top, "core/builds/packed-bytes.js"));
      else if (specifier!.startsWith(".")) visit(join(dirname(path), specifier!));
      else packages.add(specifier!);
    }
  };
  visit(join(top, entry));
  return { files: new Set([...files].map((path) => relative(top, path))), packages };
}

const built = existsSync(join(root, "dist/.built"));

describe.skipIf(!built)("entry points (skipped where dist/ is not built)", () => {
  test("mp-mtl, mp-mtl/linalg and mp-mtl/privacy need no package", () => {
    for (const entry of ["index.js", "linalg.js", "privacy/index.js"]) {
      expect([...reachable("dist", entry).packages], entry).toEqual([]);
    }
  });

  test("mp-mtl/privacy needs no WebAssembly", () => {
    const { files } = reachable("build/modules", "privacy/index.js");
    expect(
      [...files].filter((file) =>
        /^(core\/(builds|bytes|load|core|kernels)|random\/|learning\/)/.test(file),
      ),
    ).toEqual([]);
  });

  test("mp-mtl/federation brings noble's hashes, ciphers and curves along, with their licences", () => {
    expect([...reachable("dist", "federation/index.js").packages]).toEqual([]);
    const licences = readFileSync(join(root, "dist/mp-mtl.licenses.txt"), "utf8");
    for (const part of ["hashes", "ciphers", "curves"])
      expect(licences).toContain(`@noble/${part}`);
  });

  test("the command line's help needs kinds of values only, accounting the plan of releases too", () => {
    const inward = (entry: string) =>
      [...reachable("build/modules", entry).files].filter((file) =>
        /^(learning|federation|linalg)\//.test(file),
      );
    expect(inward("cli/program.js")).toEqual(["learning/options/kinds.js"]);
    const beyond = inward("cli/commands/account.js").filter(
      // The names of losses are a list beside their curvatures.
      (file) => !/^learning\/((options|release|round)\/|tasks\/losses\.js$)/.test(file),
    );
    expect(beyond).toEqual([]);
  });
});
