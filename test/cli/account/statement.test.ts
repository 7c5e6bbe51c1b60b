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

describe("every field of what a card states is held to its releases, as reading the model does", () => {
  const random = { mode: "seeded", seed: 1 } as const;
  const { train } = simulate({ pattern: "low-rank", tasks: 30, features: 2, seed: 1 });
  const cardOf = async (options: object) =>
    modelCard(
      await makeEstimator("mp-mixed", { epsilon: 2, scale: "unit", ...options }).fit(train),
    );

  let plain: ModelCard;
  beforeAll(async () => {
    plain = await cardOf({});
  });

  async function told(card: object) {
    const path = join(temporaryFolder(), "model-card.json");
    writeFileSync(path, JSON.stringify(card));
    const io = testIo();
    const code = await main(["account", "--events", path], io);
    return `${code}: ${io.out()}`;
  }

  const BORNE = /bear that out/;

  test.each([
    ["another unit", { unit: "record" }, /unit: its ledger hides one task/],
    ["a unit that there is not", { unit: "galaxy" }, /unit: it is none that is written/],
    ["less of Gaussian DP", { gaussian: { mu: 1e-3, fit: "exact" } }, /gaussian: it promises more/],
    ["what one record has", { recordOf: { epsilon: 1e-3, delta: 1e-9, sensitivities: [1, 1] } }, /recordOf/],
    ["private with seeded noise", { private: true, noiseSource: "seeded" }, /private: its noise was seeded/],
    ["another adjacency", { adjacency: "zero-out" }, /adjacency: its ledger is of another/],
    ["a promise to records alone", { kind: "record" }, /kind: it is that of a statement of records/],
    ["a gain at no rate", { attacker: { truePositiveRate: 0.9 } }, /attacker: it promises more/],
    ["hidden persons", { person: { rowsPerPerson: 1, tasksPerPerson: 1 } }, /person: its ledger hides none/],
  ])("%s", async (_what, changed, why) => {
    const out = await told({ ...plain, guarantee: { ...plain.guarantee, ...changed } });
    expect(out).toMatch(/^3: /);
    expect(out).toMatch(/NOT BORNE OUT/);
    expect(out).toMatch(why);
    expect(out).not.toMatch(BORNE);
  }); // prettier-ignore

  test("an attacker's gain, and a statement for records without the ledger that it is of", async () => {
    const card = await cardOf({ random, unit: "both" });
    // How far a record moves the releases is in no ledger.
    expect(await told(card)).toMatch(/^NOT ALL CHECKED: .*: recordOf, as how far a record moves/m);
    const { guarantee } = card;
    const attacker = {
      ...Object(guarantee as { attacker?: object }).attacker,
      truePositiveRate: 0,
    };
    expect(await told({ ...card, guarantee: { ...guarantee, attacker } })).toMatch(/attacker: it/);
    const recordGuarantee = { ...guarantee, kind: "record", sound: true, noiseSource: "secure" };
    expect(await told({ ...card, recordGuarantee, recordLedger: null })).toMatch(
      /NOT BORNE OUT.*recordGuarantee: there is no ledger/,
    );
  });

  test("of a ledger that does not say what it hides, it is not said that it bears out a unit", async () => {
    expect(await told(plain)).toMatch(BORNE);
    const { unit: _none, ...older } = plain.ledger as unknown as { unit: string };
    const out = await told({ ...plain, ledger: older });
    expect(out).toMatch(/^NOT ALL CHECKED: .*: unit, which its ledger does not say$/m);
    expect(out).not.toMatch(BORNE);
  });

  test("nor, of one that does not say it, that its noise was secure; owners say themselves how far they move a sum", async () => {
    const { noiseSource: _none, ...older } = plain.ledger as unknown as { noiseSource: string };
    expect(await told({ ...plain, ledger: older })).toMatch(
      /^NOT ALL CHECKED: .*: noiseSource, which its ledger does not say$/m,
    );
    const owners = await cardOf({ unit: "both", taskEpsilons: { [train.names[0]!]: 1 } });
    expect(await told(owners)).toMatch(
      /^NOT ALL CHECKED: .*; owners, as how far the units of each/m,
    );
  });

  test("what nominal noise holds in truth is not stated smaller", async () => {
    const options = { epsilon: 2, clip: 3, mechanism: "wishart" };
    const card = modelCard(await makeEstimator("mp-low-rank", options).fit(train));
    expect(await told(card)).toMatch(BORNE);
    const { delta } = card.guarantee as { delta: number };
    const guarantee = { ...card.guarantee, delta: delta / 2 };
    expect(await told({ ...card, guarantee })).toMatch(/NOT BORNE OUT.*promises more/);
  });

  test("what a curator wrote of its run is held to its plan's options", async () => {
    const { guarantee, ledger, options } = await cardOf({ unit: "record", rowsPerPerson: 2, ownModel: "noisy" });
    const run = { format: "mp-mtl-run", version: 1, guarantee, ledger };
    expect(await told({ ...run, plan: { options } })).toMatch(BORNE);
    const other = { ...options, rowsPerPerson: 3 };
    expect(await told({ ...run, plan: { options: other } })).toMatch(/NOT BORNE OUT.*person: the options/);
    expect(await told(run)).toMatch(/^NOT ALL CHECKED: .*: person, as there are no options/m);
  }); // prettier-ignore
});
