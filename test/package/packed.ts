/**
 * The package as npm would publish it: `npm pack` of the built tree, unpacked into a project.
 * @module
 */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Tests of the packed tarball need `npm run build` to have been run. */
export const built = existsSync(join(root, "dist/.built"));

/** What `npm pack` says of the tarball. */
export interface Tarball {
  readonly path: string;
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly mode: number;
  }[];
}

let packed: Tarball | undefined;

/** Where processes of one run of tests find what another of them packed; none outside of `vitest.config.ts`. */
const runFolder = process.env["MP_MTL_RUN_FOLDER"];

/** The tree as it is built, packed into `folder`; what `npm pack` makes of it once a run, or twice where two processes ask at once. */
export function pack(folder: string): Tarball {
  packed ??= packNow();
  const { path, filename } = packed;
  copyFileSync(path, join(folder, filename));
  return { ...packed, path: join(folder, filename) };
}

function packNow(): Tarball {
  const kept = runFolder && join(runFolder, "packed.json");
  if (kept && existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8")) as Tarball;
  const folder = mkdtempSync(join(runFolder ?? tmpdir(), "mp-mtl-packed-"));
  if (!runFolder) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const text = execFileSync(npm, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [said] = JSON.parse(text) as Omit<Tarball, "path">[];
  const tarball = { ...said!, path: join(folder, said!.filename) };
  if (kept) {
    const whole = join(folder, "packed.json");
    writeFileSync(whole, JSON.stringify(tarball));
    renameSync(whole, kept);
  }
  return tarball;
}

export interface Manifest {
  readonly sideEffects: boolean;
  readonly exports: Record<string, Record<string, string> | string>;
  readonly imports: Record<string, Record<string, string>>;
  readonly bin: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { readonly optional: boolean }>;
}

export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

/** Makes `folder` a project with the packed package and nothing else. @returns its modules' folder. */
export function unpack({ path }: Tarball, folder: string): string {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  execFileSync("tar", ["xzf", path, "-C", modules]);
  renameSync(join(modules, "package"), join(modules, "mp-mtl"));
  return modules;
}

/**
 * Makes `folder` a project that depends on the packed package: its files, and links to what is
 * installed here, so that no network is needed.
 * @returns the package's folder.
 */
export function installPacked(tarball: Tarball, folder: string): string {
  const modules = unpack(tarball, folder);
  const installed = join(root, "node_modules");
  for (const name of readdirSync(installed).filter((entry) => !entry.startsWith("."))) {
    symlinkSync(join(installed, name), join(modules, name), "junction");
  }
  return join(modules, "mp-mtl");
}
