/**
 * The README's code is what a newcomer tries first: it must run.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import * as library from "../../src/index.js";

const readme = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");

function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readme);
  if (!found) throw new Error(`README.md has no ${language} block`);
  return found[1]!;
}

test("the README opens with the two commands", () => {
  const [first, second] = block("sh").split("\n");
  expect(readme.indexOf("npm start")).toBeLessThan(700);
  expect([first!.split(/\s+#/)[0], second!.split(/\s+#/)[0]]).toEqual(["npm start", "npm test"]);
});

test("the library example runs as printed", async () => {
  const code = block("js");
  const names = /import \{ (.*) \} from "mp-mtl";/.exec(code)![1]!;
  const body = code.replace(/import .*\n/, "");
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const run = new Function(
      "library",
      `return (async () => { const { ${names} } = library; ${body} return bytes; })()`,
    );
    const bytes = (await (run as (of: typeof library) => Promise<Uint8Array>)(
      library,
    )) as Uint8Array;
    const [prediction, epsilon] = log.mock.calls[0] as [Float64Array, number];
    expect(Number.isFinite(prediction[0])).toBe(true);
    expect(epsilon).toBe(1);
    expect(library.loadModel(bytes).taskNames).toEqual(["school-1", "school-2", "school-3"]);
  } finally {
    log.mockRestore();
  }
});
