import {
  appendFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunStore } from "../../../src/federation/protocol/machine.js";
import { openRunBucket } from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { openRunFile } from "../../../src/node/run-file.js";
import { temporaryFolder } from "../../temporary.js";
import { describeNats, makeDeployment, type Deployment, type NatsServer } from "./server.js";

const record = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, i) => i * 7 + seed);
const records = [record(0, 0), record(1, 1), record(5000, 2), record(37, 3)];

async function fill(store: RunStore, content: readonly Uint8Array[]): Promise<void> {
  for (const one of content) await store.append(one);
}

describe("a run's records in a file", () => {
  test("come back in order, whole, after any number of lives", async () => {
    const folder = temporaryFolder();
    for (let life = 0; life < 3; life++) {
      const store = openRunFile(folder);
      expect(await store.load()).toHaveLength(life * records.length);
      await fill(store, records);
      await store.close();
    }
    const store = openRunFile(folder);
    expect(await store.load()).toEqual([...records, ...records, ...records]);
    await store.close();
  });

  test("a kill at any byte loses at most the record being written", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "run.records");
    const store = openRunFile(folder);
    await fill(store, records);
    await store.close();
    const whole = readFileSync(path);
    const ends = records.map((_, k) =>
      records.slice(0, k + 1).reduce((sum, { length }) => sum + 12 + length, 0),
    );
    for (const cut of [0, 1, 11, 12, 13, 24, 25, 30, 5000, 5036, 5037, 5038, 5060, whole.length]) {
      writeFileSync(path, whole);
      truncateSync(path, cut);
      const next = openRunFile(folder);
      const kept = ends.filter((end) => end <= cut).length;
      expect(await next.load()).toEqual(records.slice(0, kept));
      await next.append(records[1]!);
      await next.close();
      const last = openRunFile(folder);
      expect(await last.load()).toEqual([...records.slice(0, kept), records[1]]);
      await last.close();
    }
  });

  test("a tail of garbage is cut off; damage before it is refused", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "run.records");
    const store = openRunFile(folder);
    await fill(store, records);
    await store.close();
    appendFileSync(path, new Uint8Array(9).fill(255));
    const next = openRunFile(folder);
    expect(await next.load()).toEqual(records);
    await next.close();
    const bytes = readFileSync(path);
    for (const [at, number] of [
      [100, 3],
      [bytes.length - 1, 4],
    ] as const) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1;
      writeFileSync(path, damaged);
      expect(() => openRunFile(folder)).toThrow(`record ${number} is damaged`);
    }
  });

  test("what is held is there until it is wiped, for its owner only", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "run.held");
    const store = openRunFile(folder);
    await store.append(records[1]!);
    await store.hold!(records[2]!);
    await store.hold!(records[3]!);
    expect(await store.load()).toEqual([records[1], records[3]]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await store.close();
    // Another life, which finds a half-written one beside it.
    writeFileSync(`${path}.tmp`, "half");
    const next = openRunFile(folder);
    expect(await next.load()).toEqual([records[1], records[3]]);
    expect(readdirSync(folder)).not.toContain("run.held.tmp");
    await next.hold!(null);
    expect(await next.load()).toEqual([records[1]]);
    expect(readdirSync(folder)).not.toContain("run.held");
    await next.close();
    // A kill while it was wiped; and damage.
    const last = openRunFile(folder);
    await last.hold!(records[2]!);
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([Buffer.alloc(12), whole.subarray(12)]));
    expect(await last.load()).toEqual([records[1]]);
    writeFileSync(path, whole.subarray(0, 100));
    await expect(last.load()).rejects.toThrow("noise in it must not be drawn again");
    await last.hold!(null);
    await last.close();
  });

  test("one process at a time", async () => {
    const folder = temporaryFolder();
    const store = openRunFile(folder);
    expect(() => openRunFile(folder)).toThrow("a run has one curator at a time");
    await store.close();
    await openRunFile(folder).close();
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
  afterAll(async () => {
    for (const close of closers) await close();
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

  test("come back in order, whole, also those above max_payload and after the server was killed", async () => {
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
  });

  test("of two curators of one run, one is stopped", async () => {
    const [one, other] = [await open(), await open()];
    const before = (await one.load()).length;
    await other.load();
    await one.append(record(10, 1));
    await expect(other.append(record(10, 1))).rejects.toThrow("is another curator's");
    expect(await (await open()).load()).toHaveLength(before + 1);
  });
});
