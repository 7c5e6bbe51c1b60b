/**
 * Runs a program of the project with a variable of the environment set, on every system alike:
 * `node scripts/with-variable.mjs NAME VALUE PROGRAM ...ARGUMENTS`.
 */
import { spawnSync } from "node:child_process";

const [name, value, program, ...args] = process.argv.slice(2);
const { status } = spawnSync("npx", [program, ...args], {
  stdio: "inherit",
  shell: process.platform === "win32", // npx is a .cmd file there
  env: { ...process.env, [name]: value },
});
process.exit(status ?? 1);
