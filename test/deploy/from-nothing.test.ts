/**
 * The files of deploy/ carried out as far as a machine without containers and systemd can: the container file's steps on the packed
 * package in an empty folder, the compose file's commands as its user, the unit's command with its folders. A run to the end each.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { built } from "../federation/nats/servers/programs.js";
import {
  describeThoroughNats,
  freePorts,
  makeCredentials,
} from "../federation/nats/servers/server.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) => readFileSync(join(root, "deploy", name), "utf8");
const isRoot = process.getuid?.() === 0;
const USER = Number(/^USER (\d+):/m.exec(read("Containerfile"))![1]);

function must(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}:\n${stderr}`);
  return stdout;
}

/** Packages with all that they depend on, as `npm install` would lay them. */
function install(names: readonly string[], into: string): void {
  const seen = new Set<string>();
  for (const queue = [...names]; queue.length > 0;) {
    const name = queue.shift()!;
    if (seen.has(name)) continue;
    seen.add(name);
    const from = join(root, "node_modules", name);
    cpSync(from, join(into, "node_modules", name), { recursive: true, dereference: true });
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
    };
    queue.push(...Object.keys(dependencies));
  }
}

/** The image's files, from the packed package: nothing of this checkout is left in reach. Returns its entry point. */
function buildImage(at: string): string[] {
  const context = join(at, "context");
  const image = join(at, "opt/mp-mtl");
  for (const folder of [context, image]) mkdirSync(folder, { recursive: true });
  const [packed] = must(
    "npm",
    ["pack", "--ignore-scripts", "--silent", "--pack-destination", at],
    root,
  )
    .trim()
    .split("\n")
    .slice(-1);
  must("tar", ["xzf", join(at, packed!), "-C", context, "--strip-components=1"], at);
  const text = read("Containerfile");
  for (const [, what, to] of text.matchAll(/^COPY (.+) (\S+)$/gm)) {
    for (const source of what!.split(" ")) {
      const target = what!.includes(" ") || to === "./" ? join(image, source) : join(image, to!);
      cpSync(join(context, source), target, { recursive: true });
    }
  }
  install(
    [...text.matchAll(/(@nats-io\/[\w-]+)@\d/g)].map(([, name]) => name!),
    image,
  );
  const entry = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(text)![1]!) as string[];
  return entry.map((part) => part.replace("/opt/mp-mtl", image));
}

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

interface Started {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

function start(
  command: readonly string[],
  options: { cwd: string; uid?: number; env?: object },
): Started {
  const [program, ...args] = command;
  const user = isRoot && options.uid !== undefined ? { uid: options.uid, gid: options.uid } : {};
  const child = spawn(program === "node" ? process.execPath : program!, args, {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...options.env },
    ...user,
  });
  running.add(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => (text += data.toString()));
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, said: () => text, ended };
}

const names = ["north", "south", "east"];
const planText = (more: object) =>
  JSON.stringify({
    run: "trial",
    method: "mp-low-rank",
    epsilon: 3,
    delta: 1e-5,
    rounds: 5,
    deadline: 60,
    features: ["x1", "x2", "x3"],
    tasks: "task-1=north,task-2=south,task-3=east",
    linger: 10,
    ...more,
  });

/** What the compose file leaves to the plan's schema. */
const SCHEMA = {
  format: "mp-mtl-schema",
  version: 1,
  task: "task",
  target: { column: "y", kind: "number" },
  columns: Object.fromEntries(["x1", "x2", "x3"].map((name) => [name, { kind: "number" }])),
};

