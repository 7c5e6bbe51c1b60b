/** `curator` and `join` on secure sums, as processes at a real server. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { built, Program } from "../nats/servers/programs.js";
import { owners, Scenario } from "../nats/servers/scenario.js";
import { describeThoroughNats } from "../nats/servers/server.js";

describeThoroughNats("curator and join on secure sums (needs dist/)", () => {
  test.skipIf(!built)(
    "four processes get models near the local fit's, and the guarantee for every number of colluders",
    async () => {
      const options = { rounds: 2, epsilon: 1e7 };
      const scenario = await Scenario.make({ options }, { trust: "secure" });
      await scenario.start();
      await scenario.finished();
      const local = await scenario.localFit();
      const largest = Math.max(...local.weights.map(Math.abs));
      for (const owner of owners) {
        const model = scenario.model(owner);
        model.taskNames.forEach((name, i) => {
          const at = local.taskNames.indexOf(name);
          for (let j = 0; j < model.d; j++) {
            const gap = model.weights[i * model.d + j]! - local.weights[at * model.d + j]!;
            expect(Math.abs(gap)).toBeLessThan(5e-3 * largest);
          }
        });
      }
      const { guarantee } = JSON.parse(
        readFileSync(join(scenario.folder, "run", "run.json"), "utf8"),
      ) as {
        guarantee: { collusion: { colluding: number; honest: number }[] };
      };
      expect(guarantee.collusion.map(({ colluding, honest }) => [colluding, honest])).toEqual([
        [0, 3],
        [1, 2],
        [3, 1],
      ]);
    },
  );

  test.skipIf(!built)(
    "join --identity makes a key once, and says what the plan needs",
    async () => {
      const scenario = await Scenario.make();
      const file = join(scenario.folder, "me.key");
      const data = join(scenario.folder, "north.csv");
      const program = new Program("join", [
        "join",
        "--nats",
        "nats://127.0.0.1:1",
        "--data",
        data,
        "--identity",
        file,
        "--json",
      ]).start();
      expect(await program.finished, program.stderr).toBe(0);
      const made = JSON.parse(program.stdout) as { name: string; identity: string };
      expect(made.name).toBe("north");
      expect(made.identity).toMatch(/^[0-9a-f]{64}$/);
      expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
      expect(program.stderr + program.stdout).not.toContain(readFileSync(file, "utf8").trim());
      // Without data and credentials the key's file says whose it is.
      const alone = join(scenario.folder, "west.key");
      const other = new Program("join", ["join", "--identity", alone, "--json"]).start();
      expect(await other.finished, other.stderr).toBe(0);
      expect((JSON.parse(other.stdout) as { name: string }).name).toBe("west");
    },
  );
});
