/**
 * A cluster of three servers under kills and cuts: who leads, by the servers' own word, and what becomes of them.
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Proxy } from "./proxy.js";
import type { NatsServer } from "./server.js";

interface Monitored {
  readonly meta_cluster?: { readonly leader?: string };
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly cluster?: { readonly leader?: string };
    }[];
  }[];
}

/** The three servers of a deployment. */
export class Cluster {
  readonly servers: readonly NatsServer[];
  readonly #stream: string;
  /** The ways between two servers, where there are proxies on them. */
  readonly #ways: { readonly ends: readonly NatsServer[]; readonly proxy: Proxy }[] = [];

  /** @param bucket the curator's. */
  constructor(servers: readonly NatsServer[], bucket: string) {
    this.servers = servers;
    this.#stream = `KV_${bucket}`;
  }

  /** Puts proxies on the ways between servers, which are not started yet. */
  async throughProxies(): Promise<void> {
    const port = ({ folder }: NatsServer) => {
      const settings = readFileSync(join(folder, "settings.conf"), "utf8");
      return Number(/cluster_address: "[^"]*:(\d+)"/.exec(settings)![1]);
    };
    for (const from of this.servers) {
      const routes: string[] = [];
      for (const to of this.servers.filter((other) => other !== from)) {
        const proxy = await Proxy.open(port(to));
        this.#ways.push({ ends: [from, to], proxy });
        routes.push(`nats-route://localhost:${proxy.port}`);
      }
      rewrite(from, "settings.conf", /^routes: .*$/m, () => `routes: ${JSON.stringify(routes)}`);
      // What they tell each other of their addresses leads nowhere, past no proxy.
      const listen = "listen: $cluster_address";
      rewrite(from, "server.conf", listen, () => `${listen}\n  advertise: "localhost:1"`);
    }
  }

  /** Lets nothing through between a server and the others for so many milliseconds, and tells nobody. */
  async cutFor(server: NatsServer, milliseconds: number): Promise<void> {
    const ways = this.#ways.filter(({ ends }) => ends.includes(server));
    for (const { proxy } of ways) proxy.silence();
    await delay(milliseconds);
    for (const { proxy } of ways) proxy.heal();
  }

  /** The server that leads the bucket's stream; waits until one says that it does. */
  async leader(): Promise<NatsServer> {
    for (;;) {
      for (const server of this.servers) {
        if (server.running && (await this.#leads(server))) return server;
      }
      await delay(20);
    }
  }

  /** Of the three, those that are not the leader, the first of them first. */
  async followers(): Promise<NatsServer[]> {
    const leader = await this.leader();
    return this.servers.filter((server) => server !== leader);
  }

  async #leads(server: NatsServer): Promise<boolean> {
    const answer = await server.ask("/jsz?accounts=true&streams=true").catch(() => undefined);
    if (!answer?.ok) return false;
    const { account_details: accounts = [] } = (await answer.json()) as Monitored;
    const streams = accounts.flatMap(({ stream_detail: own = [] }) => own);
    const leader = streams.find(({ name }) => name === this.#stream)?.cluster?.leader;
    return leader === `mpmtl-${this.servers.indexOf(server) + 1}`;
  }

  /** Kills servers, all at once, and starts them again after so many milliseconds. */
  async away(servers: readonly NatsServer[], milliseconds: number): Promise<void> {
    await Promise.all(servers.map((server) => server.kill()));
    await delay(milliseconds);
    await Promise.all(servers.map((server) => server.start()));
  }
}

function rewrite(
  { folder }: NatsServer,
  name: string,
  found: RegExp | string,
  by: () => string,
): void {
  const path = join(folder, name);
  const before = readFileSync(path, "utf8");
  const after = before.replace(found, by);
  if (after === before) throw new Error(`${path}: nothing to rewrite`);
  writeFileSync(path, after);
}
