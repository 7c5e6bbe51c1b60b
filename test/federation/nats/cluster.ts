/**
 * A cluster of three servers under kills: who leads, by the servers' own word, and what becomes of them.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
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

  /** @param bucket the curator's. */
  constructor(servers: readonly NatsServer[], bucket: string) {
    this.servers = servers;
    this.#stream = `KV_${bucket}`;
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
