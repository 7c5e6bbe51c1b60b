/**
 * A network that fails on demand: a TCP proxy that delays, goes silent (a partition) or cuts.
 * @module
 */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEveryFile } from "../../../after-file.js";

const open = new Set<Proxy>();
afterEveryFile(() => {
  for (const proxy of open) proxy.close();
});

/** Stands before a port of this machine. */
export class Proxy {
  /** Milliseconds that bytes take in each direction. */
  delay: number;
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #silent = false;

  private constructor(target: number, delay: number) {
    this.#target = target;
    this.delay = delay;
    this.#server = createServer((client) => {
      this.#join(client);
    });
  }

  static async open(target: number, delay = 0): Promise<Proxy> {
    const proxy = new Proxy(target, delay);
    open.add(proxy);
    await once(proxy.#server.listen(0, "127.0.0.1"), "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #join(client: Socket): void {
    const server = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes) => {
        // Bytes sent into a partition are gone: the connection is broken when it ends.
        if (this.#silent) return;
        setTimeout(() => to.write(bytes), this.delay);
      });
      from.on("error", () => from.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        setTimeout(() => to.destroy(), this.delay);
      });
    }
  }

  /** Breaks every connection now; new ones are let through. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets nothing through, and tells nobody. */
  silence(): void {
    this.#silent = true;
  }

  /** Ends a partition: what was open then is broken, as a network's address tables would. */
  heal(): void {
    this.#silent = false;
    this.cut();
  }

  close(): void {
    this.#server.close();
    this.cut();
    open.delete(this);
  }
}
