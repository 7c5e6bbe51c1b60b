/** `curator`, `helper` and `join` on verified sums, as processes at a real server, killed and started again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlan } from "../../../src/federation/index.js";
import { simulateVerifiedSums } from "../../../src/federation/verified-sums/index.js";
import { built, Program } from "../nats/servers/programs.js";
import { owners, Scenario } from "../nats/servers/scenario.js";
import { describeThoroughNats } from "../nats/servers/server.js";
import { Tap } from "../nats/servers/tap.js";

describeThoroughNats("curator, helper and join on verified sums (needs dist/)", () => {
  test.skipIf(!built)(
    "six processes, curator and helper killed on the way: the models of one process, to the bit",
    async () => {
      const scenario = await Scenario.make({ options: { rounds: 3 } }, { trust: "aggregators" });
      await scenario.start();
      const { curator, helper } = scenario;
      const tap = await Tap.open(scenario.deployment);
      for (const [program, round] of [
        [helper, 1],
        [curator, 2],
      ] as const) {
        while (tap.round < round) await new Promise((resolve) => setTimeout(resolve, 5));
        program.kill();
        program.start();
      }
      await scenario.finished();
      await tap.close();
      const { plan, tasks } = scenario;
      const local = await simulateVerifiedSums({
        plan: makePlan({ ...plan, aggregation: null }),
        tasks,
      });
      for (const owner of owners) {
        const model = scenario.model(owner);
        for (const task of model.taskNames) {
          expect([...model.forTask(task).weights]).toEqual([...local.forTask(task).weights]);
        }
      }
      expect(scenario.runFile.ledger.entries.map(({ round }) => round)).toEqual([1, 2, 3]);
      expect(helper.stdout).toContain("its share of 3 sums was given out, each once");
      const secrets = ["leader", "helper"].map((who) =>
        readFileSync(join(scenario.folder, `${who}.key`), "utf8").trim(),
      );
      const said = scenario.programs.map(({ stdout, stderr }) => stdout + stderr).join("");
      for (const secret of secrets) expect(said).not.toContain(secret);
    },
    180_000,
  );

  test.skipIf(!built)(
    "curator --key and helper --key make a key once, and say what the plan needs",
    async () => {
      const scenario = await Scenario.make();
      const makes = async (command: string, who: string) => {
        const file = join(scenario.folder, `${who}.new`);
        const first = new Program(command, [command, "--key", file, "--json"]).start();
        expect(await first.finished, first.stderr).toBe(0);
        const made = JSON.parse(first.stdout) as Record<string, string>;
        expect(made[who]).toMatch(/^[0-9a-f]{64}$/);
        expect(first.stdout + first.stderr).not.toContain(readFileSync(file, "utf8").trim());
        const second = new Program(command, [command, "--key", file, "--json"]).start();
        expect(await second.finished, second.stderr).toBe(0);
        expect(second.stdout).toBe(first.stdout);
      };
      await Promise.all([makes("curator", "leader"), makes("helper", "helper")]);
    },
  );
});
