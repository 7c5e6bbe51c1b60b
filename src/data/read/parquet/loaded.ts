/**
 * The packages that read Parquet, once they are loaded.
 * @module
 */
import type * as imported from "./packages.js";

type Packages = typeof imported;

let loaded: Packages | undefined;

/** To be awaited before anything of a file is read. */
export async function loadPackages(): Promise<void> {
  loaded ??= await import("./packages.js");
}

/** @throws TypeError, by whoever uses it, before they are loaded. */
export const packages = (): Packages => loaded!;
