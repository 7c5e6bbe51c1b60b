/**
 * The code blocks of a page, run as a reader would: in order, in one folder where the package is installed.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../temporary.js";
import { installPacked, pack, root } from "../package/packed.js";

/** A fenced block. */
export interface Block {
  readonly language: string;
  readonly code: string;
  /** 1-based line of the page where the code begins. */
  readonly line: number;
}

/** All fenced blocks of a page of the project. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    code: match[2]!,
    line: text.slice(0, match.index).split("\n").length + 1,
  }));
}

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/**
 * Shell text without the lines that npm would need the network or a clone for; those are checked
 * instead: `npm SCRIPT` names a script there is, `npm install ./FILE` a file that was packed.
 */
function withoutNpm(code: string, tarball: string): string {
  const lines = code.split("\n").filter((line) => {
    const [, word, argument] = /^npm (\S+)(?: (\S+))?/.exec(line) ?? [];
    if (word === undefined) return true;
    const known =
      word === "install" ? tarball === argument : (word === "run" ? argument! : word) in scripts;
    if (!known)
      throw new Error(`${JSON.stringify(line)} is neither a script nor an installation that works`);
    return false;
  });
  return lines.join("\n");
}

/** A folder to run blocks in; returns the runner, which throws with the output of what failed. */
export function openProject(): (block: Block) => Promise<string> {
  const folder = temporaryFolder();
  const tarball = pack(temporaryFolder());
  const installed = installPacked(tarball, folder);
  const bin = join(temporaryFolder(), "bin");
  mkdirSync(bin);
  symlinkSync(join(installed, "dist/cli/main.js"), join(bin, "mp-mtl"));
  // `npx mp-mtl` finds the command without a registry; the rest of npx is not our subject.
  writeFileSync(join(bin, "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const env = { ...process.env, PATH: bin + delimiter + process.env["PATH"] };
  const run = promisify(execFile);
  let modules = 0;
  return async ({ language, code }) => {
    if (language === "sh") {
      const text = withoutNpm(code, `./${tarball.path.split(/[\\/]/).at(-1)!}`);
      return (await run("sh", ["-euc", text], { cwd: folder, env })).stdout;
    }
    const name = join(folder, `block-${++modules}.mjs`);
    writeFileSync(name, code);
    return (await run(process.execPath, [name], { cwd: folder, env })).stdout;
  };
}
