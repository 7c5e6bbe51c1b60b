import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection as ClientConnection } from "@nats-io/nats-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { OptionError } from "../../../../src/core/index.js";
import type { RunStore } from "../../../../src/federation/protocol/machine/machine.js";
import { openRunBucket, type NatsConnection } from "../../../../src/federation/nats/index.js";
import { connectNats } from "../../../../src/node/connect-nats.js";
import { openRunFolder } from "../../../../src/node/records/run-folder.js";
import { temporaryFolder } from "../../../temporary.js";
import {
  describeNats,
  freePorts,
  makeDeployment,
  type Deployment,
  type NatsServer,
} from "../servers/server.js";
import { thoroughTest } from "../../../thorough.js";

const record = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, i) => i * 7 + seed);
const records = [record(0, 0), record(1, 1), record(5000, 2), record(37, 3)];

async function fill(store: RunStore, content: readonly Uint8Array[]): Promise<void> {
  for (const one of content) await store.append(one);
}

describe("a run's records in a folder", () => {
  test("come back in order, whole, after any number of lives", async () => {
    const folder = temporaryFolder();
    for (let life = 0; life < 3; life++) {
      const store = openRunFolder(folder);
      expect(await store.load()).toHaveLength(life * records.length);
      await fill(store, records);
      await store.close();
    }
    const store = openRunFolder(folder);
    expect(await store.load()).toEqual([...records, ...records, ...records]);
    await store.close();
  });

  test("what is held is there until it is wiped, for its owner only", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "held");
    const store = openRunFolder(folder);
    await store.append(records[1]!);
    await store.hold!(records[2]!);
    await store.hold!(records[3]!);
    expect(await store.load()).toEqual([records[1], records[3]]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await store.close();
    // Another life, which finds a half-written one beside it.
    writeFileSync(`${path}.tmp`, "half");
    const next = openRunFolder(folder);
    expect(await next.load()).toEqual([records[1], records[3]]);
    expect(readdirSync(folder)).not.toContain("held.tmp");
    await next.hold!(null);
    expect(await next.load()).toEqual([records[1]]);
    expect(readdirSync(folder)).not.toContain("held");
    await next.close();
    // A kill while it was wiped; and damage.
    const last = openRunFolder(folder);
    await last.hold!(records[2]!);
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([Buffer.alloc(12), whole.subarray(12)]));
    expect(await last.load()).toEqual([records[1]]);
    writeFileSync(path, whole.subarray(0, 100));
    await expect(last.load()).rejects.toThrow("is damaged");
    await last.hold!(null);
    await last.close();
  });

  test("one process at a time", async () => {
    const folder = temporaryFolder();
    const store = openRunFolder(folder);
    expect(() => openRunFolder(folder)).toThrow("a run has one curator at a time");
    await store.close();
    await openRunFolder(folder).close();
  });
});

describeNats("a run's records in a JetStream bucket, at a real server", () => {
  let deployment: Deployment;
  let server: NatsServer;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    deployment = await makeDeployment(["north"]);
    server = deployment.servers[0]!;
    await server.start();
  });
  // The account has few connections.
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function open(): Promise<RunStore> {
    const connection = await connectNats([server.url], {
      credentials: deployment.credentials("curator"),
      authority: deployment.authority,
      inboxPrefix: "_INBOX.mpmtl-curator.trial",
    });
    closers.push(() => connection.close());
    return openRunBucket(connection, "mpmtl_trial");
  }

  thoroughTest(
    "come back in order, whole, also those above max_payload and after the server was killed",
    async () => {
      const content = [...records, record(2_500_000, 4), record(2 ** 20, 5), record(3, 6)];
      const first = await open();
      expect(await first.load()).toEqual([]);
      await fill(first, content);
      await server.kill();
      const late = first.append(record(9, 9)); // waits for the server
      await server.start();
      await late;
      const found = await (await open()).load();
      expect(found).toHaveLength(content.length + 1);
      [...content, record(9, 9)].forEach((one, i) => {
        expect(Buffer.compare(found[i]!, one)).toBe(0);
      });
    },
  );

  test("a bucket that the key may not use is refused at once, and not waited for", async () => {
    const waits: string[] = [];
    const connection = await connectNats([server.url], {
      credentials: deployment.credentials("curator"),
      authority: deployment.authority,
      inboxPrefix: "_INBOX.mpmtl-curator.trial",
    });
    const opening = openRunBucket(connection, "other", { onWait: () => waits.push("waits") });
    const error = await opening.catch((refused: unknown) => refused);
    // The account has few connections.
    await connection.close();
    expect(error).toBeInstanceOf(OptionError);
    expect((error as Error).message).toContain("bucket other: these credentials may not use it");
    expect(waits).toEqual([]);
  });

  test("of two curators of one run, one is stopped", async () => {
    const [one, other] = [await open(), await open()];
    const before = (await one.load()).length;
    await other.load();
    await one.append(record(10, 1));
    await one.confirm!();
    // One that waits, and has nothing to write, is stopped as well.
    await expect(other.confirm!()).rejects.toThrow("is another curator's");
    await expect(other.append(record(10, 1))).rejects.toThrow("is another curator's");
    expect(await (await open()).load()).toHaveLength(before + 1);
  });

  test("of two curators one is stopped where both hold something: what the other held stays", async () => {
    const [one, other] = [await open(), await open()];
    const { length } = await one.load();
    await other.load();
    await one.hold!(record(32, 1));
    const message = "what is held is another curator's";
    await expect(other.hold!(record(32, 2))).rejects.toThrow(message);
    await expect(other.hold!(null)).rejects.toThrow(message);
    expect((await (await open()).load()).slice(length)).toEqual([record(32, 1)]);
    // Whoever comes after both knows what there is.
    const third = await open();
    await third.hold!(record(32, 3));
    await third.hold!(null);
    await expect(one.hold!(record(32, 4))).rejects.toThrow(message);
    expect(await (await open()).load()).toHaveLength(length);
  });

  test("what is held comes last, replaces what was held before, and is gone when it is wiped", async () => {
    const store = await open();
    const { length } = await store.load();
    await store.hold!(record(32, 1));
    await store.hold!(record(32, 2));
    await store.append(record(4, 4));
    const last = async () => (await (await open()).load()).slice(length);
    expect(await last()).toEqual([record(4, 4), record(32, 2)]);
    await store.hold!(null);
    expect(await last()).toEqual([record(4, 4)]);
  });
});

