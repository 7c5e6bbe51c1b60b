import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { OptionError } from "../../../src/core/errors.js";
import {
  checkDirectory,
  writeDirectoryAtomically,
  writeFileAtomically,
} from "../../../src/node/files/write-atomically.js";
import { temporaryFolder } from "../../temporary.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
const read = (name: string) => readFileSync(join(folder, name), "utf8");

describe("writeFileAtomically", () => {
  test("writes, replaces, makes parents, and leaves nothing else", async () => {
    await writeFileAtomically(join(folder, "a/b/c.txt"), "one");
    await writeFileAtomically(join(folder, "a/b/c.txt"), Uint8Array.of(50));
    expect(read("a/b/c.txt")).toBe("2");
    expect(readdirSync(join(folder, "a/b"))).toEqual(["c.txt"]);
  });

  test("says why it cannot", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(writeFileAtomically(join(folder, "file/x"), "")).rejects.toThrow(OptionError);
    await expect(writeFileAtomically(folder, "")).rejects.toThrow(
      "cannot be written: this is a directory, expected a file.",
    );
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test.skipIf(process.platform === "win32")(
    "secrets are for their owner, whatever was there before",
    async () => {
      const mode = (name: string) => statSync(join(folder, name)).mode & 0o777;
      writeFileSync(join(folder, "file"), "old", { mode: 0o644 });
      await writeFileAtomically(join(folder, "file"), "new", { secret: true });
      expect(mode("file")).toBe(0o600);
      await writeDirectoryAtomically(join(folder, "model"), { a: "1" }, { secret: true });
      expect([mode("model"), mode("model/a")]).toEqual([0o700, 0o600]);
    },
  );

  test("of several writes of one path at once each is whole, and one of them stays", async () => {
    const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(200_000));
    await Promise.all(contents.map((content) => writeFileAtomically(join(folder, "f"), content)));
    expect(contents).toContain(read("f"));
    expect(readdirSync(folder)).toEqual(["f"]);
  });

  test("a failed write keeps what was there", async () => {
    writeFileSync(join(folder, "file"), "old");
    await expect(
      writeFileAtomically(join(folder, "file"), Symbol("not content") as never),
    ).rejects.toThrow();
    expect(read("file")).toBe("old");
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});

describe("writeDirectoryAtomically", () => {
  const path = () => join(folder, "model");

  test("writes all files; an earlier run's are replaced as a whole", async () => {
    await writeDirectoryAtomically(path(), { "a.json": "1", "b.bin": Uint8Array.of(1, 2) });
    await writeDirectoryAtomically(path(), { "a.json": "3", "b.bin": "4" });
    expect(read("model/a.json")).toBe("3");
    expect(read("model/b.bin")).toBe("4");
    expect(readdirSync(folder)).toEqual(["model"]);
  });

  test("fills an empty directory", async () => {
    mkdirSync(path());
    await writeDirectoryAtomically(path(), { "a.json": "1" });
    expect(readdirSync(path())).toEqual(["a.json"]);
  });

  test("a failed write leaves neither a new directory nor a changed old one", async () => {
    const broken = { "a.json": "1", "b.bin": Symbol("not content") as never };
    await expect(writeDirectoryAtomically(path(), broken)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
    await writeDirectoryAtomically(path(), { "a.json": "old", "b.bin": "old" });
    await expect(writeDirectoryAtomically(path(), broken)).rejects.toThrow();
    expect(read("model/a.json")).toBe("old");
    expect(readdirSync(folder)).toEqual(["model"]);
  });

  test.skipIf(process.platform === "win32")(
    "the old directory comes back where the new one cannot take its place",
    async () => {
      await writeDirectoryAtomically(path(), { "a.json": "old" });
      const vanishing = async function* () {
        yield await Promise.resolve(Uint8Array.of(1));
        const part = readdirSync(folder).find((name) => name.startsWith(".model."));
        rmSync(join(folder, part!), { recursive: true });
      };
      await expect(writeDirectoryAtomically(path(), { "a.json": vanishing() })).rejects.toThrow();
      expect(read("model/a.json")).toBe("old");
      expect(readdirSync(folder)).toEqual(["model"]);
    },
  );

  test("does not touch a directory with other files, nor the current one, nor a file", async () => {
    mkdirSync(path());
    writeFileSync(join(path(), "thesis.tex"), "");
    await expect(writeDirectoryAtomically(path(), { "a.json": "1" })).rejects.toThrow(
      'holds other files ("thesis.tex"); name a new or empty directory.',
    );
    expect(readdirSync(path())).toEqual(["thesis.tex"]);
    await expect(checkDirectory(".", [])).rejects.toThrow(". is the current directory");
    await expect(checkDirectory(join(path(), "thesis.tex"), [])).rejects.toThrow(
      "cannot be written: a file is in the way.",
    );
    await expect(checkDirectory(join(path(), "thesis.tex/x"), [])).rejects.toThrow(
      "a part of the path is a file",
    );
    await checkDirectory(join(folder, "new"), []);
  });
});
