/** Links to servers that hang while much is on its way to them: they end, and the client looks for another server. */
import { spawn, type ChildProcess } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { openNatsCurator } from "../../../../src/federation/nats/index.js";
import { endingStuckLinks } from "../../../../src/federation/nats/connection/stuck-link.js";
import { connectNats } from "../../../../src/node/connect-nats.js";
import { describeThoroughNats, freePorts } from "../servers/server.js";
import { until } from "../servers/until.js";

describeThoroughNats("of two servers, one hangs", () => {
  const servers: ChildProcess[] = [];
  afterEach(() => servers.forEach((server) => server.kill("SIGKILL")));

  test("with megabytes on their way to it: the curator goes on at the other", async () => {
    const ports = await freePorts(2);
    for (const port of ports) {
      servers.push(spawn("nats-server", ["-a", "127.0.0.1", "-p", String(port)]));
    }
    const urls = ports.map((port) => `nats://127.0.0.1:${port}`);
    for (const url of urls) await (await connectNats([url], { waitSeconds: 20 })).close();
    const connection = await connectNats(urls, { pingSeconds: 0.3, attemptSeconds: 1 });
    const transport = openNatsCurator(connection, { run: "trial" });
    const links: string[] = [];
    transport.listen({ message: () => undefined, link: (state) => links.push(state) });
    const { getServer } = connection as unknown as { getServer(): string };
    const at = urls.findIndex((url) => url.endsWith(getServer.call(connection)));
    servers[at]!.kill("SIGSTOP");
    // More than the system's buffers hold: the rest waits for a server that reads nothing.
    for (let i = 0; i < 30; i++) void transport.broadcast(new Uint8Array(900_000));
    await until(() => links.length === 3);
    expect(links).toEqual(["up", "down", "up"]);
    await transport.close();
  }, 30_000);
});

test("of a page, whose socket cannot be broken off, it is left to itself", async () => {
  vi.stubGlobal("setTimeout", (work: () => void) => void work());
  const deeds: string[] = [];
  const transport = {
    done: false,
    socket: { close: () => deeds.push("closed") },
    closedNotification: { resolve: () => deeds.push("given up") },
  };
  async function* status() {
    await Promise.resolve();
    yield { type: "ping" };
    expect(deeds).toEqual([]);
    yield { type: "staleConnection" };
  }
  endingStuckLinks({ status, protocol: { transport } });
  for (let i = 0; i < 10; i++) await Promise.resolve();
  vi.unstubAllGlobals();
  expect([transport.done, ...deeds]).toEqual([true, "closed", "given up"]);
});
