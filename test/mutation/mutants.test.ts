import { describe, expect, test } from "vitest";
import { mutantsOf, mutated } from "./mutants.js";
import { SCOPES, sourcesOf, testsFor } from "./scope.js";

const changes = (text: string) =>
  mutantsOf("a.ts", text).map((mutant) => [mutant.original, mutant.replacement]);

describe("the faults of a text", () => {
  test("are operators, numbers, conditions, branches, statements", () => {
    expect(changes("const f = (a: number) => a + 1;")).toEqual([["+", "-"], ["1", "2"]]); // prettier-ignore
    expect(changes("x < y")).toContainEqual(["<", "<="]);
    expect(changes("x < y")).toContainEqual(["<", ">="]);
    expect(changes("if (ready) go();")).toEqual([["ready", "true"], ["ready", "false"], ["go();", ";"]]); // prettier-ignore
    expect(changes("const z = a ?? 3e-9;")).toContainEqual(["3e-9", "(2 * 3e-9)"]);
    expect(changes("const z = c ? !a : -b;")).toEqual([
      ["c ? !a : -b", "(!a)"],
      ["c ? !a : -b", "(-b)"],
      ["!a", "(a)"],
      ["-b", "(b)"],
    ]);
    expect(changes("const s = list.sort();")).toEqual([["list.sort()", "list"]]);
  });

  test("are none in types, imports, and the words of errors", () => {
    expect(changes('import { a } from "./b.js"; type T = 1 | 2; let x: 3 | 4;')).toEqual([]);
    expect(changes("throw new Error(`at ${a + 1}`);")).toHaveLength(1);
    expect(changes('const words = "a" + b;')).toEqual([]);
  });

  test("change the text where they say, and nothing else", () => {
    const text = "const f = (a: number) =>\n  a + 1;";
    const [plus] = mutantsOf("a.ts", text);
    expect(plus).toMatchObject({ file: "a.ts", line: 2 });
    expect(mutated(text, plus!)).toBe("const f = (a: number) =>\n  a - 1;");
  });
});

test("every file in scope has faults to plant, and tests that look for them", () => {
  for (const scope of SCOPES) {
    const files = sourcesOf(scope);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const tests = testsFor(scope, file, new Map());
      expect(new Set(tests).size).toBe(tests.length);
      expect(tests.length).toBeGreaterThan(3);
    }
  }
  const [first] = testsFor(SCOPES[1]!, "src/learning/round/statistic.ts", new Map());
  expect(first).toBe("test/learning/round/statistic.test.ts");
});
