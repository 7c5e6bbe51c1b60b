/**
 * The package with nothing else installed: what a script, a page or the command line needs of it.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { built, manifest, pack, unpack } from "./packed.js";

describe.skipIf(!built)("the package alone (needs npm run build)", () => {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-alone-"));
  beforeAll(() => {
    unpack(pack(folder), folder);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const program = (...args: string[]) =>
    node(join(folder, "node_modules/mp-mtl/dist/cli/main.js"), ...args);

  test("brings no package", () => {
    expect(manifest.dependencies).toBeUndefined();
    const optional = Object.entries(manifest.peerDependenciesMeta);
    expect(optional.map(([name]) => name)).toEqual(Object.keys(manifest.peerDependencies));
    expect(optional.every(([, { optional }]) => optional)).toBe(true);
  });

  // process.features.require_module: Node 20.19, 22.12 and newer.
  const required = (process.features as { require_module?: boolean }).require_module === true;
  test.skipIf(!required)("every entry point can be required (skipped in older Node)", () => {
    const names = Object.keys(manifest.exports)
      .filter((path) => !/json$|wasm$|nats$/.test(path))
      .map((path) => join("mp-mtl", path).replaceAll("\\", "/"));
    const script = `
      for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(require(name)).length > 0);
      const { MpLowRank, simulate } = require("mp-mtl");
      const { train } = simulate({ pattern: "low-rank", tasks: 8, features: 3, samples: 5, seed: 1 });
      new MpLowRank({ epsilon: 1, rounds: 2 }).fit(train).then((model) => console.log(model.guarantee.epsilon));`;
    writeFileSync(join(folder, "script.cjs"), script);
    const { stdout, stderr } = node("script.cjs");
    expect(stdout, stderr).toBe([...names.map((name) => `${name} true`), "1\n"].join("\n"));
  });

  test("fits in a script, with federation simulated", () => {
    const script = `
      import { MpLowRank, simulate } from "mp-mtl";
      import "mp-mtl/federation";
      import "mp-mtl/node";
      const { train } = simulate({ pattern: "low-rank", tasks: 8, features: 3, samples: 5, seed: 1 });
      const model = await new MpLowRank({ epsilon: 1, rounds: 2 }).fit(train);
      console.log(model.guarantee.epsilon);`;
    writeFileSync(join(folder, "script.js"), script);
    const { stdout, stderr } = node("script.js");
    expect(stderr).toBe("");
    expect(stdout).toBe("1\n");
  });

  test("reads a table, fits and reports from the command line", () => {
    const rows = Array.from({ length: 40 }, (_, k) => `t${k % 8},${k % 7},${k % 3},${k % 5}`);
    writeFileSync(join(folder, "data.csv"), ["task,a,b,y", ...rows].join("\n"));
    const data = ["--data", "data.csv", "--task", "task", "--target", "y"];
    const fitted = program(
      "fit",
      ...data,
      "--method",
      "mp-low-rank",
      "--epsilon",
      "1",
      "--feature-bound",
      "9",
      "--out",
      "m",
    );
    expect(fitted.status, fitted.stderr).toBe(0);
    const reported = program("report", "--model", "m", "--out", "report.html");
    expect(reported.status, reported.stderr).toBe(0);
    expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("<svg");
  });

  test("says what to install where a feature needs more", () => {
    const script = `
      import { connectNats } from "mp-mtl/node";
      await connectNats(["nats://127.0.0.1:1"]).catch((error) => console.log(error.message));`;
    writeFileSync(join(folder, "nats.js"), script);
    expect(node("nats.js").stdout).toMatch(/NATS need.*npm install @nats-io\/nats-core/);
  });

  test("reads Parquet", () => {
    writeFileSync(join(folder, "data.parquet"), "PAR1 and more PAR1");
    const read = program("inspect", "--data", "data.parquet", "--task", "task");
    expect(read.stderr).toContain("data.parquet is not a Parquet file that can be read");
  });
});
