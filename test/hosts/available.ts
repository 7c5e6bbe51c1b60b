/**
 * Which hosts can be run here.
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = fileURLToPath(new URL("node_modules/", import.meta.url));
const platform = `${process.platform}-${process.arch}`;

/** How a host runs a script: the command, and the arguments before the script's path. */
export type Command = readonly [string, ...string[]];

/** The command of a host, or undefined where it is not installed. */
export function commandOf(host: string): Command | undefined {
  const [, node] = /^node(\d+)$/.exec(host) ?? [];
  if (node) {
    const own = process.versions.node.split(".")[0] === node;
    const path = join(modules, `node${node}-${platform}/bin/node`);
    if (existsSync(path)) return [path];
    return own ? [process.execPath] : undefined;
  }
  const path = binary(host);
  if (!path) return undefined;
  return host === "deno" ? [path, "run", "--allow-all"] : [path];
}

/** The executable inside the package of the platform; where it was moved out, npm's link to it. */
function binary(host: string): string | undefined {
  const scopes: Record<string, string> = { bun: "@oven", deno: "@deno", workerd: "@cloudflare" };
  const folder = join(modules, scopes[host]!);
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .flatMap((name) => [join(folder, name, "bin", host), join(folder, name, host)])
    .concat(join(modules, ".bin", host))
    .find((path) => existsSync(path));
}

/** Where Debian and others put Chromium; the environment variable CHROMIUM goes first. */
export const chromiumPath = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** For titles of tests: why they do not run. */
export const absent = (found: unknown, what: string): string =>
  found ? "" : ` (skipped: ${what} is not here)`;
