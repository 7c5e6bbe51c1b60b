/**
 * Node 20.11 (the oldest that is promised), 22 and 24, Deno and Bun: the same seed gives the same bits.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { absent, commandOf } from "./available.js";
import { reference, runFits } from "./reference.js";

const scratch = inject("scratch");

describe.each(["node20", "node22", "node24", "deno", "bun"])("%s", (host) => {
  const command = commandOf(host);
  const note = absent(command, host);

  test.skipIf(!command)(`gives the same bits${note}`, async () => {
    expect(await runFits(command!, scratch)).toEqual(await reference(scratch));
  });

  test.skipIf(!command)(`gives the same bits with the scalar build${note}`, async () => {
    const expected = await reference(scratch, "scalar");
    expect(expected.build).toBe("scalar");
    expect(await runFits(command!, scratch, "scalar")).toEqual(expected);
  });

  if (host === "node20") {
    test.skipIf(!command)(`refuses the relaxed build, which it lacks, by name${note}`, async () => {
      await expect(runFits(command!, scratch, "relaxed")).rejects.toThrow(
        /HostError: This host has no WebAssembly relaxed SIMD/,
      );
    });
  } else {
    test.skipIf(!command)(`runs the relaxed build${note}`, async () => {
      const { build, digests } = await runFits(command!, scratch, "relaxed");
      expect(build).toBe("relaxed");
      expect(Object.keys(digests)).toEqual(Object.keys((await reference(scratch)).digests));
      // The last bits are the host's own, but a second run repeats them.
      expect((await runFits(command!, scratch, "relaxed")).digests).toEqual(digests);
    });
  }
});

describe("the command line of the installed package", () => {
  test.each(["node20", "node22", "node24"])("%s", (host) => {
    const [node] = commandOf(host) ?? [process.execPath];
    const cli = join(scratch, "node_modules/mp-mtl/dist/cli/main.js");
    const flags = ["--mechanism", "gaussian", "--rounds", "3", "--epsilon", "1", "--delta", "1e-5"];
    const text = execFileSync(node, [cli, "account", ...flags, "--json"], { encoding: "utf8" });
    expect(JSON.parse(text)).toMatchObject({ epsilon: 1 });
  });
});