describeNats("a run's records in a bucket of a server that is full", () => {
  const folder = temporaryFolder();
  let server: ChildProcess;
  let connection: NatsConnection;

  beforeAll(async () => {
    const [port] = await freePorts(1);
    const configuration = join(folder, "server.conf");
    const store = join(folder, "store");
    writeFileSync(
      configuration,
      `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(store)}, max_file_store: 1MB }\n`,
    );
    server = spawn("nats-server", ["-c", configuration], { stdio: "ignore" });
    connection = await connectNats([`nats://127.0.0.1:${port}`], { waitSeconds: 30 });
  });
  afterAll(async () => {
    await connection.close();
    server.kill();
  });

  test("stop the run in one line, for no waiting makes room", async () => {
    const store = await openRunBucket(connection, "full");
    // The server takes the record that goes beyond its limit, and none after it.
    await store.append(record(700_000, 1));
    await store.append(record(700_000, 2));
    await expect(store.append(record(10, 3))).rejects.toMatchObject({
      code: "OPTION",
      message: expect.stringContaining("bucket full: the server has no room for another record"),
    });
    expect(await (await openRunBucket(connection, "full")).load()).toHaveLength(2);
  });
});

describeNats("a run's records in a bucket of a server that anyone may write to", () => {
  const folder = temporaryFolder();
  let server: ChildProcess;
  let connection: NatsConnection;

  beforeAll(async () => {
    const [port] = await freePorts(1);
    const args = ["-js", "-sd", folder, "-a", "127.0.0.1", "-p", String(port)];
    server = spawn("nats-server", args, { stdio: "ignore" });
    connection = await connectNats([`nats://127.0.0.1:${port}`], { waitSeconds: 30 });
  });
  afterAll(async () => {
    await connection.close();
    server.kill();
  });

  test("stop the run by the name of one that was altered or lost", async () => {
    const store = await openRunBucket(connection, "trial");
    await fill(store, [record(4, 1), record(4, 2), record(4, 3)]);
    const again = await openRunBucket(connection, "trial");
    expect(await again.load()).toHaveLength(3);

    const manager = await jetstreamManager(connection as unknown as ClientConnection);
    const subject = "$KV.trial.record.000002";
    const found = await manager.streams.getMessage("KV_trial", { last_by_subj: subject });
    const other = Uint8Array.from(found!.data);
    other[other.length - 1]! ^= 1;
    await manager.jetstream().publish(subject, other);
    await expect(again.load()).rejects.toThrow("bucket trial: record 2 is damaged");
    await manager.streams.purge("KV_trial", { filter: subject });
    await expect(again.load()).rejects.toThrow(
      "bucket trial: record 2 is missing, though record 3 is there",
    );
  });

  test("stop the run where an administrator purges or deletes them while it goes on", async () => {
    const manager = await jetstreamManager(connection as unknown as ClientConnection);
    const waits: string[] = [];
    const open = (bucket: string) =>
      openRunBucket(connection, bucket, { onWait: () => waits.push(bucket) });
    const purged = await open("purged");
    await fill(purged, [record(4, 1), record(4, 2)]);
    await manager.streams.purge("KV_purged");
    await purged.append(record(4, 3));
    await expect((await open("purged")).load()).rejects.toThrow(
      "bucket purged: record 1 is missing, though record 3 is there",
    );

    const deleted = await open("deleted");
    await fill(deleted, [record(4, 1)]);
    await manager.streams.delete("KV_deleted");
    // Nobody answers a write, as where the server is away: it must not be waited for without end.
    for (const write of [() => deleted.append(record(4, 2)), () => deleted.hold!(record(4, 2))]) {
      await expect(write()).rejects.toMatchObject({
        code: "DATA",
        message: expect.stringMatching(/^bucket deleted: it was deleted while the run went on/),
      });
    }
    expect(waits).toContain("deleted");
  });
});
