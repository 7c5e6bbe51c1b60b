/**
 * What the entry points pull in: the core one nothing but seedrandom, the privacy one no WebAssembly.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

/** Files and packages reached by static imports from an entry of dist/. */
function reachable(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    const text = readFileSync(path, "utf8");
    for (const [, specifier] of text.matchAll(
      /^(?:import|export)\b(?:[^"'=;]*\bfrom)?\s*"([^"]+)";/gm,
    )) {
      if (specifier === "#kernels") visit(join(dist, "core/builds/packed-bytes.js"));
      else if (specifier!.startsWith(".")) visit(join(dirname(path), specifier!));
      else packages.add(specifier!);
    }
  };
  visit(join(dist, entry));
  return { files: new Set([...files].map((path) => relative(dist, path))), packages };
}

describe.skipIf(!existsSync(dist))("entry points (skipped where dist/ is not built)", () => {
  test("mp-mtl needs nothing but seedrandom", () => {
    const { packages } = reachable("index.js");
    expect([...packages]).toEqual(["seedrandom"]);
  });

  test("mp-mtl/privacy needs nothing, and no WebAssembly", () => {
    const { files, packages } = reachable("privacy/index.js");
    expect([...packages]).toEqual([]);
    expect(
      [...files].filter((file) =>
        /^(core\/(builds|bytes|load|core|kernels)|random\/|learning\/)/.test(file),
      ),
    ).toEqual([]);
  });

  test("mp-mtl/federation needs seedrandom and the hashes, ciphers and curves of noble", () => {
    const { packages } = reachable("federation/index.js");
    const strange = [...packages].filter((name) => !/^(seedrandom|@noble\/)/.test(name));
    expect(strange).toEqual([]);
  });

  test("mp-mtl/linalg needs seedrandom only", () => {
    expect([...reachable("linalg.js").packages]).toEqual(["seedrandom"]);
  });

  test("the command line's help needs no method, and accounting no learning", () => {
    const inward = (entry: string) =>
      [...reachable(entry).files].filter((file) => /^(learning|federation|linalg)\//.test(file));
    expect(inward("cli/main.js")).toEqual([]);
    expect(inward("cli/commands/account.js")).toEqual([]);
  });
});
