/**
 * Two fits into one `--out`: neither model, nor the ledger in it, is lost.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ModelPlace } from "../../../src/cli/fitted/model-place.js";
import { main } from "../../../src/cli/run.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

describe("two private fits into one directory", () => {
  let folder: string;
  let out: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    out = join(folder, "models", "model");
    const size = ["--pattern", "low-rank", "--tasks", "5", "--features", "3"];
    await main(["simulate", ...size, "--seed", "1", "--out", join(folder, "data")], testIo());
  });

  const epsilonIn = (place: string) =>
    (
      JSON.parse(readFileSync(join(place, "model-card.json"), "utf8")) as {
        guarantee: { epsilon: number };
      }
    ).guarantee.epsilon;

  /** @param meanwhile called once, after the start and before anything is spent. */
  async function fit(epsilon: number, meanwhile?: () => void, place = out) {
    const io = testIo();
    let told = false;
    const stderr = (text: string) => {
      if (!told) meanwhile?.();
      told = true;
      io.stderr(text);
    };
    const table = ["--data", join(folder, "data", "train.csv"), "--task", "task", "--target", "y"];
    const method = ["--method", "mp-low-rank", "--rounds", "2", "--epsilon", String(epsilon)];
    const code = await main(["fit", ...table, ...method, "--out", place], { ...io, stderr });
    return { code, err: io.err(), out: io.out() };
  }

  test("at once: the second is refused at its start, before it spends", async () => {
    // As a fit under way has it.
    const first = await ModelPlace.hold(out);
    const { code, err } = await fit(2);
    expect(code).not.toBe(0);
    expect(err).toMatch(
      /\.models-model\.mp-mtl\.lock: process \d+ has a fit under way whose model goes to .*model; name another --out/,
    );
    expect(err).not.toMatch(/before anything is spent/);
    expect(existsSync(out)).toBe(false);
    first.close();
    expect((await fit(1)).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["data", "models"]);
    expect(readdirSync(join(folder, "models"))).toEqual(["model"]);
  });

  test("one after the other: the place is free again", async () => {
    await fit(1);
    expect(await fit(2)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/holds a private model/),
    });
    expect(epsilonIn(out)).toBe(2);
  });

  test("unseen by one another: the later model goes beside, and its report says where", async () => {
    const other = join(folder, "other");
    expect((await fit(3, undefined, other)).code).toBe(0);
    const later = await fit(1, () => cpSync(other, out, { recursive: true }));
    expect(later.code).toBe(0);
    expect(later.err).toMatch(
      /another command wrote to .*model meanwhile.*this model is in .*model-2$/m,
    );
    expect(later.out).toContain(`model written to ${out}-2`);
    expect([epsilonIn(out), epsilonIn(`${out}-2`)]).toEqual([3, 1]);
  });

  test("a lock taken over: whoever lost it writes beside", async () => {
    const lock = join(folder, ".models-model.mp-mtl.lock");
    const { err } = await fit(1, () => {
      expect(existsSync(lock)).toBe(true);
      writeFileSync(lock, JSON.stringify({ token: "of another machine" }));
    });
    expect(err).toMatch(/or is about to/);
    expect([existsSync(out), epsilonIn(`${out}-2`)]).toEqual([false, 1]);
    expect(existsSync(lock)).toBe(true);
  });
});