describeThoroughNats("deploy/, from nothing (needs dist/)", () => {
  /** The program, and what it simulates: the same for all machines, which only read them. */
  function made() {
    const at = temporaryFolder();
    chmodSync(at, 0o755);
    const entry = buildImage(at);
    const command =
      "simulate --pattern low-rank --tasks 3 --features 3 --samples 20 --seed 1 --out all.csv";
    must(process.execPath, [...entry.slice(1), ...command.split(" ")], at);
    return { entry, table: readFileSync(join(at, "all.csv"), "utf8") };
  }
  let once: ReturnType<typeof made> | undefined;

  /** An empty machine: a program, a server's folder, three tables. */
  async function machine() {
    const { entry, table } = (once ??= made());
    const at = temporaryFolder();
    chmodSync(at, 0o755);
    const [port, health, ...others] = (await freePorts(5)) as [number, number, ...number[]];
    makeCredentials(
      ["--out", join(at, "server"), "--run", "trial", "--participants", names.join(",")].concat([
        "--hosts",
        "nats,localhost",
        "--port",
        String(port),
      ]),
    );
    const [head, ...rows] = table.split("\n");
    names.forEach((name, i) => {
      const own = rows.filter((row) => row.startsWith(`task-${i + 1},`));
      writeFileSync(join(at, `${name}.csv`), [head, ...own, ""].join("\n"));
    });
    return { at, entry, port, health, others };
  }

  type Machine = Awaited<ReturnType<typeof machine>>;

  const join3 = ({ at, entry, port }: Machine, hash: string, who = names) =>
    who.map((name) =>
      start(
        entry.concat(
          [
            "join",
            "--nats",
            `tls://localhost:${port}`,
            "--tls-ca",
            join(at, "server/tls/authority.pem"),
          ],
          ["--credentials", join(at, `server/credentials/trial/${name}.nk`), "--run", "trial"],
          ["--data", join(at, `${name}.csv`), "--task", "task", "--target", "y"],
          ["--accept", hash, "--out", join(at, name), "--state", join(at, `${name}.state`)],
        ),
        { cwd: at },
      ),
    );

  /** A unit's command and environment in folders of this machine, with a program of that name on the path. */
  function unitOf({ at, entry, health }: Machine, name: string, instance: string) {
    const unit = read(name)
      .replace(/\\\n\s*/g, "")
      .replaceAll("%i", instance);
    const value = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(unit)![1]!;
    for (const folder of ["etc", "lib", `lib-${instance}`, "credentials", "bin"]) {
      mkdirSync(join(at, folder), { recursive: true });
    }
    const [credential] = value("LoadCredential").split(":");
    cpSync(
      join(at, `server/credentials/trial/${credential}`),
      join(at, "credentials", credential!),
    );
    writeFileSync(
      join(at, "bin/mp-mtl"),
      `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(entry[1])} "$@"\n`,
      { mode: 0o755 },
    );
    const local = (word: string) =>
      word
        .replace("/etc/mp-mtl", join(at, "etc"))
        .replace("/var/lib/mp-mtl", join(at, "lib"))
        .replace("${CREDENTIALS_DIRECTORY}", join(at, "credentials"))
        .replace("9464", String(health));
    const set = /^Environment=(\w+)=(.*)$/m.exec(unit);
    const env = {
      PATH: `${join(at, "bin")}:${process.env["PATH"]}`,
      ...(set ? { [set[1]!]: local(set[2]!) } : {}),
    };
    const place = /^WorkingDirectory=(.*)$/m.exec(unit)?.[1];
    const cwd = place === undefined ? "/" : local(place);
    return { value, env, cwd, command: value("ExecStart").split(" ").map(local) };
  }

  const hashOf = (entry: string[], at: string) => {
    const args = [
      ...entry.slice(1),
      "curator",
      "--config",
      join(at, "plan.json"),
      "--plan-only",
      "--json",
    ];
    return (JSON.parse(must(process.execPath, args, at)) as { hash: string }).hash;
  };

  /** Until a curator has said that its link is up; what it and the server said otherwise. */
  async function connected(curator: Started, server: Started): Promise<void> {
    for (const started = Date.now(); Date.now() - started < 60_000;) {
      if (curator.said().includes('"kind":"link","state":"up"')) return;
      const ended = [curator, server].some(
        ({ child }) => child.exitCode !== null || child.signalCode !== null,
      );
      if (ended) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`not connected:\n${curator.said()}\n${server.said()}`);
  }

  /** What a unit starts is stopped as the unit says, ends so, and is started again. */
  async function restarted(
    { value, command, env, cwd }: ReturnType<typeof unitOf>,
    server: Started,
  ): Promise<Started> {
    const first = start(command, { cwd, env });
    await connected(first, server);
    first.child.kill(value("KillSignal") as NodeJS.Signals);
    expect(String(await first.ended)).toBe(value("SuccessExitStatus"));
    return start(command, { cwd, env });
  }

  async function all(started: readonly Started[]): Promise<void> {
    for (const { ended, said } of started) expect(await ended, said()).toBe(0);
  }

  interface Service {
    readonly profiles?: string[];
    readonly command: string[];
    readonly volumes: string[];
    readonly healthcheck?: { readonly test: string[] };
  }

  test.skipIf(!built)(
    "the container file and the compose file: a run, as the image's user",
    async () => {
      const here = await machine();
      const { at, entry, port, health, others } = here;
      const text = read("compose.yaml");
      const { services } = load(text) as { services: Record<string, Service> };
      writeFileSync(join(at, "schema.json"), JSON.stringify(SCHEMA));
      writeFileSync(join(at, "plan.json"), planText({ schema: "schema.json" }));
      const hash = hashOf(entry, at);
      expect(services["curator"]!.volumes).toContain("./schema.json:/srv/schema.json:ro");
      // What its comment says is to be done by hand.
      const byHand = /sudo (install .+)$/m.exec(text)![1]!.split(" ");
      for (const name of ["curator", ...names]) {
        const words = byHand.map((word) => word.replaceAll("curator", name));
        if (isRoot) must(words[0]!, words.slice(1), at);
        else cpSync(join(at, `server/credentials/trial/${name}.nk`), join(at, `${name}.nk`));
      }
      const volumeOf = (from: string) => join(at, /^\w+$/.test(from) ? `volume-${from}` : from);
      for (const name of ["states", ...names]) {
        mkdirSync(volumeOf(name), { mode: 0o700, recursive: true });
        if (isRoot) chownSync(volumeOf(name), USER, USER);
      }
      // As compose fills in variables, with each service's port of its own.
      const local = (service: string) => (word: string) =>
        services[service]!.volumes.map((volume) => volume.split(":") as [string, string])
          .reduce((done, [from, to]) => done.replace(to, volumeOf(from)), word)
          .replace("${PLAN_HASH:-none}", hash)
          .replace(/\$\{\w+:-(.*)\}/, "$1")
          .replace("tls://nats:4222", `tls://localhost:${port}`)
          .replaceAll(
            "9464",
            String(service === "curator" ? health : others[names.indexOf(service)]),
          );
      const startService = (service: string) =>
        start([...entry, ...services[service]!.command.map(local(service))], {
          cwd: at,
          uid: USER,
          env: {
            XDG_STATE_HOME: volumeOf(service === "curator" ? "states" : service),
            NODE_ENV: "production",
          },
        });
      const isHealthy = async (service: string) => {
        const [, ...check] = services[service]!.healthcheck!.test.map(local(service));
        return (await start(check, { cwd: at }).ended) === 0;
      };
      const server = start(["nats-server", ...services["nats"]!.command], {
        cwd: join(at, "server"),
      });
      const curator = startService("curator");
      await connected(curator, server);
      expect(await isHealthy("curator")).toBe(true);
      const first = startService(names[0]!);
      await connected(first, server);
      expect(await isHealthy(names[0]!)).toBe(true);
      await all([first, ...names.slice(1).map(startService), curator]);
      expect(existsSync(join(volumeOf("states"), "out/run.json"))).toBe(true);
      for (const name of names) {
        expect(services[name]!.profiles).toEqual(["participants"]);
        expect(existsSync(join(volumeOf(name), "out/model.safetensors"))).toBe(true);
        expect(await isHealthy(name)).toBe(false);
      }
      expect(await isHealthy("curator")).toBe(false);
      server.child.kill("SIGKILL");
    },
    180_000,
  );

  test.skipIf(!built)(
    "the unit: stopped in good order, started again, a run",
    async () => {
      const here = await machine();
      const { at, entry, port } = here;
      const unit = unitOf(here, "mp-mtl-curator.service", "curator");
      writeFileSync(
        join(at, "etc/plan.json"),
        planText({
          nats: `tls://localhost:${port}`,
          "tls-ca": join(at, "server/tls/authority.pem"),
          schema: "schema.json",
        }),
      );
      writeFileSync(join(at, "etc/schema.json"), JSON.stringify(SCHEMA));
      for (const file of ["plan.json", "schema.json"])
        cpSync(join(at, "etc", file), join(at, file));
      const server = start(["nats-server", "-c", "server.conf"], { cwd: join(at, "server") });
      const second = await restarted(unit, server);
      await all([...join3(here, hashOf(entry, at)), second]);
      expect(existsSync(join(at, "lib/out/run.json"))).toBe(true);
      expect(readFileSync(join(at, "lib/audit.jsonl"), "utf8")).toContain('"closed"');
      server.child.kill("SIGKILL");
    },
    180_000,
  );

  test.skipIf(!built)(
    "the unit of a participant: stopped in good order, started again, its model",
    async () => {
      const here = await machine();
      const { at, entry, port, others } = here;
      writeFileSync(join(at, "plan.json"), planText({ schema: SCHEMA }));
      const hash = hashOf(entry, at);
      const link = [`--nats=tls://localhost:${port}`, `--tls-ca=${at}/server/tls/authority.pem`];
      const text = read("mp-mtl-join@.service");
      // The options' file of its comment, with this machine's values.
      const example = /\{ "nats"[^}]*\}/.exec(text)![0].replace(/\n#/g, "\n");
      const options = {
        ...(JSON.parse(example) as object),
        nats: `tls://localhost:${port}`,
        "tls-ca": join(at, "server/tls/authority.pem"),
        accept: hash,
        metrics: `127.0.0.1:${others[0]}`,
      };
      const unit = unitOf(here, "mp-mtl-join@.service", "north");
      writeFileSync(join(at, "etc/north.json"), JSON.stringify(options));
      cpSync(join(at, "north.csv"), join(at, "etc/north.csv"));
      const server = start(["nats-server", "-c", "server.conf"], { cwd: join(at, "server") });
      const second = await restarted(unit, server);
      const curator = start(
        [
          ...entry,
          "curator",
          ...link,
          `--config=${at}/plan.json`,
          `--state=${at}/curator.state`,
        ].concat([`--credentials=${at}/server/credentials/trial/curator.nk`]),
        { cwd: at },
      );
      await all([second, ...join3(here, hash, ["south", "east"]), curator]);
      expect(existsSync(join(at, "lib-north/out/model.safetensors"))).toBe(true);
      expect(existsSync(join(at, "lib-north/mp-mtl/join/trial/north"))).toBe(true);
      server.child.kill("SIGKILL");
    },
    180_000,
  );

  test.skipIf(!built)(
    "the units of helper and relay: stopped in good order, and started again",
    async () => {
      const here = await machine();
      const { at, entry, port, others } = here;
      const more = ["--participants", "helper", "--relay", "site-a=north"];
      makeCredentials(["--out", join(at, "server"), "--run", "trial", ...more]);
      const server = start(["nats-server", "-c", "server.conf"], { cwd: join(at, "server") });
      for (const [file, instance] of [
        ["mp-mtl-helper.service", "helper"],
        ["mp-mtl-relay@.service", "site-a"],
      ] as const) {
        const example = /\{ "nats"[^}]*\}/.exec(read(file))![0].replace(/\n#/g, "\n");
        const options = {
          ...(JSON.parse(example) as object),
          nats: `tls://localhost:${port}`,
          "tls-ca": join(at, "server/tls/authority.pem"),
          accept: "0".repeat(64),
          metrics: `127.0.0.1:${others[0]}`,
        };
        const unit = unitOf(here, file, instance);
        writeFileSync(join(at, `etc/${instance}.json`), JSON.stringify(options));
        if (instance === "helper") {
          // The second credential of the unit, as its comment has it made.
          const key = join(at, "credentials/helper.key");
          must(process.execPath, [...entry.slice(1), "helper", "--key", key], at);
        }
        const second = await restarted(unit, server);
        await connected(second, server);
        second.child.kill("SIGKILL");
        await second.ended;
      }
      expect(existsSync(join(at, "lib-helper/mp-mtl/helper/trial/helper"))).toBe(true);
      server.child.kill("SIGKILL");
    },
    180_000,
  );
});
