/**
 * Runs at a real server for tests: tasks in files, a plan, a deployment, the programs, and the local
 * fit that the run must equal.
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { simulate, type TaskSet } from "../../../../src/data/index.js";
import {
  makePlan,
  newIdentity,
  planHash,
  randomBytesFrom,
  type Plan,
  type PlanInput,
} from "../../../../src/federation/index.js";
import { keyPair } from "../../../../src/federation/verified-sums/index.js";
import { makeEstimator, type FittedModel } from "../../../../src/learning/index.js";
import { loadModel } from "../../../../src/model/index.js";
import { temporaryFolder } from "../../../temporary.js";
import { Program } from "./programs.js";
import { Proxy } from "./proxy.js";
import { makeDeployment, type Deployment, type NatsServer } from "./server.js";

/** Who has which tasks; one participant has two. */
export const OWNERS = {
  north: ["task-1", "task-4"],
  south: ["task-2"],
  east: ["task-3"],
  west: ["task-5"],
} as const;
export type Owner = keyof typeof OWNERS;
export const owners = Object.keys(OWNERS) as Owner[];

/** The task of a participant in a browser, in scenarios that have one. */
export const PAGE_TASK = "task-6";

/** What the curator wrote when the run was done. */
export interface RunFile {
  readonly hash: string;
  readonly guarantee: { readonly epsilon: number; readonly spent: { readonly epsilon: number } };
  readonly ledger: { readonly entries: readonly { readonly round: number }[] };
  readonly history: readonly { readonly round: number }[];
  readonly finished: readonly string[];
}

export function tableOf(tasks: TaskSet): string {
  const { d, names, offsets, x, y, featureNames } = tasks;
  const rows = names.flatMap((name, i) =>
    Array.from({ length: offsets[i + 1]! - offsets[i]! }, (_, k) => {
      const row = offsets[i]! + k;
      return [name, y[row], ...x.subarray(row * d, (row + 1) * d)].join(",");
    }),
  );
  return [["task", "score", ...featureNames].join(","), ...rows, ""].join("\n");
}

export interface ScenarioOptions {
  /** Milliseconds that bytes take each way between any program and the server. */
  readonly delay?: number;
  /** More flags of the curator. */
  readonly flags?: readonly string[];
  /** Whether a participant in a browser has a sixth task. */
  readonly page?: boolean;
  /** Servers; 3 make a cluster, which the programs reach without proxies. */
  readonly servers?: 1 | 3;
  /** Participants keep a state; with "secure" they also have identities, and sums are secure; with "aggregators" there is a helper. */
  readonly trust?: "untrusted" | "secure" | "aggregators";
  /** Relays of secure sums, each with some participants, and a leaf server for all of them. */
  readonly relays?: Readonly<Record<string, readonly Owner[]>>;
  /** Relays of relays, each with some of those, and perhaps participants of its own. */
  readonly above?: Readonly<Record<string, readonly string[]>>;
  /** Relays without a leaf server; they connect to that of the relay above them, if it has one. */
  readonly withoutLeaf?: readonly string[];
}

/** One run: everything on disk, nothing started. */
export class Scenario {
  readonly folder = temporaryFolder();
  readonly deployment: Deployment;
  readonly plan: Plan;
  readonly tasks: TaskSet;
  readonly curator: Program;
  readonly participants: Readonly<Record<Owner, Program>>;
  readonly proxies: ReadonlyMap<string, Proxy>;
  /** The second of two aggregators; started only where the plan has them. */
  readonly helper: Program;
  readonly relays: Readonly<Record<string, Program>>;
  readonly #groups: Readonly<Record<string, readonly string[]>>;
  readonly #trust: ScenarioOptions["trust"];

