import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeEstimator, modelCard, simulate, type ModelCard } from "../../../src/index.js";
import { main } from "../../../src/cli/run.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

describe("account --events of a model card", () => {
  let card: ModelCard;
  beforeAll(async () => {
    const { train } = simulate({ pattern: "low-rank", tasks: 40, features: 3, seed: 1 });
    card = modelCard(await makeEstimator("mp-feature-learning", { epsilon: 1 }).fit(train));
  });

  async function account(changed: object, ...more: string[]) {
    const path = join(temporaryFolder(), "model-card.json");
    writeFileSync(path, JSON.stringify({ ...card, ...changed }));
    const io = testIo();
    const code = await main(["account", "--events", path, ...more], io);
    return { code, out: io.out() };
  }

  test("says that the releases bear out what the card states", async () => {
    const { code, out } = await account({});
    expect(code).toBe(0);
    expect(out).toMatch(
      /model-card\.json states \(1, .*\)-DP, and the releases in it bear that out/,
    );
  });

  test("finds an epsilon that was made smaller, and what it really is", async () => {
    const { code, out } = await account({ guarantee: { ...card.guarantee, epsilon: 0.1 } });
    expect(code).toBe(3);
    expect(out).toMatch(/^epsilon 1, /m);
    expect(out).toMatch(
      /^NOT BORNE OUT: .*states \(0\.1, .* promises more than its ledger paid for/m,
    );
  });

  test("finds seeded noise that is said to be secure, and a release that was left out", async () => {
    const seeded = { ...card.ledger!, noiseSource: "seeded" };
    expect((await account({ ledger: seeded })).out).toMatch(/^NOT BORNE OUT: .*seeded/m);
    const fewer = { ...card.ledger!, entries: card.ledger!.entries.slice(1) };
    expect((await account({ ledger: fewer })).code).toBe(3);
  });

  test("says so as JSON, too; of a list of events nothing is stated", async () => {
    const { out } = await account({}, "--json");
    expect(JSON.parse(out)).toHaveProperty("stated[0].epsilon", 1);
    const { guarantee: _none, ...rest } = card;
    const path = join(temporaryFolder(), "ledger.json");
    writeFileSync(path, JSON.stringify(rest));
    const io = testIo();
    await main(["account", "--events", path, "--json"], io);
    expect(JSON.parse(io.out())).not.toHaveProperty("stated");
  });
});
