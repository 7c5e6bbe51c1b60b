/**
 * The sources as modules of their own, in one of which a fault is planted: Node loads them as they are, so that a test file takes little
 * more than its tests.
 * @module
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { build, transformSync } from "esbuild";
import { mutated, type Mutant } from "./mutants.js";

const OPTIONS = {
  format: "esm",
  target: "es2022",
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
} as const;

/** Where the modules of a process are; whoever ends it removes them. */
export const plantedFolder = (pid: number) =>
  join(process.cwd(), "build", `mutation-modules.${pid}`) + sep;

/** Where the module of a source is. */
export const modulePath = (folder: string, file: string) =>
  folder + file.replace(/^src\/(.*)\.ts$/, "$1.js");

/** Modules of src/ in a folder. */
export class Planting {
  readonly #folder: string;
  #before: { readonly path: string; readonly code: string } | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes all of them, without a fault. */
  static async into(folder: string): Promise<Planting> {
    rmSync(folder, { recursive: true, force: true });
    await build({
      ...OPTIONS,
      entryPoints: readdirSync("src", { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts") && !/\.d\.(\w+\.)?ts$/.test(path))
        .map((path) => join("src", path)),
      outbase: "src",
      outdir: folder,
      logLevel: "error",
    });
    return new Planting(folder);
  }

  /** Takes the fault out that is planted, and plants another; null plants none. */
  plant(mutant: Mutant | null): void {
    if (this.#before) writeFileSync(this.#before.path, this.#before.code);
    this.#before = undefined;
    if (!mutant) return;
    const path = modulePath(this.#folder, mutant.file);
    this.#before = { path, code: readFileSync(path, "utf8") };
    writeFileSync(path, codeOf(mutated(readFileSync(mutant.file, "utf8"), mutant)));
  }
}

/** What is no program fails where it is loaded. */
function codeOf(text: string): string {
  try {
    return transformSync(text, { ...OPTIONS, loader: "ts" }).code;
  } catch {
    return 'throw new SyntaxError("planted");';
  }
}
