/** Clocks that are set back: a server that comes back is found all the same. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openNatsParticipant } from "../../../../src/federation/nats/index.js";
import { reconnectPace } from "../../../../src/federation/nats/connection/reconnect-pace.js";
import { connectNats } from "../../../../src/node/connect-nats.js";
import { describeNats } from "../servers/server.js";
import { startedServer } from "../servers/started-server.js";
import { until } from "../servers/until.js";

const HOUR = 3600_000;

/** When the client tries which of some servers, by its rule, as the clock is changed by hours. */
function tries(servers: number, given: Readonly<Record<number, number>>): number[][] {
  const changes = new Map(Object.entries(given).map(([second, by]) => [Number(second), by]));
  let [at, offset] = [0, 1e12];
  const pace = reconnectPace(
    () => at + offset,
    () => at,
  );
  const last = new Array<number>(servers).fill(0);
  const tried = last.map((): number[] => []);
  for (let turn = 0; at < 100_000; turn++) {
    const second = Math.floor(at / 1000);
    offset += HOUR * (changes.get(second) ?? 0);
    changes.delete(second);
    const server = turn % servers;
    const wait = pace();
    const now = at + offset;
    if (last[server] === 0 || last[server]! + wait <= now) {
      at += 1; // the client looks at the clock again, and a refusal takes no time
      last[server] = at + offset;
      tried[server]!.push(at);
    } else at += Math.max(1, Math.min(wait, last[server]! + wait - now));
  }
  return tried;
}

test.each([
  ["stands", 1, {}],
  ["stands, of three", 3, {}],
  ["is set back", 1, { 10: -1 }],
  ["is set back, of three", 3, { 10: -1 }],
  ["is set back twice, and forth", 3, { 10: -1, 30: -2, 60: 5 }],
])("a server is tried every second or so where the clock %s", (_, servers, changes) => {
  for (const times of tries(servers, changes)) {
    const pauses = times.slice(1).map((time, i) => time - times[i]!);
    expect(Math.max(...pauses)).toBeLessThan(servers * 800 + 100);
    expect(times.length).toBeLessThan(500);
  }
});

describeNats("of a clock that was set back by an hour", () => {
  const started = startedServer(["north"]);

  test("the link comes back with the server", async () => {
    const { deployment, server, closers } = started;
    const { run, authority } = deployment;
    const connection = await connectNats([server.url], {
      authority,
      credentials: deployment.credentials("north"),
      waitSeconds: 20,
    });
    const transport = openNatsParticipant(connection, { run, name: "north" });
    closers.push(() => transport.close());
    const links: string[] = [];
    transport.listen({ message: () => undefined, link: (state) => links.push(state) });
    const { now } = Date;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() - HOUR);
    closers.push(() => Promise.resolve(clock.mockRestore()));
    await server.kill();
    await until(() => links.length === 2);
    await delay(1000);
    await server.start();
    await until(() => links.length === 3);
    expect(links).toEqual(["up", "down", "up"]);
  }, 30_000);
});
