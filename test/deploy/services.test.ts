/** The files for containers and services name flags, files and exit codes that there are; the tools that can check more do. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { expect, test, vi } from "vitest";
import { curatorCommand } from "../../src/cli/commands/curator.js";
import { helperCommand } from "../../src/cli/commands/helper.js";
import { joinCommand } from "../../src/cli/commands/join.js";
import { relayCommand } from "../../src/cli/commands/relay.js";
import type { Options } from "../../src/cli/options/command.js";
import { commonOptions } from "../../src/cli/options/common-options.js";
import { flagOf } from "../../src/cli/options/parse-flags.js";
import { describeNats, freePorts, makeCredentials } from "../federation/nats/servers/server.js";
import { temporaryFolder } from "../temporary.js";

const path = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
const read = (name: string) => readFileSync(path(name), "utf8");
const has = (program: string) => spawnSync(program, ["--version"]).error === undefined;

const COMMANDS: Readonly<Record<string, Options>> = {
  curator: curatorCommand.options,
  join: joinCommand.options,
  helper: helperCommand.options,
  relay: relayCommand.options,
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

/** The command of each, and how many flags it is given. */
const UNITS = [
  ["mp-mtl-curator.service", "curator", 6],
  ["mp-mtl-join@.service", "join", 5],
  ["mp-mtl-helper.service", "helper", 5],
  ["mp-mtl-relay@.service", "relay", 4],
] as const;

test.each(UNITS)(
  "%s gives %s flags that it has, and options in its file",
  (name, command, flags) => {
    const text = read(name);
    const start = /^ExecStart=(.*)$/m.exec(text.replace(/\\\n\s*/g, ""))![1]!;
    expect(start).toContain(`mp-mtl ${command} `);
    const found = [...start.matchAll(/--([a-z-]+) /g)].map(([, flag]) => flag!);
    expect(found).toHaveLength(flags);
    // What its comment has in the options' file.
    const comment = text.slice(0, text.indexOf("[Unit]"));
    const options = [...comment.matchAll(/(?:[{,] |# +)"([a-z-]+)"[:,]/g)].map(([, flag]) => flag!);
    expect(options).toContain("nats");
    expect(strangeTo(command, [...found, ...options])).toEqual([]);
    // What is no accident is not tried again.
    expect(text).toContain("RestartPreventExitStatus=2 3 4 130\n");
  },
);

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

const NATS = "mp-mtl-nats.service";

test.skipIf(!has("systemd-analyze")).each([NATS, ...UNITS.map(([name]) => name)])(
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

test("every unit is named by the documents, keeps to its own folders and gains no rights", () => {
  const documents = ["FEDERATION", "OPERATIONS", "RELAYS", "VERIFIED-SUMS"]
    .map((name) => readFileSync(path(`../docs/${name}.md`), "utf8"))
    .join();
  const units = readdirSync(path(".")).filter((name) => name.endsWith(".service"));
  expect(units.sort()).toEqual([NATS, ...UNITS.map(([name]) => name)].sort());
  const settings = (name: string) => read(name).slice(read(name).indexOf("[Service]")).split("\n");
  const hardened = settings("mp-mtl-curator.service").filter((line) => /^(NoNew|Protect|Private|Restrict[^P]|Lock|UMask|Kill)\w*=/.test(line)); // prettier-ignore
  expect(hardened.length).toBeGreaterThan(8);
  for (const name of units) {
    expect(documents, name).toContain(name);
    expect(settings(name), name).toEqual(
      expect.arrayContaining([...hardened, "Restart=on-failure"]),
    );
    expect(read(name), name).toMatch(/^(DynamicUser=yes|User=mp-mtl-nats)$/m);
  }
});

describeNats("the unit of nats-server", () => {
  test("starts the folder that make-credentials.js makes, has it read again, and stops it in good order", async () => {
    const unit = read(NATS);
    const value = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(unit)![1]!;
    const folder = temporaryFolder();
    const [port] = await freePorts(1);
    makeCredentials(["--out", folder, "--run", "trial", "--participants", "north", "--port", String(port)]); // prettier-ignore
    expect(value("WorkingDirectory")).toBe(`/var/lib/${value("StateDirectory")}`);
    const [program, ...words] = value("ExecStart").split(" ");
    const server = spawn(program!, words, { cwd: folder });
    try {
      let log = "";
      server.stderr.on("data", (text: Buffer) => (log += text.toString()));
      await vi.waitFor(() => expect(log).toContain("Server is ready"), 20_000);
      makeCredentials(["--out", folder, "--run", "trial", "--participants", "south"]);
      const reload = value("ExecReload").replace("$MAINPID", String(server.pid)).split(" ");
      expect(spawnSync(reload[0]!, reload.slice(1)).status).toBe(0);
      await vi.waitFor(() => expect(log).toContain("Reloaded server configuration"), 20_000);
      server.kill(value("KillSignal") as NodeJS.Signals);
      const [code] = (await once(server, "exit")) as [number | null];
      expect(code).toBe(0);
    } finally {
      server.kill("SIGKILL");
    }
  }, 60_000);
});
