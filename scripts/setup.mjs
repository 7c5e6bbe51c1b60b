/**
 * Makes a fresh clone ready: installs what is missing, builds what is out of date.
 * Run by `npm start` and `npm test`, so that each is one command on a machine with only Node.
 */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 11)) {
  console.error(`mp-mtl needs Node 20.11 or newer, found ${process.versions.node}.`);
  process.exit(1);
}

/** A shell takes a path with a blank, as Node's may be on Windows, for two words: only npm has one, which is a .cmd file there. */
function run(command, args) {
  const shell = command === "npm" && process.platform === "win32";
  const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], shell });
  if (status !== 0) process.exit(status ?? 1);
}

const modified = (path) => (existsSync(root + path) ? statSync(root + path).mtimeMs : 0);
if (modified("node_modules/.package-lock.json") < modified("package-lock.json")) {
  console.error("Installing dependencies (first run only)...");
  run("npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"]);
}
run(process.execPath, ["scripts/build.mjs", "--if-stale", "--unchecked"]);
