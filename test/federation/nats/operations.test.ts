/**
 * What docs/OPERATIONS.md has an operator do with a live server: more runs, other keys, deleting what is over.
 */
import { connect as connectOnce } from "@nats-io/transport-node";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  openNatsCurator,
  openNatsParticipant,
  openRunBucket,
} from "../../../src/federation/nats/index.js";
import { connectionOptions } from "../../../src/federation/nats/connection/connect-options.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { describeThoroughNats, makeCredentials } from "./servers/server.js";
import { startedServer } from "./servers/started-server.js";
import { until } from "./servers/until.js";

const deleteBucket = fileURLToPath(
  new URL("../../../deploy/nats/delete-bucket.js", import.meta.url),
);

describeThoroughNats("an operator at a live server", () => {
  const at = startedServer(["north", "south"]);
  const { closers } = at;

  const change = (...flags: string[]) => makeCredentials(["--out", at.deployment.folder, ...flags]);
  const keyPath = (run: string, name: string) =>
    join(at.deployment.folder, "credentials", run, `${name}.nk`);

  async function connect(run: string, name: string) {
    const connection = await connectNats([at.server.url], {
      credentials: readFileSync(keyPath(run, name), "utf8"),
      authority: at.deployment.authority,
      inboxPrefix: `_INBOX.mpmtl-curator.${run}`,
      attemptSeconds: 10,
    });
    closers.push(() => connection.close());
    return connection;
  }

  /** A curator and a participant that count what they hear, and whether their links ever went down. */
  async function live(run: string, name: string) {
    const curator = openNatsCurator(await connect(run, "curator"), { run });
    const participant = openNatsParticipant(await connect(run, name), { run, name });
    const heard = { curator: 0, participant: 0, downs: 0 };
    const link = (state: string) => (heard.downs += state === "down" ? 1 : 0);
    curator.listen({ message: () => heard.curator++, link });
    participant.listen({ message: () => heard.participant++, link });
    const speaks = async () => {
      const before = { ...heard };
      await participant.send(new Uint8Array(10));
      await curator.send(name, new Uint8Array(10));
      await curator.broadcast(new Uint8Array(2 ** 21));
      await until(
        () => heard.curator === before.curator + 1 && heard.participant === before.participant + 2,
      );
    };
    await new Promise((resolve) => setTimeout(resolve, 50));
    await speaks();
    return { heard, speaks, participant, curator };
  }

  test("ten runs on one server, each with its own keys, bucket and room; adding one disturbs none", async () => {
    const first = await live("trial", "north");
    const others = Array.from({ length: 9 }, (_, i) => `other-${i}`);
    for (const run of others) {
      change("--run", run, "--participants", "north,west", "--store", String(2 ** 22));
    }
    await at.server.reload();
    for (const run of ["trial", ...others]) {
      const store = await openRunBucket(await connect(run, "curator"), `mpmtl_${run}`);
      await store.append(new TextEncoder().encode(run));
      expect(await store.load()).toEqual([new TextEncoder().encode(run)]);
    }
    // A full one is that run's alone.
    const full = await openRunBucket(await connect("other-0", "curator"), "mpmtl_other-0");
    const fill = async () => {
      for (let i = 0; i < 8; i++) await full.append(new Uint8Array(2 ** 20));
    };
    await expect(fill()).rejects.toThrow("no room for another record");
    const another = await openRunBucket(await connect("other-1", "curator"), "mpmtl_other-1");
    await another.append(new Uint8Array(2 ** 20));
    // Nobody hears another run's messages.
    const second = await live("other-1", "north");
    const before = { ...first.heard };
    await second.speaks();
    expect(first.heard).toEqual(before);
    await first.speaks();
    expect(first.heard.downs).toBe(0);
  });

  test("a key is renewed without a pause, and revoked for good", async () => {
    const [north, south] = [await live("trial", "north"), await live("trial", "south")];
    const old = /good until they are revoked: (U\w+)/.exec(
      change("--run", "trial", "--renew", "north"),
    )![1]!;
    await at.server.reload();
    const renewed = await live("trial", "north");
    expect(north.heard.downs).toBe(0);
    change("--run", "trial", "--revoke", old);
    await at.server.reload();
    expect((await north.participant.closed)!.message).toContain(
      "takes these credentials no longer",
    );
    await renewed.speaks();
    expect([renewed.heard.downs, south.heard.downs]).toEqual([0, 0]);
    expect(() => change("--run", "trial", "--participants", `north=${old}`)).toThrow("was revoked");
    // The curator's own, in the middle of everything.
    const before = /revoked: (U\w+)/.exec(change("--run", "trial", "--renew", "curator"))![1]!;
    await at.server.reload();
    const another = await live("trial", "south");
    change("--run", "trial", "--revoke", before);
    await at.server.reload();
    expect((await south.curator.closed)!.message).toContain("takes these credentials no longer");
    await another.speaks();
  });

  test("who is added hears the run at once, and nobody's link goes down", async () => {
    const north = await live("trial", "north");
    change("--run", "trial", "--participants", "west");
    await at.server.reload();
    const west = openNatsParticipant(await connect("trial", "west"), {
      run: "trial",
      name: "west",
    });
    let heard = 0;
    west.listen({ message: () => heard++, link: () => undefined });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await north.curator.broadcast(new Uint8Array(5));
    await north.curator.send("west", new Uint8Array(5));
    await west.send(new Uint8Array(5));
    await until(() => heard === 2 && north.heard.curator === 2);
    expect(north.heard.downs).toBe(0);
  });

  test("one participant cannot take the connections of the others", async () => {
    // By the client alone: connectNats tries its credentials by a connection more, which may be one too many for another's.
    const options = connectionOptions([at.server.url], {
      credentials: at.deployment.credentials("north"),
      // One that is refused is not told so.
      attemptSeconds: 4,
    });
    const open = () =>
      connectOnce({ ...options, tls: { ca: at.deployment.authority } }).then(
        (connection) => (closers.push(() => connection.close()), "in"),
        () => "refused",
      );
    const outcomes = await Promise.all(Array.from({ length: 12 }, open));
    expect(outcomes.filter((outcome) => outcome === "in")).toHaveLength(8);
    await (await live("trial", "south")).speaks();
  });

  test("the operator alone deletes the bucket of a run that is over, and takes the run out", async () => {
    change("--run", "other", "--participants", "north");
    await at.server.reload();
    const first = await live("trial", "north");
    const store = await openRunBucket(await connect("other", "curator"), "mpmtl_other");
    await store.append(new Uint8Array(100));
    const ask = (name: string, ...more: string[]) =>
      spawnSync(
        process.execPath,
        [
          deleteBucket,
          "--run",
          "other",
          "--nats",
          at.server.url,
          "--credentials",
          keyPath("other", name),
          "--tls-ca",
          at.deployment.authorityPath,
          ...more,
        ],
        { encoding: "utf8" },
      );
    expect(ask("operator").stdout).toMatch(
      /^mpmtl_other: 1 record, \d+ bytes, .* With --yes it is deleted/,
    );
    expect((await store.load()).length).toBe(1);
    const refused = ask("curator", "--yes");
    expect([refused.status, refused.stderr]).toEqual([
      2,
      "delete-bucket: --credentials: only the operator's key of run other may do that (operator.nk).\n",
    ]);
    expect((await store.load()).length).toBe(1);
    expect(ask("operator", "--yes").stdout).toContain("deleted");
    expect(ask("operator").status).toBe(1);
    change("--run", "other", "--remove-run");
    await at.server.reload();
    await expect(connect("other", "curator")).rejects.toThrow("refused the credentials");
    await first.speaks();
    expect(first.heard.downs).toBe(0);
  });
});
