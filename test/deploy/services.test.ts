/** The files for containers and services name flags, files and exit codes that there are; the tools that can check more do. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { curatorCommand } from "../../src/cli/commands/curator.js";
import type { Options } from "../../src/cli/options/command.js";
import { commonOptions } from "../../src/cli/options/common-options.js";
import { flagOf } from "../../src/cli/options/parse-flags.js";

const path = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
const read = (name: string) => readFileSync(path(name), "utf8");
const has = (program: string) => spawnSync(program, ["--version"]).error === undefined;

const options: Options = { ...curatorCommand.options, ...commonOptions };
const known = new Set(Object.entries(options).map(([key, option]) => flagOf(key, option)));

test.each([
  ["compose.yaml", /^ +- --([a-z-]+)/gm],
  ["mp-mtl-curator.service", /--([a-z-]+) /g],
])("%s gives the curator flags that it has", (name, flags) => {
  const found = [...read(name).matchAll(flags)].map(([, flag]) => flag!);
  expect(found.length).toBeGreaterThan(4);
  expect(found.filter((flag) => !known.has(flag))).toEqual([]);
});

test("the container file copies what the package publishes and runs its program", () => {
  const text = read("Containerfile");
  const { bin, peerDependencies } = JSON.parse(
    readFileSync(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"),
  ) as { bin: Record<string, string>; peerDependencies: Record<string, string> };
  expect(text).toContain(`/opt/mp-mtl/${bin["mp-mtl"]}`);
  const sources = [...text.matchAll(/^COPY (.+) \.\/?\S*$/gm)].flatMap(([, from]) =>
    from!.split(" "),
  );
  for (const source of sources) {
    // dist is built before an image is.
    if (source !== "dist") expect(existsSync(path(`../${source}`)), source).toBe(true);
  }
  // Curator and participants need the client of NATS, and no other peer.
  const nats = Object.keys(peerDependencies).filter((name) => name.startsWith("@nats-io/"));
  expect(nats.length).toBeGreaterThan(3);
  for (const name of nats) expect(text).toContain(`${name}@3`);
});

test.skipIf(!has("systemd-analyze"))("systemd reads the unit without a complaint about it", () => {
  const { stdout, stderr } = spawnSync(
    "systemd-analyze",
    ["verify", path("mp-mtl-curator.service")],
    {
      encoding: "utf8",
    },
  );
  const about = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("mp-mtl-curator"));
  expect(about).toEqual([]);
});
