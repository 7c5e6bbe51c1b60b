import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

describe("a model that cannot be written once it is fitted", () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    const size = ["--pattern", "low-rank", "--tasks", "5", "--features", "3"];
    await main(["simulate", ...size, "--seed", "1", "--out", folder], testIo());
  });

  async function fit(...more: string[]) {
    const io = testIo();
    const parent = join(folder, "models");
    // What is said before anything is spent comes after the check of --out: then a file gets in the way.
    const stderr = (text: string) => {
      if (!existsSync(parent)) writeFileSync(parent, "");
      io.stderr(text);
    };
    const table = ["--data", join(folder, "train.csv"), "--task", "task", "--target", "y"];
    const method = ["--method", "mp-low-rank", "--rounds", "2", "--epsilon", "1"];
    const out = ["--out", join(parent, "model")];
    const code = await main(["fit", ...table, ...method, ...out, ...more], { ...io, stderr });
    return { code, err: io.err(), out: io.out() };
  }

  test("is said to be lost", async () => {
    const { code, err, out } = await fit();
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(/^before anything is spent: /);
    expect(err).toMatch(/^the model is lost: .* with --journal DIR the same command goes on/m);
    expect(err).toMatch(/models.model cannot be written: a part of the path is a file/);
  });

  test("is not lost where there is a journal", async () => {
    const { err } = await fit("--journal", join(folder, "journal"));
    expect(err).not.toContain("lost");
    expect(err).toMatch(/the same command goes on from there and spends nothing twice/);
  });
});
