/** No test is left out by a name that nobody looked for: 14 files with tests at a real server once were, for days. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "./package/packed.js";
import { isTest, longFiles, phaseOf, serverFiles, testTexts, thoroughNames } from "./phases.js";

const texts = testTexts();
const tests = [...texts.keys()].filter(isTest);

test("every test file runs in one phase of CI, once: the long ones where all tests are asked for", () => {
  const script = readFileSync(`${root}.ci/run`, "utf8");
  const phases = [
    ...script.matchAll(/^ *MP_MTL_FILES=(\w+) (MP_MTL_TESTS=all )?(?:nice -n \d )?npm test/gm),
  ];
  expect(phases.map(([, files, all]) => [files, all !== undefined])).toEqual([
    ["servers", true],
    ["short", false],
    ["long", true],
  ]);
  expect(script).toMatch(/^ *npm run test:hosts$/m);
  const run = phases.flatMap(([, files]) => Object.values(phaseOf(files)).flat() as string[]);
  expect(run.toSorted()).toEqual(tests);
  expect(Object.values(phaseOf(undefined)).flat().toSorted()).toEqual(tests);
  expect(() => phaseOf("lang")).toThrow('MP_MTL_FILES: expected "short", "long", "servers" or nothing, found "lang"'); // prettier-ignore
});

test("long files that reach the servers are those that begin one, also by helpers of helpers", () => {
  const servers = serverFiles(texts);
  expect(servers).toEqual(expect.arrayContaining(["test/federation/nats/attacks.test.ts", "test/federation/relays/tree-leaf.test.ts", "test/deploy/from-nothing.test.ts"])); // prettier-ignore
  for (const path of servers) expect(texts.get(path), path).toMatch(/nats|leaf|deploy/);
  const direct = longFiles(texts).filter((path) => /\/nats\/server\.js"/.test(texts.get(path)!));
  expect(direct.filter((path) => !servers.includes(path))).toEqual([]);
});

test("files with tests are called so that they run", () => {
  const others = [...texts].filter(([path]) => !isTest(path) && !/^test\/hosts\/[^/]+\.hosts\.ts$/.test(path)); // prettier-ignore
  const withTests = others.filter(([, text]) => /^(?:test|it|describe)\b[^;]*\(/m.test(text));
  expect(withTests.map(([path]) => path)).toEqual([]);
});

test("who speaks of tests that are left out does so by test/thorough.ts, and is a long file or a helper whose users are", () => {
  const found = thoroughNames(texts);
  const long = new Set(longFiles(texts));
  for (const [path, text] of texts) {
    if (path === "test/thorough.ts" || path.startsWith("test/phases")) continue;
    expect(text, path).not.toMatch(/process\.env\b.{0,5}MP_MTL_TESTS/);
    if (!/\/thorough\.js"/.test(text)) continue;
    expect(isTest(path) ? long.has(path) : (found.get(path)?.size ?? 0) > 0, path).toBe(true);
  }
  // Helpers of today, and one that has nothing to do with it beside one that has.
  expect([...(found.get("test/federation/nats/servers/server.ts") ?? [])]).toEqual([
    "describeThoroughNats",
  ]);
  expect([...(found.get("test/privacy/reference.ts") ?? [])]).toEqual(["describePartOfReference"]);
  expect(long.has("test/federation/nats/cluster-faults.test.ts")).toBe(true);
});

test("a helper of a helper counts, under any name, and a comment does not", () => {
  const thorough = "export const thorough = true;\nexport function thoroughTest() {}\n";
  const some = new Map([
    ["test/thorough.ts", thorough],
    ["test/a/one.ts", 'import {\n  thorough,\n} from "../thorough.js";\nconst here = () => thorough;\n\nexport function eleven() {\n  return here();\n}\n/** Not thorough. */\nexport const plain = 2;\n'], // prettier-ignore
    ["test/a/two.ts", 'export * from "./one.js";\nimport { eleven } from "./one.js";\nexport class Twelve {\n  x = eleven();\n}\n'], // prettier-ignore
    ["test/b.test.ts", 'import { Twelve as Some } from "./a/two.js";\n'],
    ["test/c.test.ts", 'import { plain } from "./a/one.js";\nimport { thoroughly } from "./a/two.js";\n'], // prettier-ignore
    ["test/d.test.ts", 'import { eleven } from "./a/two.js";\n'],
    ["test/e.test.ts", 'import * as all from "./a/one.js";\n'],
  ]);
  expect(longFiles(some)).toEqual(["test/b.test.ts", "test/d.test.ts", "test/e.test.ts"]);
});
