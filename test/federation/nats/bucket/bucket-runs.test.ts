/** `runs` of a run whose records are in a bucket, no curator alive: shown, followed while another machine writes, exported. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openOperator } from "../../../../src/cli/operator/open-operator.js";
import { RunMonitor } from "../../../../src/cli/operator/run-monitor.js";
import { main } from "../../../../src/cli/run.js";
import { openRunBucket } from "../../../../src/federation/nats/index.js";
import { connectNats } from "../../../../src/node/connect-nats.js";
import { temporaryFolder } from "../../../temporary.js";
import { testIo } from "../../../cli/io.js";
import { plan, started } from "../../desk.js";
import { describeNats } from "../servers/server.js";
import { startedServer } from "../servers/started-server.js";
import { until } from "../servers/until.js";
import { thoroughTest } from "../../../thorough.js";

/** Records of a run of three participants, those of its first round, and of the two others. */
function records() {
  const desk = started();
  const round = (number: number) => {
    const before = desk.records().length;
    desk.push("north", number, [0, 1], [0.1, 0, 0, 0.2]);
    desk.push("south", number, [2], [0.1, 0]);
    desk.push("west", number, [3], [0.1, 0]);
    return desk.records().slice(before);
  };
  const before = [...desk.records()];
  return { before, released: round(1), rest: [...round(2), ...round(3)] };
}

afterEach(() => vi.unstubAllEnvs());

describeNats("runs of a bucket", () => {
  const at = startedServer(["north", "south"]);

  const flags = () => [
    "--nats",
    at.server.url,
    "--tls-ca",
    at.deployment.authorityPath,
    "--credentials",
    at.deployment.credentialsPath("curator"),
    "--wait",
    "5",
  ];
  async function fill(content: readonly Uint8Array[]) {
    const connection = await connectNats([at.server.url], {
      credentials: at.deployment.credentials("curator"),
      authority: at.deployment.authority,
      inboxPrefix: "_INBOX.mpmtl-curator.trial",
    });
    const store = await openRunBucket(connection, "mpmtl_trial");
    for (const record of content) await store.append(record);
    const count = (await store.load()).length;
    await connection.close();
    return count;
  }
  function begin(...args: string[]) {
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    const io = testIo();
    return { io, code: main(["runs", ...args], io) };
  }
  async function cli(...args: string[]) {
    const { io, code } = begin(...args);
    return { code: await code, out: io.out(), err: io.err() };
  }

  test("none is there, or nothing is in it: said so, and no bucket is made", async () => {
    const none = await cli("--run", "trial", ...flags());
    expect([none.code, none.err]).toEqual([3, expect.stringContaining("no such bucket")]);
    expect((await cli("--run", "trial", ...flags())).err).toContain("no such bucket");
    await fill([]);
    const empty = await cli("--run", "trial", ...flags());
    expect([empty.code, empty.err]).toEqual([3, expect.stringContaining("no records of a run")]);
    const nowhere = await cli("--state", "kv:mpmtl_trial");
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("--nats is needed")]);
    expect((await cli("--state", "kv:other", ...flags())).err).toContain("--run is needed");
    expect((await cli("--state", "kv:mpmtl_trial", "--stop", ...flags())).err).toContain("no curator is alive"); // prettier-ignore
    const foreign = ["--credentials", at.deployment.credentialsPath("north")];
    const denied = await cli("--run", "trial", ...flags().slice(0, 4), ...foreign);
    expect([denied.code, denied.err]).toEqual([2, expect.stringContaining("may not use it")]);
  }, 60_000);

  test("what it holds is shown and exported, and nothing is written", async () => {
    const { before, released } = records();
    const count = await fill([...before, ...released]);
    const said = await cli("--state", "kv:mpmtl_trial", ...flags());
    expect([said.code, said.err]).toEqual([0, ""]);
    expect(said.out).toMatch(/^under way, and no curator is alive here; rounds released: 1 of 3; plan [0-9a-f]{64}\nnorth: a, b\n/); // prettier-ignore
    const file = join(temporaryFolder(), "run.json");
    await cli("--run", "trial", ...flags(), "--export", file);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      live: null,
      state: "no curator",
      started: true,
      released: 1,
      rounds: 3,
      expelled: [],
      charges: [{ event: { kind: "discrete-gaussian" } }],
    });
    const ledger = await cli("--run", "trial", ...flags(), "--ledger", "--json");
    expect((JSON.parse(ledger.out) as { entries: object[] }).entries).toHaveLength(1);
    expect(await fill([])).toBe(count);
  }, 60_000);

  test("what another machine writes is followed, until one interrupts or the time is up", async () => {
    const { before, released, rest } = records();
    await fill(before);
    const { io, code } = begin("--run", "trial", ...flags(), "--follow");
    await until(() => io.err().includes("rounds released: 0 of 3"));
    await fill(released);
    await until(() => io.err().includes("rounds released: 1 of 3"));
    expect(io.err().match(/north: a, b/g)).toHaveLength(1);
    io.interrupt();
    expect(await code).toBe(130);
    const timed = await cli("--run", "trial", ...flags(), "--follow", "--timeout", "1");
    expect([timed.code, timed.err]).toEqual([1, expect.stringContaining("--timeout")]);
    // Nothing follows the last round.
    const last = begin("--run", "trial", ...flags(), "--follow");
    await until(() => last.io.err().includes("rounds released: 1 of 3"));
    await fill(rest);
    expect(await last.code).toBe(0);
    expect(last.io.out()).toMatch(/^the run has ended; rounds released: 3 of 3; plan/);
  }, 60_000);

  thoroughTest(
    "a follower whose server goes away ends nevertheless, at its time or when one interrupts",
    async () => {
      await fill(records().before);
      const timed = begin("--run", "trial", ...flags(), "--follow", "--timeout", "3");
      const { io, code } = begin("--run", "trial", ...flags(), "--follow");
      // On a busy machine the time of one may be up before it has begun.
      await until(() => [timed.io, io].every((one) => /0 of 3|--timeout/.test(one.err())));
      await at.server.kill();
      await until(() => io.err().includes("waiting for it"));
      io.interrupt();
      expect(await code).toBe(130);
      expect([await timed.code, timed.io.err()]).toEqual([1, expect.stringContaining("--timeout")]);
    },
    60_000,
  );

  test("a live curator's bucket is exported with its key, and without a server it is said that one is needed", async () => {
    const { before, released } = records();
    await fill([...before, ...released]);
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    const run = async (...args: string[]) => {
      const io = testIo();
      return { code: await main(["runs", ...args], io), err: io.err() };
    };
    const state = { state: "kv:mpmtl_trial" };
    const trial = { ...plan, run: "trial" };
    const operator = await openOperator(state, new RunMonitor(trial), trial, () => undefined);
    const file = join(temporaryFolder(), "run.json");
    const nowhere = await run("--state", "kv:mpmtl_trial", "--export", file);
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("--nats is needed: the run's records are in kv:mpmtl_trial")]); // prettier-ignore
    expect((await run("--run", "trial", ...flags(), "--export", file)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ live: true, released: 1, charges: [{}] }); // prettier-ignore
    operator.close(true);
    // Another machine may go on with it.
    const io = testIo();
    await main(["runs", "--run", "trial", ...flags()], io);
    expect(io.out()).toMatch(/^under way, and the curator that was here was stopped; rounds released: 1 of 3/); // prettier-ignore
  }, 60_000);
});
