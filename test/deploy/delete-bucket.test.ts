/** What delete-bucket.js says before it connects to anything. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../deploy/nats/delete-bucket.js", import.meta.url));
const run = (...flags: string[]) =>
  spawnSync(process.execPath, [program, ...flags], { encoding: "utf8" });

test("its help names every option; an option that it has not is a line, not a stack", () => {
  const help = run("--help");
  expect(help.status).toBe(0);
  for (const name of ["run", "nats", "credentials", "tls-ca", "yes"]) {
    expect(help.stdout).toContain(`--${name}`);
  }
  const wrong = run("--bucket", "mpmtl_trial");
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toMatch(/^delete-bucket: .*'--bucket'/);
  expect(wrong.stderr.trim().split("\n")).toHaveLength(1);
});
