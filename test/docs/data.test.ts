/**
 * The code of docs/DATA.md runs as printed.
 */
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import * as library from "../../src/index.js";

test("the example of docs/DATA.md", async () => {
  const page = readFileSync(new URL("../../docs/DATA.md", import.meta.url), "utf8");
  const code = /```js\n([\s\S]*?)```/.exec(page)![1]!;
  const names = /import \{ (.*) \} from "mp-mtl";/.exec(code)![1]!;
  const body = code.replace(/import .*\n/, "");
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const run = new Function(
      "library",
      `return (async () => { const { ${names} } = library; ${body} })()`,
    ) as (of: typeof library) => Promise<void>;
    await run(library);
    const [features, prediction] = log.mock.calls[0] as [string[], Float64Array];
    expect(features).toEqual(["age", "ward=med", "ward=surg", "ward=ped", "ward=missing"]);
    expect(prediction.every(Number.isFinite)).toBe(true);
    expect(prediction.length).toBe(1);
    expect(log.mock.calls[1]).toEqual([[], []]);
  } finally {
    log.mockRestore();
  }
});
