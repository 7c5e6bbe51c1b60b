import { once } from "node:events";
import { createConnection, createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openNatsCurator, openNatsParticipant } from "../../../src/federation/nats/index.js";
import type { LinkState } from "../../../src/federation/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { describeThoroughNats, makeCredentials } from "./servers/server.js";
import { startedServer } from "./servers/started-server.js";
import { until } from "./servers/until.js";

function pattern(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = i * 31 + seed * 17 + (i >> 8);
  return bytes;
}

describeThoroughNats("the NATS transport, at a real server", () => {
  const at = startedServer(["north", "south"], { forAll: true });
  const { closers } = at;

  const connect = (name: string) =>
    connectNats([at.server.url], {
      credentials: at.deployment.credentials(name),
      authority: at.deployment.authority,
      pingSeconds: 1,
    });

  async function curator() {
    const transport = openNatsCurator(await connect("curator"), { run: "trial" });
    const heard: { from: string; message: Uint8Array }[] = [];
    const links: LinkState[] = [];
    transport.listen({
      message: (from, message) => heard.push({ from, message }),
      link: (state) => links.push(state),
    });
    closers.push(() => transport.close());
    return { transport, heard, links };
  }

  async function participant(credentials: string, name = credentials) {
    const connection = await connect(credentials);
    const transport = openNatsParticipant(connection, { run: "trial", name });
    const heard: { scope: string; message: Uint8Array }[] = [];
    const links: LinkState[] = [];
    transport.listen({
      message: (message, scope) => heard.push({ scope, message }),
      link: (state) => links.push(state),
    });
    await Promise.race([connection.flush(), transport.closed]);
    closers.push(() => transport.close());
    return { transport, heard, links };
  }

  test("carries messages of every length both ways, with their true senders", async () => {
    const { transport, heard } = await curator();
    const [north, south] = [await participant("north"), await participant("south")];
    const lengths = [0, 1, 1000, 2 ** 20 - 256, 2 ** 20, 5_000_000, 7];
    for (const [i, length] of lengths.entries()) {
      await north.transport.send(pattern(length, i));
      await south.transport.send(pattern(length, i + 100));
    }
    await until(() => heard.length === 2 * lengths.length);
    for (const [name, shift] of [
      ["north", 0],
      ["south", 100],
    ] as const) {
      const own = heard.filter(({ from }) => from === name).map(({ message }) => message);
      const expected = lengths.map((length, i) => pattern(length, i + shift));
      for (const message of expected) {
        expect(own.some((got) => Buffer.compare(got, message) === 0)).toBe(true);
      }
    }

    const [broadcast, secret] = [pattern(9_000_000, 3), pattern(2_000_000, 4)];
    await Promise.all([transport.broadcast(broadcast), transport.send("north", secret)]);
    await until(() => north.heard.length === 2 && south.heard.length === 1);
    expect(north.heard.map(({ scope }) => scope).sort()).toEqual(["all", "own"]);
    expect(south.heard[0]!.scope).toBe("all");
    expect(Buffer.compare(south.heard[0]!.message, broadcast)).toBe(0);
    const own = north.heard.find(({ scope }) => scope === "own")!;
    expect(Buffer.compare(own.message, secret)).toBe(0);
  });

  test("a server that is killed and comes back: down, up, and messages go again", async () => {
    const { transport, heard, links } = await curator();
    const north = await participant("north");
    expect([links, north.links]).toEqual([["up"], ["up"]]);
    await at.server.kill();
    await until(() => links.length === 2 && north.links.length === 2);
    await north.transport.send(pattern(10, 1)); // lost, without an error
    await transport.broadcast(pattern(3_000_000, 1));
    await at.server.start();
    await until(() => links.length === 3 && north.links.length === 3);
    expect([links, north.links]).toEqual([
      ["up", "down", "up"],
      ["up", "down", "up"],
    ]);
    await north.transport.send(pattern(3_000_000, 2));
    await until(() => heard.length === 1);
    expect(Buffer.compare(heard[0]!.message, pattern(3_000_000, 2))).toBe(0);
    await transport.send("north", pattern(5, 5));
    await until(() => north.heard.length === 1);
  });

  test("a server that is lost before there is a transport: it says down first, and up when it is back", async () => {
    const connection = await connect("curator");
    const lost = (async () => {
      const statuses = connection.status()[Symbol.asyncIterator]();
      while ((await statuses.next()).value?.type !== "reconnecting");
    })();
    await at.server.kill();
    await lost;
    const transport = openNatsCurator(connection, { run: "trial" });
    closers.push(() => transport.close());
    const links: LinkState[] = [];
    transport.listen({ message: () => undefined, link: (state) => links.push(state) });
    expect(links).toEqual(["down"]);
    await at.server.start();
    await until(() => links.length === 2);
    expect(links).toEqual(["down", "up"]);
  });

  test("credentials of another participant end it with a reason", async () => {
    const { transport } = await participant("south", "north");
    const reason = await transport.closed;
    expect(reason?.message).toContain(
      'does not let these credentials subscribe to "mpmtl.trial.out.north"',
    );
  });

  test("a fault of the receiver ends it with that fault, not in silence", async () => {
    const transport = openNatsCurator(await connect("curator"), { run: "trial" });
    closers.push(() => transport.close());
    transport.listen({
      message: () => {
        throw new Error("a bug above");
      },
      link: () => undefined,
    });
    const north = await participant("north");
    await north.transport.send(pattern(10, 1));
    expect(await transport.closed).toEqual(new Error("a bug above"));
  });

  test("closing hands over what was sent, and says nothing more", async () => {
    const { heard } = await curator();
    const north = await participant("north");
    void north.transport.send(pattern(6_000_000, 1));
    await north.transport.send(pattern(10, 2));
    await north.transport.close();
    await until(() => heard.length === 2);
    expect(await north.transport.closed).toBeUndefined();
    expect(north.links).toEqual(["up"]);
  });

  test("a server that goes away while it is greeted is looked for again", async () => {
    let greetings = 0;
    const gate = createServer((client) => {
      if (++greetings <= 2) {
        client.once("data", () => client.destroy());
        client.write('INFO {"tls_required":true,"max_payload":1048576,"proto":1}\r\n');
        return;
      }
      const onward = createConnection(at.server.port, "127.0.0.1");
      for (const [from, to] of [
        [client, onward],
        [onward, client],
      ] as const) {
        from.pipe(to);
        from.on("error", () => to.destroy());
      }
    });
    await once(gate.listen(0, "127.0.0.1"), "listening");
    let waited = 0;
    const connection = await connectNats(
      [`tls://localhost:${(gate.address() as AddressInfo).port}`],
      {
        credentials: at.deployment.credentials("north"),
        authority: at.deployment.authority,
        waitSeconds: 30,
        onWait: () => waited++,
      },
    );
    // Two that it went away in, one that checks the key, and the one that stays.
    expect([greetings, waited]).toEqual([4, 1]);
    await connection.close();
    gate.close();
  });

  test("names that would reach into other subjects are refused", async () => {
    const connection = await connect("north");
    closers.push(() => connection.close());
    for (const name of ["a.b", "*", ">", "", "a b", "x".repeat(65)]) {
      expect(() => openNatsParticipant(connection, { run: "trial", name })).toThrow("participant:");
      expect(() => openNatsCurator(connection, { run: name })).toThrow("run:");
    }
  });

  // The last one: that key is good for nothing any more.
  test("a key that is revoked in the middle of a run ends its transport in one line, and nobody else's", async () => {
    const [north, south] = [await participant("north"), await participant("south")];
    makeCredentials(["--out", at.deployment.folder, "--run", "trial", "--revoke", "north"]);
    await at.server.reload();
    const reason = await north.transport.closed;
    expect(reason).toMatchObject({ code: "OPTION" });
    expect(reason!.message).toContain("takes these credentials no longer");
    expect(south.links.at(-1)).toBe("up");
  });
});
