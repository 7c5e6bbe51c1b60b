/**
 * The built program as a process: what only a process shows. The rest is tested through `main`.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { someOf, thoroughTest } from "../thorough.js";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Runs the program; `interruptAt`: interrupts it once standard error holds this, with `signal`. */
function run(
  args: string[],
  interruptAt?: string,
  signal: NodeJS.Signals = "SIGINT",
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args]);
    let out = "";
    let err = "";
    let interrupted = false; // a second interrupt would end it at once
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
      if (interruptAt === undefined || interrupted || !err.includes(interruptAt)) return;
      interrupted = child.kill(signal);
    });
    child.on("close", (code) => {
      resolve({ code, out, err });
    });
  });
}

describe.skipIf(!existsSync(program))("dist/cli/main.js (skipped where it is not built)", () => {
  test("is executable by name: it begins with an interpreter line", () => {
    expect(readFileSync(program, "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
  });

  test("prints the package's version", async () => {
    const { version } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as { version: string };
    expect(await run(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  test("exits with 2 on a usage error, with nothing on standard output", async () => {
    const { code, out, err } = await run(["simulate", "--patern", "low-rank"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("mp-mtl simulate: unknown option --patern. Did you mean --pattern?");
  });

  test("goes on where nobody listens to standard error any more", async () => {
    const out = join(temporaryFolder(), "results");
    const args = ["evaluate", "--simulate", "low-rank", "--methods", "single-task"];
    const more = [
      "--tasks",
      "8",
      "--replicates",
      "1",
      "--workers",
      "1",
      "--progress",
      "json",
      "--out",
      out,
    ];
    const child = spawn(process.execPath, [program, ...args, ...more]);
    child.stderr.destroy();
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
    expect(existsSync(join(out, "summary.json"))).toBe(true);
  });

  test.skipIf(!existsSync("/dev/full"))("says in a line that its result has no place", async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [program, "--version"], {
      stdio: ["ignore", full, "pipe"],
    });
    let err = "";
    child.stderr!.on("data", (chunk: Buffer) => (err += chunk.toString()));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
    closeSync(full);
    expect(err).toBe("mp-mtl: standard output cannot be written (ENOSPC).\n");
  });

  test("does the work and prints one JSON document", async () => {
    const out = join(temporaryFolder(), "data");
    const args = ["simulate", "--pattern", "group-sparse", "--tasks", "2", "--samples", "2"];
    const result = await run([...args, "--seed", "1", "--out", out, "--json"]);
    expect([result.code, result.err]).toEqual([0, ""]);
    expect(JSON.parse(result.out)).toMatchObject({ pattern: "group-sparse", tasks: 2 });
    expect(existsSync(join(out, "weights.csv"))).toBe(true);
  });

  /** Interrupts a fit of a table in this folder, which is to leave what these options say. */
  async function interrupted(folder: string, signal: NodeJS.Signals, ...kept: string[]) {
    const data = join(folder, "t.csv");
    const values = (k: number) => Array.from({ length: 11 }, (_, j) => Math.sin(k * (j + 1)));
    const rows = Array.from({ length: 200 }, (_, k) => `t${k % 20},${values(k).join()}`);
    writeFileSync(data, [`task,y,${[..."abcdefghij"].join()}`, ...rows].join("\n"));
    const roles = ["--data", data, "--task", "task", "--target", "y", "--method", "mp-low-rank"];
    const long = ["--rounds", "5000", "--feature-bound", "4", "--progress", "json"];
    return run(["fit", ...roles, ...long, ...kept], '"done":', signal);
  }

  // The second is what supervisors and containers send.
  test.each(someOf<NodeJS.Signals>(["SIGINT", "SIGTERM"], 2))(
    "%s ends a fit with 130, and leaves no model",
    async (signal) => {
      const folder = temporaryFolder();
      const { code, out, err } = await interrupted(folder, signal, "--out", join(folder, "model"));
      expect([code, out]).toEqual([130, ""]);
      expect(err).toContain("mp-mtl fit: interrupted.");
      expect(err).not.toContain("goes on from there");
      expect(readdirSync(folder)).toEqual(["t.csv"]);
    },
  );

  thoroughTest(
    "an interrupted fit that keeps a journal says that it goes on from there",
    async () => {
      const folder = temporaryFolder();
      const { code, err } = await interrupted(
        folder,
        "SIGINT",
        "--journal",
        join(folder, "journal"),
      );
      expect(code).toBe(130);
      expect(err).toContain("the same command goes on from there and spends nothing twice");
    },
  );
});
