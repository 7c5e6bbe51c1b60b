/**
 * Listens to a run's broadcasts, as any participant may: which rounds were published, and whether a
 * round was ever published with two messages.
 * @module
 */
import { createHash } from "node:crypto";
import { decodeMessage } from "../../../../src/federation/index.js";
import { openNatsParticipant } from "../../../../src/federation/nats/index.js";
import { connectNats } from "../../../../src/node/connect-nats.js";
import type { Deployment } from "./server.js";

export class Tap {
  /** Digests of the messages published for each round. */
  readonly published = new Map<number, Set<string>>();
  #close: () => Promise<void> = () => Promise.resolve();

  static async open({ servers, run, authority, credentials }: Deployment): Promise<Tap> {
    const tap = new Tap();
    const connection = await connectNats(
      servers.map(({ url }) => url),
      { authority, credentials: credentials("watcher"), waitSeconds: 30 },
    );
    const transport = openNatsParticipant(connection, { run, name: "watcher" });
    transport.listen({
      message: (bytes) => {
        tap.#note(bytes);
      },
      link: () => undefined,
    });
    await connection.flush();
    tap.#close = () => transport.close();
    return tap;
  }

  #note(bytes: Uint8Array): void {
    const message = decodeMessage(bytes);
    if (message.type !== "broadcast") return;
    const digests = this.published.get(message.round) ?? new Set();
    const { buffer, byteOffset, byteLength } = message.values;
    const values = new Uint8Array(buffer, byteOffset, byteLength);
    digests.add(createHash("sha256").update(values).digest("hex"));
    this.published.set(message.round, digests);
  }

  /** The newest round published so far. */
  get round(): number {
    return Math.max(0, ...this.published.keys());
  }

  close(): Promise<void> {
    return this.#close();
  }
}