  private constructor(
    deployment: Deployment,
    plan: Plan,
    tasks: TaskSet,
    proxies: ReadonlyMap<string, Proxy>,
    { flags = [], trust, relays = {}, above = {} }: ScenarioOptions,
    identities: ReadonlyMap<Owner, string>,
    aggregators: Readonly<Record<"leader" | "helper", string>>,
  ) {
    this.#trust = trust;
    this.#groups = { ...relays, ...above };
    this.deployment = deployment;
    this.plan = plan;
    this.tasks = tasks;
    this.proxies = proxies;
    const path = (name: string) => join(this.folder, name);
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(path("plan.json"), JSON.stringify(plan));
    for (const [owner, secret] of identities) writeFileSync(path(`${owner}.identity`), secret);
    for (const owner of owners) {
      writeFileSync(path(`${owner}.csv`), tableOf(tasks.select([...OWNERS[owner]])));
    }
    if (tasks.names.includes(PAGE_TASK)) {
      writeFileSync(path("page.csv"), tableOf(tasks.select([PAGE_TASK])));
    }
    for (const [who, secret] of Object.entries(aggregators)) {
      writeFileSync(path(`${who}.key`), secret);
    }
    this.helper = new Program("helper", [
      "helper",
      ...this.#link("helper"),
      "--run",
      "trial",
      "--key",
      path("helper.key"),
      "--accept",
      planHash(plan),
      "--state",
      path("helper.state"),
    ]);
    this.curator = new Program("curator", [
      "curator",
      ...this.#link("curator"),
      "--config",
      path("plan.json"),
      "--out",
      path("run"),
      ...(trust === "aggregators" ? ["--key", path("leader.key")] : []),
      ...(flags.includes("--linger") ? [] : ["--linger", "5"]),
      // Whoever lost a message to a server that was killed would wait for ten seconds otherwise.
      "--remind",
      "1",
      ...(flags.includes("--state") ? [] : ["--state", path("state")]),
      ...flags,
    ]);
    this.relays = Object.fromEntries(
      Object.keys(this.#groups).map((name) => [
        name,
        new Program(name, [
          "relay",
          ...this.#link(name),
          "--run",
          "trial",
          "--name",
          name,
          "--accept",
          planHash(plan),
        ]),
      ]),
    );
    this.participants = Object.fromEntries(
      owners.map((owner) => [owner, this.participant(owner)]),
    ) as Record<Owner, Program>;
  }

  /**
   * @param input what differs from a seeded run of mp-low-rank.
   */
  static async make(
    input: Partial<PlanInput> = {},
    {
      delay = 0,
      flags = [],
      page = false,
      servers = 1,
      trust,
      relays = {},
      above = {},
      withoutLeaf = [],
    }: ScenarioOptions = {},
  ): Promise<Scenario> {
    const size = { tasks: page ? 6 : 5, features: 6, samples: 12 };
    const tasks = simulate({ pattern: "low-rank", ...size, seed: 7 }).train;
    const groups: Readonly<Record<string, readonly string[]>> = { ...relays, ...above };
    const relayOf = (owner: Owner) =>
      Object.entries(groups).find(([, group]) => group.includes(owner))?.[0];
    const isRelay = (name: string) => Object.hasOwn(groups, name);
    const deployment = await makeDeployment([...owners, "page", "watcher", "helper"], {
      size: servers,
      relays: groups,
      without: withoutLeaf,
    });
    const random = randomBytesFrom({ mode: "secure" });
    const pairs = owners.map((owner) => ({ owner, ...newIdentity(random) }));
    const identities = pairs.map((pair) => {
      const relay = relayOf(pair.owner);
      const own = { name: pair.owner, identity: hex(pair.public) };
      return relay === undefined ? own : { ...own, relay };
    });
    const [leader, helper] = [keyPair(random), keyPair(random)];
    const sums = {
      secure: {
        participants: identities,
        colluding: 1,
        relays: Object.entries(above).flatMap(([relay, of]) =>
          of.filter(isRelay).map((name) => ({ name, relay })),
        ),
      },
      aggregators: {
        kind: "two-aggregators" as const,
        leader: hex(leader.public),
        helper: { name: "helper", key: hex(helper.public) },
      },
    };
    const plan = makePlan({
      run: "trial",
      method: "mp-low-rank",
      features: tasks.featureNames,
      tasks: tasks.names.map((name) => ({
        name,
        participant: owners.find((owner) => OWNERS[owner].some((own) => own === name)) ?? "page",
      })),
      deadline: 30,
      ...(trust === "secure" || trust === "aggregators" ? { aggregation: sums[trust] } : {}),
      ...input,
      options: {
        ...(trust === "untrusted" ? { curator: "untrusted", recordEpsilon: 40 } : {}),
        epsilon: 5,
        delta: 1e-3,
        clip: 20,
        rounds: 25,
        random: { mode: "seeded", seed: "nats" },
        ...input.options,
      },
    });
    const proxies = new Map<string, Proxy>();
    const [server] = deployment.servers;
    for (const name of ["curator", "helper", ...owners]) {
      proxies.set(name, await Proxy.open(server!.port, delay));
    }
    const secrets = new Map(pairs.map(({ owner, secret }) => [owner, hex(secret)]));
    const keys = { leader: hex(leader.secret), helper: hex(helper.secret) };
    const options = { flags, relays, above, ...(trust ? { trust } : {}) };
    return new Scenario(deployment, plan, tasks, proxies, options, secrets, keys);
  }

  get server(): NatsServer {
    return this.deployment.servers[0]!;
  }

  /** Flags of a connection through the proxy of that name. */
  #link(name: string): string[] {
    return [
      "--nats",
      this.#urls(name),
      "--credentials",
      this.deployment.credentialsPath(name),
      "--tls-ca",
      this.deployment.authorityPath,
      "--ping",
      "1",
    ];
  }

  #urls(name: string): string {
    const { servers, leaves } = this.deployment;
    const above = Object.entries(this.#groups).find(([, group]) => group.includes(name))?.[0];
    const leaf = leaves[name] ?? leaves[above ?? ""];
    if (leaf) return leaf.url;
    if (servers.length > 1) return servers.map(({ url }) => url).join(",");
    return `tls://localhost:${this.proxies.get(name)!.port}`;
  }

  /** `join` for an owner, into the folder `out`. */
  participant(owner: Owner, { out = owner as string, accept = planHash(this.plan) } = {}): Program {
    const path = (name: string) => join(this.folder, name);
    return new Program(owner, [
      "join",
      ...this.#link(owner),
      "--run",
      "trial",
      "--data",
      path(`${owner}.csv`),
      "--task",
      "task",
      "--target",
      "score",
      ...(accept === "" ? [] : ["--accept", accept]),
      "--out",
      path(out),
      "--state",
      path(`${this.#trust === undefined ? out : owner}.state`),
      ...(this.#trust === "secure" ? ["--identity", path(`${owner}.identity`)] : []),
    ]);
  }

  get programs(): Program[] {
    const helping = this.#trust === "aggregators" ? [this.helper] : [];
    const relaying = Object.values(this.relays);
    return [this.curator, ...helping, ...relaying, ...Object.values(this.participants)];
  }

  async start(): Promise<void> {
    const { servers, leaves } = this.deployment;
    await Promise.all([...servers, ...Object.values(leaves)].map((server) => server.start()));
    for (const program of this.programs) program.start();
  }

  /** Waits for all programs; fails with what was said if one does not end well. */
  async finished(programs: readonly Program[] = this.programs): Promise<void> {
    for (const program of programs) {
      const code = await program.finished;
      if (code !== 0) {
        const said = this.programs.map(({ name, stderr }) => `--- ${name}\n${stderr}`).join("\n");
        throw new Error(`${program.name} ended with ${code}\n${said}`);
      }
    }
  }

  get runFile(): RunFile {
    return JSON.parse(readFileSync(join(this.folder, "run", "run.json"), "utf8")) as RunFile;
  }

  model(out: string): FittedModel {
    return loadModel(readFileSync(join(this.folder, out, "model.safetensors")));
  }

  /** The same plan fitted in one process. */
  localFit(): Promise<FittedModel> {
    return makeEstimator(this.plan.method, this.plan.options).fit(this.tasks);
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The bits of a task's model. */
export function bitsOf(model: FittedModel, task: string): string {
  const { weights } = model.forTask(task);
  return Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength).toString("hex");
}
