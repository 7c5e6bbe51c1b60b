import { describe, expect, test, vi } from "vitest";
import { mutantsOf, mutated } from "./mutants.js";
import { marked, partAt } from "./probes.js";
import { inOrder, SCOPES, sourcesOf, testsOf } from "./scope.js";

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
    expect(changes("const s = a.toString();")).toEqual([]);
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

describe("the parts of a text", () => {
  const text =
    "export function f(a = 2) { if (a > 1) { return [3].map((x) => x + a); } return () => 4; }";

  test("are functions with their parameters, blocks, and arrows", () => {
    const at = (words: string) => partAt("a.ts", text, text.indexOf(words));
    const [whole, block, arrow, other] = ["function", "{ return", "(x)", "()"].map(at);
    expect(new Set([whole, block, arrow, other]).size).toBe(4);
    expect(at("= 2")).toBe(at("a > 1"));
    expect(at("[3]")).toBe(at("return [3]"));
    expect(at("x + a")).toBe(at("(x)"));
    expect(partAt("a.ts", "const a = 1;", 10)).toBe("a.ts:0");
  });

  test("say that they were reached, and do what they did", async () => {
    const reached = new Set<string>();
    vi.stubGlobal("reached", (part: string) => reached.add(part));
    const code = `data:text/javascript,${encodeURIComponent(marked("a.js", text))}`;
    const { f } = (await import(/* @vite-ignore */ code)) as { f: (a?: number) => unknown };
    const part = (words: string) => partAt("a.js", text, text.indexOf(words));
    expect([...reached]).toEqual(["a.js:0"]);
    expect((f(0) as () => number)()).toBe(4);
    expect(reached).toEqual(new Set(["a.js:0", part("a > 1"), part("() => 4")]));
    expect(f()).toEqual([5]);
    expect(reached).toContain(part("x + a"));
    vi.unstubAllGlobals();
  });
});

test("every file in scope has faults to plant, and tests that look for them", () => {
  for (const scope of SCOPES) {
    expect(sourcesOf(scope).length).toBeGreaterThan(4);
    expect(testsOf(scope).length).toBeGreaterThan(10);
    expect(new Set(testsOf(scope)).size).toBe(testsOf(scope).length);
  }
  const reaching = ["curator", "statistic/statistic", "run"].map((name) => ({ test: `test/learning/round/${name}.test.ts`, ms: 5, names: [] })); // prettier-ignore
  const [first] = inOrder(reaching, "src/learning/round/statistic/statistic.ts", new Map());
  expect(first?.test).toBe("test/learning/round/statistic/statistic.test.ts");
});
