/**
 * Installs the hosts of package.json (Node, Deno, Bun, workerd) into test/hosts/node_modules, if they
 * are not there already. Where the network is missing the tests of those hosts are skipped.
 */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./", import.meta.url));
const modified = (path) => (existsSync(folder + path) ? statSync(folder + path).mtimeMs : 0);
if (modified("node_modules/.package-lock.json") < modified("package-lock.json")) {
  console.error("Installing the hosts (first run only, about 800 MB)...");
  const shell = process.platform === "win32"; // npm is a .cmd file there
  // Not `npm ci`: it wants the lock file to hold the packages of platforms that npm leaves out of it.
  const { status } = spawnSync("npm", ["install", "--no-save", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell,
  });
  if (status !== 0) console.error("The hosts could not be installed; their tests will be skipped.");
}
