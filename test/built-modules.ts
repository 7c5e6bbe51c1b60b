/**
 * Tests on the modules of the build instead of the sources they were compiled from, as `npm test` has it, which builds first. Node
 * loads build/modules/ as it is; of sources the test runner compiles each again, in every process, and looks every mention of an
 * import up on the module that exports it, in loops too. The same tests take a fifth less processor time.
 *
 * Without MP_MTL_MODULES=built tests are of the sources: nothing must be built to try a change.
 * @module
 */
import { readdirSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "src") + sep;
const modules = join(root, "build", "modules") + sep;

/** Where the build has a module of src/; undefined for what is none. @param folder of the modules, with a separator at its end. */
export function builtModule(
  source: string,
  importer: string | undefined,
  folder = modules,
): string | undefined {
  if (importer === undefined || !source.startsWith(".") || !source.endsWith(".js")) {
    return undefined;
  }
  const path = resolve(dirname(importer), source);
  return path.startsWith(sources) ? folder + path.slice(sources.length) : undefined;
}

/** Whether they are asked for. */
export const wantsBuilt = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  environment["MP_MTL_MODULES"] === "built";

/** @throws Error where a source is newer than the build: its tests would be of what it was. */
export function requireFresh(folder = sources, stamp = join(root, "dist", ".built")): void {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newer = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) => {
    const file = statSync(join(folder, path));
    return file.isFile() && file.mtimeMs > built;
  });
  if (newer === undefined) return;
  throw new Error(`MP_MTL_MODULES=built: ${newer} is newer than the build; npm test builds first`);
}

/** For `plugins` of a project of tests. */
export const modulesOf = (folder: string): Plugin => ({
  name: "built-modules",
  enforce: "pre",
  resolveId(source, importer) {
    const id = builtModule(source, importer, folder);
    return id === undefined ? null : { id, external: true };
  },
});

/** For `server.deps.external`: the test runner asks the path, not a plugin's word, and would compile them as it compiles sources. */
export const LOADED_AS_THEY_ARE = /\/build\/modules\//;

/** The modules of the build. */
export const builtModules = modulesOf(modules);
