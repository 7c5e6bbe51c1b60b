/** Two curators, each with records of its own and a plan of its own, under one name of a run at one server: nobody's vectors go to both. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeMessage, makePlan, planHash } from "../../../src/federation/index.js";
import { openNatsParticipant } from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { built, Program } from "./servers/programs.js";
import { owners, Scenario, type RunFile } from "./servers/scenario.js";
import { describeThoroughNats } from "./servers/server.js";

const ROUNDS = 6;

/** What was published, by plan and round. */
async function listen({ servers, run, authority, credentials }: Scenario["deployment"]) {
  const published = new Map<string, Set<string>>();
  const urls = servers.map(({ url }) => url);
  const of = { authority, credentials: credentials("watcher"), waitSeconds: 30 };
  const connection = await connectNats(urls, of);
  const transport = openNatsParticipant(connection, { run, name: "watcher" });
  transport.listen({
    message: (bytes) => {
      const message = decodeMessage(bytes);
      if (message.type !== "broadcast") return;
      const key = `${message.plan} ${message.round}`;
      published.set(key, (published.get(key) ?? new Set()).add(message.values.join()));
    },
    link: () => undefined,
  });
  await connection.flush();
  return { published, close: () => transport.close() };
}

/** A scenario with a second plan, of a smaller budget, and its curator; all with noise that is drawn anew each time. */
async function make() {
  const options = { rounds: ROUNDS, random: { mode: "secure" } };
  const input = { minimumTasks: 2, registration: 5, options };
  const scenario = await Scenario.make(input, { delay: 3 });
  const { plan, folder } = scenario;
  const other = makePlan({ ...plan, options: { ...plan.options, epsilon: 3 } });
  writeFileSync(join(folder, "other.json"), JSON.stringify(other));
  const args = [...scenario.curator.args];
  const own = { "--out": "second", "--state": "second.state", "--config": "other.json" };
  for (const [flag, name] of Object.entries(own)) args[args.indexOf(flag) + 1] = join(folder, name);
  return { scenario, other, second: new Program("second curator", args) };
}

describeThoroughNats("two plans of one run (needs dist/)", () => {
  test.skipIf(!built)(
    "every owner is in the run that it agreed to, none is in both, and no round has two noises",
    async () => {
      const { scenario, other, second } = await make();
      const [north, south, east, west] = owners.map((owner, k) =>
        scenario.participant(owner, { accept: planHash(k < 2 ? scenario.plan : other) }),
      ) as [Program, Program, Program, Program];
      const again = scenario.participant("east");
      const programs = [scenario.curator, second, north, south, east, west, again];
      await scenario.server.start();
      const tap = await listen(scenario.deployment);
      try {
        // Both curators offer each owner their plan; one of the two comes first.
        const all = [scenario.curator, second, north, south, east, west];
        for (const program of all) program.start();
        await Promise.all(all.slice(2).map((program) => program.says("registered")));
        // An owner that was killed is told of the other plan, and would agree to it, too.
        east.kill();
        again.start();
        expect(await again.finished).toBe(2);
        expect(again.stderr).toContain("this run was joined before in another session");
        east.start();
        await east.says("the run goes on");
        await scenario.finished(programs.filter((program) => program !== again));
      } finally {
        await tap.close();
        for (const program of programs) program.kill();
        for (const proxy of scenario.proxies.values()) proxy.close();
        await scenario.server.kill();
      }
      const ended = ["run", "second"].map((name) => {
        const text = readFileSync(join(scenario.folder, name, "run.json"), "utf8");
        return JSON.parse(text) as RunFile;
      });
      expect(ended.map(({ finished }) => finished.toSorted())).toEqual([
        ["north", "south"],
        ["east", "west"],
      ]);
      expect(ended.map(({ hash }) => hash)).toEqual([planHash(scenario.plan), planHash(other)]);
      expect(ended.map(({ guarantee }) => guarantee.epsilon)).toEqual([5, 3]);
      for (const { ledger, hash } of ended) {
        expect(ledger.entries).toHaveLength(ROUNDS);
        const rounds = ledger.entries.map(({ round }) => tap.published.get(`${hash} ${round}`));
        expect(rounds.map((values) => values?.size)).toEqual(rounds.map(() => 1));
      }
      expect(tap.published.size).toBe(2 * ROUNDS);
    },
    120_000,
  );
});
