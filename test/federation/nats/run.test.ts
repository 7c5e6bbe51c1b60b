import { expect, test } from "vitest";
import { planHash } from "../../../src/federation/index.js";
import { built } from "./programs.js";
import { bitsOf, owners, OWNERS, Scenario, type Owner } from "./scenario.js";
import { describeNats } from "./server.js";

/** Every participant's models are the local fit's, to the last bit. */
async function expectLocalModels(scenario: Scenario, names: readonly Owner[] = owners) {
  const local = await scenario.localFit();
  for (const owner of names) {
    const model = scenario.model(owner);
    expect(model.taskNames).toEqual(OWNERS[owner]);
    for (const task of OWNERS[owner]) expect(bitsOf(model, task)).toBe(bitsOf(local, task));
  }
}

describeNats("curator and join at a real server (needs dist/)", () => {
  test.skipIf(!built)(
    "four processes get the local fit's models, bit for bit; a repeated command has nothing to do over",
    async () => {
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
    },
  );
});
