/** Which modules `npm test` takes from the build, and that it takes none that is out of date. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { checkNames } from "../src/core/messages/known-names.js";
import { builtModule, requireFresh, wantsBuilt } from "./built-modules.js";
import { temporaryFolder } from "./temporary.js";

test("modules of src/, from wherever they are imported, and nothing else", () => {
  const built = (path: string) => resolve("build/modules", path);
  const importer = resolve("test/privacy/delta.test.ts");
  expect(builtModule("../../src/privacy/ledger/ledger.js", importer)).toBe(
    built("privacy/ledger/ledger.js"),
  );
  expect(builtModule("./data.js", resolve("src/core/a.ts"))).toBe(built("core/data.js"));
  for (const other of ["../temporary.js", "vitest", "node:fs", "../../src/privacy/words.json"]) {
    expect(builtModule(other, importer)).toBeUndefined();
  }
  expect(builtModule("../../src/privacy/ledger/ledger.js", undefined)).toBeUndefined();
});

test.skipIf(!wantsBuilt())(
  "the test runner compiles none of them anew (skipped on sources)",
  () => {
    // Of what it compiles every mention of an import is a member of that module.
    expect(String(checkNames)).toContain("didYouMean(");
    expect(String(checkNames)).not.toMatch(/__vi_|__vite_/);
  },
);

test("only where they are asked for", () => {
  expect(wantsBuilt({ MP_MTL_MODULES: "built" })).toBe(true);
  expect(wantsBuilt({})).toBe(false);
});

test("a source that is newer than the build is named, and so is a missing build", () => {
  const folder = temporaryFolder();
  const stamp = join(folder, ".built");
  mkdirSync(join(folder, "src", "core"), { recursive: true });
  writeFileSync(join(folder, "src", "core", "a.ts"), "");
  expect(() => requireFresh(join(folder, "src"), stamp)).toThrow(/core.a\.ts is newer/);
  writeFileSync(stamp, "");
  utimesSync(stamp, 2e9, 2e9);
  expect(() => requireFresh(join(folder, "src"), stamp)).not.toThrow();
});
