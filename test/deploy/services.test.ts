/** The files for containers and services name flags, files and exit codes that there are; the tools that can check more do. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { curatorCommand } from "../../src/cli/commands/curator.js";
import { joinCommand } from "../../src/cli/commands/join.js";
import type { Options } from "../../src/cli/options/command.js";
import { commonOptions } from "../../src/cli/options/common-options.js";
import { flagOf } from "../../src/cli/options/parse-flags.js";

const path = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
const read = (name: string) => readFileSync(path(name), "utf8");
const has = (program: string) => spawnSync(program, ["--version"]).error === undefined;

const COMMANDS: Readonly<Record<string, Options>> = {
  curator: curatorCommand.options,
  join: joinCommand.options,
};
const strangeTo = (command: string, flags: readonly string[]) => {
  const options: Options = { ...COMMANDS[command]!, ...commonOptions };
  const known = new Set(Object.entries(options).map(([key, option]) => flagOf(key, option)));
  return flags.filter((flag) => !known.has(flag));
};

test("compose.yaml gives curator and participants flags that they have", () => {
  const { services } = load(read("compose.yaml")) as {
    services: Record<string, { command: string[]; healthcheck?: object }>;
  };
  const { nats: _, ...parties } = services;
  expect(Object.keys(parties)).toEqual(["curator", "north", "south", "east"]);
  for (const [name, { command, healthcheck }] of Object.entries(parties)) {
    const [verb, ...rest] = command;
    expect(verb).toBe(name === "curator" ? "curator" : "join");
    const flags = rest.map((word) => /^--([a-z-]+)=/.exec(word)![1]!);
    expect(flags.length).toBeGreaterThan(4);
    expect(strangeTo(verb!, flags)).toEqual([]);
    expect(healthcheck).toBeDefined();
  }
});

const UNITS = [
  ["mp-mtl-curator.service", "curator"],
  ["mp-mtl-join@.service", "join"],
] as const;

test.each(UNITS)("%s gives %s flags that it has, and options in its file", (name, command) => {
  const text = read(name);
  const start = /^ExecStart=(.*)$/m.exec(text.replace(/\\\n\s*/g, ""))![1]!;
  expect(start).toContain(`mp-mtl ${command} `);
  const found = [...start.matchAll(/--([a-z-]+) /g)].map(([, flag]) => flag!);
  expect(found.length).toBeGreaterThan(4);
  // What its comment has in the options' file.
  const comment = text.slice(0, text.indexOf("[Unit]"));
  const options = [...comment.matchAll(/(?:[{,] |# +)"([a-z-]+)"[:,]/g)].map(([, flag]) => flag!);
  expect(options).toContain("nats");
  expect(strangeTo(command, [...found, ...options])).toEqual([]);
  // What is no accident is not tried again.
  expect(text).toContain("RestartPreventExitStatus=2 3 4 130\n");
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

test.skipIf(!has("systemd-analyze")).each(UNITS)(
  "systemd reads %s without a complaint about it",
  (name) => {
    const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", path(name)], {
      encoding: "utf8",
    });
    const [stem] = name.split(".");
    const about = `${stdout}${stderr}`.split("\n").filter((line) => line.includes(stem!));
    expect(about).toEqual([]);
  },
);
