import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  decodeMessage,
  encodeMessage,
  planHash,
  type Body,
} from "../../../src/federation/index.js";
import { openNatsParticipant } from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { built, Program } from "./servers/programs.js";
import { bitsOf, owners, OWNERS, Scenario, type Owner } from "./servers/scenario.js";
import { describeNats } from "./servers/server.js";
import { Tap } from "./servers/tap.js";
import { until } from "./servers/until.js";
import { LEFT_OUT, thorough } from "../../thorough.js";

/** For those of which a test without processes holds most. */
const slowTest = (title: string, body: () => Promise<void>) =>
  test.skipIf(!built || !thorough)(thorough ? title : `${title} ${LEFT_OUT}`, body, 120_000);

/** Every participant's models are the local fit's, to the last bit. */
async function expectLocalModels(scenario: Scenario, names: readonly Owner[] = owners) {
  const local = await scenario.localFit();
  for (const owner of names) {
    const model = scenario.model(owner);
    expect(model.taskNames).toEqual(OWNERS[owner]);
    for (const task of OWNERS[owner]) expect(bitsOf(model, task)).toBe(bitsOf(local, task));
  }
}

/** Lets another key than those of the run say what it may: everything under its own name. */
async function forge(scenario: Scenario, rounds: () => number): Promise<number> {
  const { authority, credentials, servers } = scenario.deployment;
  const connection = await connectNats([servers[0]!.url], {
    authority,
    credentials: credentials("page"),
  });
  const transport = openNatsParticipant(connection, { run: "trial", name: "page" });
  const plan = planHash(scenario.plan);
  let session = "";
  transport.listen({
    // The session is no secret: every participant hears it.
    message: (bytes) =>
      (session = /"session":"(\w+)"/.exec(Buffer.from(bytes).toString("latin1"))![1]!),
    link: () => undefined,
  });
  let sent = 0;
  while (!scenario.curator.done) {
    const round = Math.max(1, rounds());
    const values = Float64Array.from({ length: 6 }, (_, i) => 1e6 * i);
    const bodies: Body[] = [
      { type: "register", tasks: [{ name: "task-2", rows: 12 }] },
      { type: "upload", round, positions: [1], values },
      { type: "upload", round, positions: [1], values: values.map(() => NaN) },
      { type: "broadcast", round, values: new Float64Array(36) },
      { type: "leave" },
    ];
    for (const body of bodies) {
      for (const participant of ["south", "page", ""]) {
        await transport.send(encodeMessage({ run: "trial", session, plan, participant }, body));
        sent++;
      }
    }
    await transport.send(new Uint8Array(1000).fill(sent));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await transport.close();
  return sent;
}

/** Milliseconds between the calls that a participant, which is not there, is sent in the open round. */
async function betweenCalls(scenario: Scenario, name: Owner, count: number): Promise<number[]> {
  const { authority, credentials, servers } = scenario.deployment;
  const key = { authority, credentials: credentials(name) };
  const connection = await connectNats([servers[0]!.url], key);
  const transport = openNatsParticipant(connection, { run: "trial", name });
  const at: number[] = [];
  transport.listen({
    message: (bytes) => {
      if (decodeMessage(bytes).type === "call") at.push(performance.now());
    },
    link: () => undefined,
  });
  await until(() => at.length > count);
  await transport.close();
  return at.slice(1).map((time, i) => time - at[i]!);
}

describeNats("curator and join at a real server (needs dist/)", () => {
  const title = "four processes get the local fit's models, bit for bit; nothing secret is said";
  // A tree of processes does so in plain-relays.test.ts, also where not all tests are asked for.
  test.skipIf(!built || !thorough)(thorough ? title : `${title} ${LEFT_OUT}`, async () => {
    const scenario = await Scenario.make();
    await scenario.start();
    await scenario.finished();
    await expectLocalModels(scenario);
    const { hash, ledger, finished } = scenario.runFile;
    expect(hash).toBe(planHash(scenario.plan));
    expect(ledger.entries.map(({ round }) => round)).toEqual(
      Array.from({ length: 25 }, (_, i) => i + 1),
    );
    expect(finished).toEqual([...owners].sort());
    const secrets = [...owners, "curator"].map((name) =>
      scenario.deployment.credentials(name).trim(),
    );
    const said = scenario.programs.map(({ stdout, stderr }) => stdout + stderr).join("");
    for (const secret of secrets) expect(said).not.toContain(secret);
    expect(said).not.toMatch(/-?\d+\.\d{10}/); // no weight, no value of the data
  });

  slowTest("another plan than agreed on is refused, and so is none", async () => {
    const scenario = await Scenario.make();
    await scenario.server.start();
    scenario.curator.start();
    const other = scenario.participant("north", { accept: "0".repeat(64) }).start();
    const silent = scenario.participant("south", { accept: "" }).start();
    expect(await other.finished).toBe(2);
    expect(other.stderr).toContain(planHash(scenario.plan));
    expect(other.stderr).toContain("nothing was uploaded");
    expect(await silent.finished).toBe(2);
    expect(silent.stderr).toContain(`--accept ${planHash(scenario.plan)}`);
    scenario.curator.kill("SIGINT");
    expect(await scenario.curator.finished).toBe(130);
    expect(scenario.curator.stderr).not.toContain("registered");
  });

  slowTest("forged, foreign and unreadable messages change nothing", async () => {
    const scenario = await Scenario.make({ options: { rounds: 10 } }, { delay: 3 });
    await scenario.start();
    const tap = await Tap.open(scenario.deployment);
    const forged = await forge(scenario, () => tap.round);
    await scenario.finished();
    await tap.close();
    expect(forged).toBeGreaterThan(50);
    expect(scenario.curator.stderr).toContain("page: spoke in another's name");
    await expectLocalModels(scenario);
    expect(scenario.runFile.finished).toEqual([...owners].sort());
  });

  slowTest(
    "the operator sees who is missing, expels it from a run of quorum 1, and stops the curator, which goes on later",
    async () => {
      const scenario = await Scenario.make(
        { deadline: 2 },
        { flags: ["--progress", "json"], delay: 30 },
      );
      const { west, ...others } = scenario.participants;
      const state = join(scenario.folder, "state");
      const runs = async (...flags: string[]) => {
        const program = new Program("runs", ["runs", "--state", state, ...flags, "--json"]).start();
        expect(await program.finished, program.stderr).toBe(0);
        return JSON.parse(program.stdout) as { phase?: string; missing?: string[]; round?: number };
      };
      const status = async (reached: (found: Awaited<ReturnType<typeof runs>>) => boolean) => {
        for (;;) {
          const found = await runs();
          if (reached(found)) return found;
          // Each look is a process.
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
      };
      await scenario.start();
      await scenario.curator.says('"kind":"started"');
      west.kill();
      // On a busy machine another one may be late, too, for a deadline.
      const isWest = ({ missing = [] }: { missing?: string[] }) => missing.join() === "west";
      const [waiting, gaps] = await Promise.all([
        status(isWest),
        betweenCalls(scenario, "west", 2),
      ]);
      expect(waiting.phase).toBe("waiting");
      // It is called again every second (--remind), not after the five that are the default.
      expect(Math.min(...gaps)).toBeLessThan(4000);
      await runs("--expel", "west");
      const before = (await status(({ phase }) => phase !== "waiting")).round!;
      await runs("--stop");
      expect(await scenario.curator.finished).toBe(130);
      const rest = new Program("curator", scenario.curator.args).start();
      await scenario.finished([rest, ...Object.values(others)]);
      expect(before).toBeGreaterThan(0);
      expect(scenario.runFile.finished).toEqual(["east", "north", "south"]);
      expect(rest.stderr).toMatch(/^\{"time":"[^"]+","event":\{"kind":"closed","round":25,/m);
    },
  );

  slowTest("a participant that is there twice does no harm", async () => {
    const scenario = await Scenario.make({
      method: "pmtl",
      options: { rounds: 4, adjacency: "zero-out", sampling: { kind: "poisson", rate: 0.6 } },
    });
    const twin = scenario.participant("north", { out: "twin" });
    await scenario.start();
    twin.start();
    const { north, ...others } = scenario.participants;
    await scenario.finished([scenario.curator, ...Object.values(others)]);
    // To the curator they are one: when the first has its models, it does not wait for the second.
    await Promise.race([north.finished, twin.finished]);
    await expectLocalModels(scenario, ["south", "east", "west"]);
    const local = await scenario.localFit();
    for (const [program, out] of [
      [north, "north"],
      [twin, "twin"],
    ] as const) {
      if (!program.done) continue;
      for (const task of OWNERS.north) {
        expect(bitsOf(scenario.model(out), task)).toBe(bitsOf(local, task));
      }
    }
    north.kill();
    twin.kill();
  });

  slowTest(
    "an untrusted curator: a killed participant whose table was changed is refused, goes on with the one that it had, and draws no noise again",
    async () => {
      const scenario = await Scenario.make({ options: { rounds: 10 } }, { trust: "untrusted" });
      const { north } = scenario.participants;
      await scenario.start();
      const tap = await Tap.open(scenario.deployment);
      while (tap.round < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      north.kill();
      const path = join(scenario.folder, "north.csv");
      const table = readFileSync(path, "utf8");
      const [head, first, ...rows] = table.split("\n");
      writeFileSync(path, [head, first!.replace(/,[^,]*$/, ",0.125"), ...rows].join("\n"));
      const other = new Program("north", north.args).start();
      expect(await other.finished).toBe(3);
      expect(other.stderr).toMatch(/task "task-[14]": its rows are not those with which/);
      expect(other.stderr).not.toContain("0.125");
      // The same rows below each other in another order are others, too.
      writeFileSync(path, [head, ...rows.slice(0, -1), first, ""].join("\n"));
      const reordered = new Program("north", north.args).start();
      expect(await reordered.finished).toBe(3);
      writeFileSync(path, table);
      north.start();
      await scenario.finished();
      await tap.close();
      await expectLocalModels(scenario);
      expect(north.stdout).toContain("each of your records against the curator: (40, 0)-DP");
    },
  );

  slowTest("secure sums: a killed participant goes on, every round is released once", async () => {
    const options = { rounds: 5, random: { mode: "secure" } };
    // The other three can do without it: it is to be back before three deadlines have ended the run.
    const scenario = await Scenario.make({ options, deadline: 5 }, { trust: "secure" });
    await scenario.start();
    const tap = await Tap.open(scenario.deployment);
    while (tap.round < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    scenario.participants.north.kill();
    scenario.participants.north.start();
    await scenario.finished();
    await tap.close();
    const { ledger, guarantee } = scenario.runFile;
    expect(ledger.entries.map(({ round }) => round)).toEqual([1, 2, 3, 4, 5]);
    expect(guarantee.spent.epsilon).toBeLessThanOrEqual(guarantee.epsilon);
    for (const owner of owners) expect(scenario.model(owner).taskNames).toEqual(OWNERS[owner]);
  });

  test.skipIf(!built)(
    "the plan alone needs no server, and its hash is that of the library",
    async () => {
      const scenario = await Scenario.make();
      const main = join(import.meta.dirname, "../../../dist/cli/main.js");
      const plan = join(scenario.folder, "plan.json");
      const args = [main, "curator", "--config", plan, "--plan-only", "--json"];
      const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect((JSON.parse(stdout) as { hash: string }).hash).toBe(planHash(scenario.plan));
    },
  );
});
