import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { expectedShare } from "../../../src/learning/index.js";
import { gaussianEpsilon, gaussianMu } from "../../../src/privacy/accounting/gdp.js";
import {
  accountForDelta,
  gaussianEvent,
  Ledger,
  pureEvent,
  randomAllocationEvent,
} from "../../../src/privacy/index.js";
import { makeEstimator, modelCard, simulate } from "../../../src/index.js";
import { thorough } from "../../thorough.js";
import { testIo } from "../io.js";
import { temporaryFolder } from "../../temporary.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

async function run(...args: string[]) {
  const io = testIo();
  const code = await main(["account", ...args], io);
  const document = args.includes("--json") ? (JSON.parse(io.out()) as Record<string, unknown>) : {};
  return { code, out: io.out(), err: io.err(), document };
}

describe("from flags", () => {
  test("flags of a table are told that none is read", async () => {
    const { code, err } = await run("--data", "t.csv", "--ranges", "s.json", "--epsilon", "1");
    expect(code).toBe(2);
    expect(err).toMatch(
      /unknown option --data\. No table is read here: --tasks, --rows and --features/,
    );
    expect(err).not.toContain("--delta?");
  });

  test("the text never shows an epsilon or delta below the one computed", async () => {
    for (const noise of [3, 7, 11, 17, 23, 29, 31]) {
      const flags = [
        "--mechanism",
        "gaussian",
        "--noise",
        String(noise),
        "--delta",
        "1.2345674e-5",
      ];
      const { document } = await run(...flags, "--json");
      const { out } = await run(...flags);
      const [, epsilon, delta] = /epsilon (\S+), delta (\S+) by/.exec(out)!;
      expect(Number(epsilon)).toBeGreaterThanOrEqual(document["epsilon"] as number);
      expect(Number(epsilon)).toBeCloseTo(document["epsilon"] as number, 4);
      expect(Number(delta)).toBe(1.23457e-5);
    }
  });

  test("epsilon for a noise and a delta", async () => {
    const { code, document } = await run(
      ..."--mechanism gaussian --rounds 30 --noise 20 --delta 1e-5 --json".split(" "),
    );
    expect(code).toBe(0);
    const want = gaussianEpsilon(Math.sqrt(30 * 2) / 20, 1e-5); // replace: sensitivity sqrt(2)
    expect(document["epsilon"]).toBeCloseTo(want, 9);
    expect(document).toMatchObject({ accountant: "gdp", rounds: 30, adjacency: "replace" });
    const by = document["epsilonByAccountant"] as Record<string, number>;
    expect(by["rdp"]).toBeGreaterThan(want);
    expect(by["pld"]! / want).toBeCloseTo(1, 5);
  });

  test("the noise that is printed for a budget is enough for it", async () => {
    for (const epsilon of [0.21, 0.7, 1, 2, 3.3]) {
      const asked = ["--mechanism", "gaussian-mean", "--rounds", "20", "--delta", "1e-5"];
      const { out } = await run(...asked, "--epsilon", String(epsilon));
      const noise = /noise scale (\S+) in the first round, (\S+) in the last/.exec(out)!;
      const { document } = await run(...asked, "--noise", noise[1]!, "--json");
      expect(document["epsilon"]).toBeLessThanOrEqual(epsilon);
      expect(noise[2]).toBe(noise[1]);
    }
  });

  test("the noise for a budget, over a schedule", async () => {
    const { document } = await run(
      ..."--mechanism gaussian --adjacency zero-out --rounds 4 --schedule polynomial:1".split(" "),
      ..."--epsilon 1 --delta 1e-5 --json".split(" "),
    );
    const mu = gaussianMu(1, 1e-5) / Math.sqrt(1 + 4 + 9 + 16);
    (document["noise"] as number[]).forEach((sigma, i) => {
      expect(sigma * mu * (i + 1)).toBeCloseTo(1, 9);
    });
  });

  test("the papers' delta by the number of tasks, which has to be said", async () => {
    const noise = "--mechanism gaussian --rounds 30 --noise 20 --delta papers".split(" ");
    const { document } = await run(...noise, "--tasks", "50", "--json");
    expect(document["delta"]).toBe(1 / (50 * Math.log(50)));
    expect(document["epsilon"]).toBeCloseTo(
      gaussianEpsilon(Math.sqrt(30) * (Math.SQRT2 / 20), 1 / (50 * Math.log(50))),
      6,
    );
    const { code, err } = await run(...noise);
    expect(code).toBe(2);
    expect(err).toContain("--delta papers: goes by the number of tasks; say how many (--tasks)");
  });

  test("delta for a noise and an epsilon, with the papers' mechanism named for what it is", async () => {
    const { document, out } = await run(
      ..."--mechanism wishart --adjacency zero-out --noise 5 --epsilon 1 --json".split(" "),
    );
    expect(document["delta"]).toBeCloseTo(-Math.expm1(-0.1), 9);
    expect(document["sound"]).toBe(false);
    expect(out).toContain("not eps-DP");
    const { out: text } = await run(
      ..."--mechanism wishart --rounds 10 --epsilon 1 --delta 1e-5".split(" "),
    );
    expect(text).toContain("NOT SOUND");
  });
});

describe("from a file", () => {
  test("one ledger is accounted for at its own delta unless another is asked for; two have none", async () => {
    const path = join(folder, "own-delta.json");
    const entries = [{ round: 1, event: gaussianEvent({ sigma: 8 }) }];
    writeFileSync(path, JSON.stringify({ delta: 1e-4, unit: "task", entries }));
    const own = await run("--events", path, "--json");
    expect(own.document).toEqual(
      (await run("--events", path, "--delta", "1e-4", "--json")).document,
    );
    expect(own.document).not.toEqual(
      (await run("--events", path, "--delta", "1e-5", "--json")).document,
    );
    expect((await run("--events", `${path},${path}`)).err).toContain("--epsilon, --delta");
  });

  test("what holds no events is said to, and shows nothing of what it holds", async () => {
    const folder = temporaryFolder();
    const table = join(folder, "table.csv");
    writeFileSync(table, "school,secret\na,1\n");
    const { code, err } = await run("--events", table, "--delta", "1e-5");
    expect(code).toBe(3);
    expect(err).toContain("table.csv: not JSON from line 1 on");
    expect(err).not.toContain("secret");
    const model = await run("--events", folder, "--delta", "1e-5");
    expect(model.err).toContain("this is a directory, expected a file. The ledger of a model is in its folder's model-card.json"); // prettier-ignore
  });

  test("events with counts, or a ledger", async () => {
    const event = pureEvent({ epsilon: 0.1 });
    const list = join(folder, "events.json");
    writeFileSync(list, JSON.stringify([{ ...event, count: 10 }]));
    const { document } = await run("--events", list, "--delta", "0", "--json");
    expect(document["epsilon"]).toBeCloseTo(1, 9);

    const ledger = new Ledger({ epsilon: 1, delta: 0, adjacency: "replace" });
    ledger.charge(event, { round: 1 });
    const stored = join(folder, "ledger.json");
    writeFileSync(stored, JSON.stringify(ledger));
    const second = await run("--events", stored, "--delta", "0", "--json");
    expect(second.document["epsilon"]).toBeCloseTo(0.1, 9);
  });

  test("of several, what they cost together; not of tasks and of records", async () => {
    const stored = (name: string, unit: "task" | "record", noiseSource: "secure" | "seeded") => {
      const ledger = new Ledger({ epsilon: 1, delta: 0, adjacency: "replace", unit, noiseSource });
      ledger.charge(pureEvent({ epsilon: 0.1 }), { round: 1 });
      writeFileSync(join(folder, name), JSON.stringify(ledger));
      return join(folder, name);
    };
    const one = stored("one.json", "task", "secure");
    const both = (other: string) => run("--events", `${one},${other}`, "--delta", "0", "--json");
    const { document } = await both(one);
    expect(document).toMatchObject({ unit: "task", noiseSource: "secure", rounds: 2 });
    expect(document["epsilon"]).toBeCloseTo(0.2, 9);
    expect((await both(stored("two.json", "task", "seeded"))).document["noiseSource"]).toBe(
      "seeded",
    );
    const { code, err } = await both(stored("three.json", "record", "secure"));
    expect(code).toBe(3);
    expect(err).toContain("expected releases that hide one unit, got task and record");
    const list = join(folder, "silent.json");
    writeFileSync(list, JSON.stringify([pureEvent({ epsilon: 0.1 })]));
    expect((await both(list)).document["unit"]).toBeUndefined();
  });

  test("a delta by the number of tasks is for releases that hide tasks", async () => {
    const of = (unit: "task" | "record") => {
      const ledger = new Ledger({ epsilon: 1, delta: 0, adjacency: "replace", unit });
      ledger.charge(pureEvent({ epsilon: 0.5 }), { round: 1 });
      const path = join(folder, `${unit}.json`);
      writeFileSync(path, JSON.stringify(ledger));
      return run("--events", path, "--delta", "papers", "--tasks", "50", "--json");
    };
    expect((await of("task")).document["delta"]).toBe(1 / (50 * Math.log(50)));
    expect((await of("record")).err).toContain(
      "--delta papers: goes by the number of tasks, and these releases hide one record",
    );
  });

  test("of several it is said that a later run must not hang on what an earlier one showed", async () => {
    const path = join(folder, "settled.json");
    const ledger = new Ledger({ epsilon: 0.5, delta: 1e-6, adjacency: "replace", unit: "task" });
    ledger.charge(gaussianEvent({ sigma: 30 }), { round: 1 });
    writeFileSync(path, JSON.stringify(ledger));
    const twice = ["--events", `${path},${path}`, "--delta", "1e-5"];
    const settled =
      /^holds of runs whose noise was settled before .* add up, here to \(1, 0.000002\)$/m;
    expect((await run(...twice)).out).toMatch(settled);
    expect((await run(...twice, "--json")).document["assumed"]).toMatch(settled);
    const { document } = await run("--events", path, "--delta", "1e-5", "--json");
    expect(document).not.toHaveProperty("assumed");
    const list = join(folder, "no-budget.json");
    writeFileSync(list, JSON.stringify([gaussianEvent({ sigma: 30 })]));
    const other = await run("--events", `${path},${list}`, "--delta", "1e-5", "--json");
    expect(other.document["assumed"]).toMatch(/to which epsilons and deltas add up$/);
  });

  test.each<[string, object, RegExp]>([
    ["two lists", { events: [], entries: [{ round: 1, event: pureEvent({ epsilon: 1 }) }] }, /expected them or the entries of a ledger, got both/],
    ["a list beside a DpEvent", { class_name: "NoOpDpEvent", adjacency: "replace", entries: [] }, /event.entries: expected only the fields of a NoOpDpEvent/],
    ["another word for seeded noise", { events: [], noiseSource: "Seeded" }, /noiseSource: expected one of secure, seeded/],
    ["another word for true", { events: [], nominal: "true" }, /nominal: expected one of true, false/],
    ["another unit", { events: [], unit: "household" }, /unit: expected one of task, record, person/],
  ])("%s is refused", async (_, content, message) => {
    const path = join(folder, "told-twice.json");
    writeFileSync(path, JSON.stringify(content));
    const { code, err } = await run("--events", path, "--delta", "0.1");
    expect(code).toBe(3);
    expect(err).toMatch(message);
  }); // prettier-ignore

  test("an unknown event is refused with its place, exit code 3", async () => {
    const list = join(folder, "events.json");
    writeFileSync(list, JSON.stringify([{ kind: "magic", adjacency: "replace" }]));
    const { code, err } = await run("--events", list, "--delta", "0.1");
    expect(code).toBe(3);
    expect(err).toContain("events[0].kind: expected one of gaussian");
  });
});

test("draws epsilon over rounds", async () => {
  const plot = join(folder, "epsilon.svg");
  const { code } = await run(
    ..."--mechanism gaussian --rounds 40 --noise 20 --delta 1e-5 --plot".split(" "),
    plot,
  );
  expect(code).toBe(0);
  const path = /class="line[^"]*" d="M([^"]*)"/.exec(readFileSync(plot, "utf8"))![1]!;
  const heights = path.split("L").map((point) => Number(point.split(",")[1]));
  expect(heights.length).toBeGreaterThan(5);
  expect(heights).toEqual([...heights].sort((a, b) => b - a)); // epsilon only grows
});

test("epsilon over rounds is that of the accountant that was asked for", async () => {
  const curveBy = async (accountant: string) => {
    const plot = join(folder, `epsilon-${accountant}.svg`);
    const flags = "--mechanism gaussian --rounds 40 --noise 20 --delta 1e-5 --plot".split(" ");
    expect((await run(...flags, plot, "--accountant", accountant)).code).toBe(0);
    return readFileSync(plot, "utf8");
  };
  // For Gaussian noise auto is exact, and Renyi accounting says more.
  expect(await curveBy("rdp")).not.toBe(await curveBy("auto"));
  expect(await curveBy("gdp")).toBe(await curveBy("auto"));
});

test("contradictory or missing options are usage errors", async () => {
  expect((await run("--delta", "0.1")).code).toBe(2);
  expect((await run(..."--mechanism gaussian --noise 1".split(" "))).code).toBe(2);
  expect((await run(..."--mechanism gaussian --epsilon 1".split(" "))).code).toBe(2);
  const refused = await run(
    ..."--mechanism gaussian --noise 1 --delta 0.1 --accountant kov".split(" "),
  );
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("not pure");
});

test.each([
  ["--schedule", "--mechanism gaussian --noise 3 --delta 1e-5 --schedule constant"],
  ["--sampling-rate", "--mechanism gaussian --noise 3 --delta 1e-5 --sampling-rate 0.1"],
  ["--picks", "--mechanism gaussian --noise 3 --delta 1e-5 --picks 2"],
  ["--degrees-of-freedom", "--mechanism gaussian --noise 3 --delta 1e-5 --degrees-of-freedom 7"],
  ["--noise", "--events none.json --noise 3 --delta 1e-5"],
])("%s is refused where nothing would read it", async (flag, args) => {
  const { code, err } = await run(...args.split(" "));
  expect(code).toBe(2);
  expect(err).toContain(`${flag} goes with --mechanism`);
});

test("--picks plans and prices an allocation, all of it with its first round", async () => {
  const given = "--mechanism gaussian-mean --adjacency zero-out --rounds 10 --delta 1e-5 --json";
  const priced = await run(...given.split(" "), "--picks", "1", "--noise", "1");
  const event = randomAllocationEvent({ sigma: 1, rounds: 10 });
  expect(priced.document["epsilon"]).toBe(accountForDelta([event], { delta: 1e-5 }).epsilon);
  if (thorough) {
    const planned = await run(...given.split(" "), "--picks", "1", "--epsilon", "2");
    expect(planned.code).toBe(0);
    expect(planned.document["epsilon"]).toBeLessThanOrEqual(2);
  }
  const twice = await run(...given.split(" "), ..."--picks 1 --sampling-rate 0.1 --noise 1".split(" ")); // prettier-ignore
  expect(twice).toMatchObject({ code: 2 });
  expect(twice.err).toContain("--picks goes with no --sampling-rate");
});

describe("a ledger says what its epsilon is of", () => {
  const { train } = simulate({ pattern: "low-rank", tasks: 12, features: 3, seed: 1 });
  const secure = { random: { mode: "secure" }, epsilon: 1, delta: 1e-5 };

  test.each<[string, string, object, string]>([
    ["tasks", "mp-mixed", { scale: "unit" }, "one task"],
    ["records", "mp-mixed", { scale: "unit", unit: "record" }, "one record"],
    ["persons", "mp-mixed", { scale: "unit", unit: "record", rowsPerPerson: 2 }, "all rows of one person, of no more than the fit was told (how many: the file does not say)"],
    ["tasks and records", "pmtl", { unit: "both" }, "one task"],
    ["records, lifted to tasks", "dp-aggregation", { featureBound: 100 }, "one record"],
    ["records, of an untrusted curator", "mp-low-rank", { curator: "untrusted", recordEpsilon: 1 }, "one record"],
  ])("%s", async (_, method, options, unit) => {
    const model = await makeEstimator(method, { ...secure, ...options }).fit(train);
    const ledger = method === "mp-low-rank" ? model.recordLedger : model.ledger;
    const path = join(folder, "ledger.json");
    writeFileSync(path, JSON.stringify(ledger));
    const { code, out } = await run("--events", path, "--delta", "1e-5");
    expect(code).toBe(0);
    expect(out).toContain(`, replace ${unit}\n`);
    expect(out).not.toContain("NOT PRIVATE");
    const { document } = await run("--events", path, "--delta", "1e-5", "--json");
    expect(document).toMatchObject({ unit: ledger!.unit, noiseSource: "secure" });
  }); // prettier-ignore

  test("of several files that hide persons, those with as many rows as each of them hides", async () => {
    const paths = await Promise.all(
      [2, 3].map(async (rowsPerPerson) => {
        const options = { ...secure, scale: "unit", unit: "record", rowsPerPerson };
        const path = join(folder, `persons-${rowsPerPerson}.json`);
        const model = await makeEstimator("mp-mixed", options).fit(train);
        writeFileSync(path, JSON.stringify(modelCard(model)));
        return path;
      }),
    );
    const args = ["--events", paths.join(","), "--delta", "1e-5"];
    expect((await run(...args)).out).toContain(", replace all rows of one person, at most 2 in one task\n"); // prettier-ignore
    const person = { rowsPerPerson: 2, tasksPerPerson: 1 };
    expect((await run(...args, "--json")).document).toMatchObject({ unit: "person", person });
  });

  test.each([
    ["dp-aggregation", { featureBound: 100, slopeBound: "data" }],
    ["mp-low-rank", { mechanism: "wishart", featureBound: 100 }],
  ] as const)("and that %s's charges are nominal", async (method, options) => {
    const { ledger } = await makeEstimator(method, { ...secure, ...options }).fit(train);
    const path = join(folder, "ledger.json");
    writeFileSync(path, JSON.stringify(ledger));
    expect((await run("--events", path, "--delta", "1e-5")).out).toMatch(/^NOT SOUND: .* nominal/m);
    const { document } = await run("--events", path, "--delta", "1e-5", "--json");
    expect(document).toMatchObject({ sound: false });
  });

  test.each([
    ["pmtl", { unit: "record", ownModel: "noisy", localSteps: 2 }, true],
    ["mp-low-rank", { curator: "untrusted", recordEpsilon: 1 }, true],
    // Its models are the shared one: there is nothing beside.
    ["private-fedavg", { unit: "record", ownModel: "noisy" }, false],
    ["pmtl", { unit: "record" }, false],
  ] as const)(
    "and of %s with %o whether there are releases beside",
    async (method, more, others) => {
      const model = await makeEstimator(method, { ...secure, ...more }).fit(train);
      const path = join(folder, "model-card.json");
      writeFileSync(path, JSON.stringify(modelCard(model)));
      const { out } = await run("--events", path);
      expect(out.includes("is not in this")).toBe(others);
      const { document } = await run("--events", path, "--json");
      expect("notCounted" in document).toBe(others);
    },
  );

  test("and whether anyone can subtract its noise; an older one, and a list, do not say", async () => {
    const seeded = { ...secure, scale: "unit", random: { mode: "seeded", seed: "s" } };
    const { ledger } = await makeEstimator("mp-mixed", seeded).fit(train);
    const path = join(folder, "ledger.json");
    writeFileSync(path, JSON.stringify(ledger));
    expect((await run("--events", path, "--delta", "1e-5")).out).toMatch(/^NOT PRIVATE/m);
    const { unit: _unit, noiseSource: _source, ...older } = ledger!.toJSON();
    for (const stored of [older, older.entries.map(({ event }) => event)]) {
      writeFileSync(path, JSON.stringify(stored));
      const { out } = await run("--events", path, "--delta", "1e-5");
      expect(out).toMatch(/, replace one of what .* the file does not say/);
      expect(out).not.toMatch(/one task,|NOT PRIVATE/);
    }
  });
});

test("--dp-event writes what --events reads, at the same cost", async () => {
  const path = join(folder, "releases.json");
  const flags = ["--mechanism", "gaussian", "--rounds", "30", "--noise", "20", "--delta", "1e-5"];
  const one = await run(...flags, "--dp-event", path, "--json");
  expect(one.code, one.err).toBe(0);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
    class_name: "SelfComposedDpEvent",
    count: 30,
    adjacency: "replace",
  });
  const other = await run("--events", path, "--delta", "1e-5", "--json");
  expect(other.document["epsilon"]).toBeCloseTo(one.document["epsilon"] as number, 9);
  const exact = await run(...flags, "--discrete", "--dp-event", path);
  expect([exact.code, exact.err]).toEqual([2, expect.stringContaining("no counterpart")]);
});

describe("by public sizes", () => {
  test("three tasks at eps 1: next to nothing, said with what would change it", async () => {
    const flags = "--tasks 3 --rows 20 --features 5 --epsilon 1".split(" ");
    const { code, document } = await run(...flags, "--json");
    expect(code).toBe(0);
    expect(document).toMatchObject({ expectedShare: 0, choice: { method: "single-task" } });
    expect((document["warnings"] as string[])[0]).toContain("buys next to nothing");
    const { out } = await run(...flags);
    expect(out).toContain("about 0 %");
    // Least squares of 20 rows on 6 numbers: 6 / 13.
    expect(out).toContain("about 46 % of the noise's variance");
    expect(out).toContain("auto would take single-task");
  });

  test("ten thousand tasks: most of it; the share grows with epsilon and tasks", async () => {
    const flags = "--tasks 10000 --features 5 --epsilon 1 --json".split(" ");
    const { document } = await run(...flags);
    expect(document["expectedShare"]).toBeGreaterThan(0.9);
    expect(document).toMatchObject({ choice: { method: "mp-mixed" }, warnings: [] });
    for (const by of ["byEpsilon", "byTasks"]) {
      const shares = (document[by] as { share: number }[]).map(({ share }) => share);
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
    }
  });

  test("--declared no: what learning how large columns are leaves, in both tables", async () => {
    const sizes = ["--tasks", "60", "--features", "3", "--rows", "12", "--epsilon", "1", "--json"];
    const [yes, no] = [
      await run(...sizes, "--declared", "yes"),
      await run(...sizes, "--declared", "no"),
    ];
    expect((await run(...sizes)).document).toEqual(yes.document);
    const shares = (document: Record<string, unknown>) => [
      document["expectedShare"] as number,
      ...(document["byEpsilon"] as { share: number }[]).map(({ share }) => share),
      ...(document["byTasks"] as { share: number }[]).map(({ share }) => share),
    ];
    shares(no.document).forEach((share, k) => {
      expect(share).toBeLessThanOrEqual(shares(yes.document)[k]!);
    });
    expect(shares(no.document)[0]).toBeLessThan(shares(yes.document)[0]!);
  });

  test("several classes share the budget: four as the half of it", async () => {
    const flags = "--tasks 100 --features 5 --delta 1e-5 --json".split(" ");
    const mu = (epsilon: number) => gaussianMu(epsilon, 1e-5);
    const { document } = await run(
      ...flags,
      ..."--epsilon 2 --loss softmax --classes 4".split(" "),
    );
    // Three with the budget of four: mu / sqrt(3) is that of mu / sqrt(4) at 3/4 of mu squared.
    const same = expectedShare({ mu: mu(2) * Math.sqrt(3 / 4), m: 100, d: 5, classes: 3 });
    expect(same).toBeGreaterThan(0.05);
    expect(document["expectedShare"]).toBeCloseTo(same, 12);
    expect(document).toMatchObject({ classes: 4, choice: { method: "mp-mixed" } });
    const two = await run(...flags, ..."--epsilon 2 --classes 4".split(" "));
    expect(two.err).toContain(
      "--classes goes with --loss softmax and --unit task: change that, or leave --classes out.",
    );
  });

  test("of sizes that are not all there, the missing ones are named", async () => {
    const error = async (flags: string) => (await run(...flags.split(" "))).err;
    expect(await error("--tasks 3 --epsilon 1")).toContain("can buy: --features is missing.");
    expect(await error("--tasks 3")).toContain("can buy: --features and --epsilon are missing.");
    expect(await error("--loss logistic")).toContain("for what a budget can buy.");
  });

  test("labels have shares of their own, by the rows of a task, also in both tables", async () => {
    const flags = "--tasks 60 --features 5 --epsilon 1 --loss logistic".split(" ");
    const of = async (...more: string[]) => (await run(...flags, ...more, "--json")).document;
    const [few, many, unknown] = [await of("--rows", "2"), await of("--rows", "20"), await of()];
    const share = (document: object) => (document as { expectedShare: number }).expectedShare;
    const numbers = (await run(..."--tasks 60 --features 5 --epsilon 1 --json".split(" ")))
      .document;
    expect(share(few)).toBeLessThan(share(unknown));
    expect(share(unknown)).toBeLessThan(share(many));
    expect(share(many)).toBeLessThan(share(numbers));
    const mu = gaussianMu(1, 1e-5);
    const facts = { mu, m: 60, d: 5, classes: 2, rowsPerTask: 20 };
    expect(share(many)).toBeCloseTo(expectedShare(facts), 12);
    expect(many).toMatchObject({ classes: 2, choice: { method: "mp-mixed" } });
    const [byTasks] = (many["byTasks"] as { tasks: number; share: number }[]).filter(({ tasks }) => tasks === 60); // prettier-ignore
    expect(byTasks!.share).toBe(share(many));
    const said = (await run(...flags)).out;
    expect(said).toContain("at 60 tasks, 5 features and 2 classes this budget is expected to buy");
    expect(said).toContain("4 rows a task are reckoned with");
    // What least squares lose is not what labels do.
    expect((await run(...flags, "--rows", "20")).out).not.toContain("least squares");
  });

  test("the papers' delta of three tasks shows one task in three", async () => {
    const { document } = await run(
      ..."--tasks 3 --features 5 --epsilon 10 --delta 0.3035 --json".split(" "),
    );
    expect((document["warnings"] as string[]).join()).toMatch(
      /epsilon 10 or more.*one task in three/,
    );
  });

  test.each([
    ["papers", 1 / (40 * Math.log(40))],
    ["auto", 1e-5],
  ])(
    "--delta %s is that of a fit with so many tasks, for tasks and, of their rows, records",
    async (word, number) => {
      const sizes = "--tasks 40 --features 5 --epsilon 1 --json".split(" ");
      const said = (await run(...sizes, "--delta", word)).document;
      expect(said["delta"]).toBeCloseTo(number, 14);
      // Of other numbers of tasks the word means another delta.
      const { byTasks: _, ...named } = said;
      expect((await run(...sizes, "--delta", String(said["delta"]))).document).toMatchObject(named);
      // A fit that hides records has as many units as rows.
      const records = [...sizes, "--rows", "2", "--unit", "record", "--delta", word];
      const ofRecords = word === "papers" ? 1 / (80 * Math.log(80)) : 1e-5;
      expect((await run(...records)).document["delta"]).toBeCloseTo(ofRecords, 14);
    },
  );

  test("--delta papers is refused below three tasks, as a fit refuses it", async () => {
    const { code, err } = await run(
      ..."--tasks 2 --features 5 --epsilon 1 --delta papers".split(" "),
    );
    expect(code).toBe(2);
    expect(err).toContain("--delta papers, 1/(m ln m), needs at least 3 tasks, found 2");
  });

  test("asks for what is missing, and refuses what means nothing there", async () => {
    expect((await run("--tasks", "3")).err).toContain("--tasks, --features and --epsilon");
    const other = "--tasks 3 --features 5 --epsilon 1 --noise 3".split(" ");
    expect((await run(...other)).err).toContain("--noise goes with --mechanism");
    const rows = "--mechanism gaussian --noise 3 --delta 0.1 --rows 5".split(" ");
    expect((await run(...rows)).err).toContain("--rows goes with");
  });
});

describe("with --unit", () => {
  const sized = "--tasks 10 --rows 20 --features 3 --epsilon 1 --delta 1e-5".split(" ");

  /** The Gaussian sum rule: eps of sensitivities over deviations. */
  const cost = (noises: readonly number[], sensitivities: readonly number[]) =>
    gaussianEpsilon(Math.hypot(...noises.map((noise, k) => sensitivities[k]! / noise)), 1e-5);

  test("record: the noise that is shown costs the budget, by the sensitivities to one record", async () => {
    const { code, document } = await run(...sized, "--unit", "record", "--json");
    expect(code).toBe(0);
    const releases = document["releases"] as { numbers: number; noise: number }[];
    expect(releases.map(({ numbers }) => numbers)).toEqual([15, 10, 2]);
    const epsilon = cost(
      releases.map(({ noise }) => noise),
      [Math.SQRT2, Math.SQRT2, 2],
    );
    expect(epsilon).toBeLessThanOrEqual(1);
    expect(epsilon).toBeGreaterThan(0.99);
    expect(document).toMatchObject({ unit: "record", epsilon: 1, delta: 1e-5 });
  });

  test("a delta that shows records by their number is warned of, though it is small for the tasks", async () => {
    const large = [...sized.slice(0, -1), "0.01", "--unit"];
    const warned = async (...given: string[]) =>
      ((await run(...given, "--json")).document["warnings"] as string[]).join();
    const remark = "delta 0.01 means that one record in 100 may be shown whole";
    expect(await warned(...large, "record")).toContain(`${remark}, whatever epsilon says; of 200`);
    expect(await warned(...large, "both")).toMatch(/one task in 100 .*one record in 100 /);
    expect((await run(...large, "record")).out).toContain(`warning: ${remark}`);
    expect(await warned(...sized, "--unit", "record")).toBe("");
  });

  test("persons cost in proportion to their rows", async () => {
    const noiseOf = async (...more: string[]) => {
      const { document } = await run(...sized, "--unit", "record", "--json", ...more);
      return (document["releases"] as { noise: number }[])[0]!.noise;
    };
    const ratio = (await noiseOf("--rows-per-person", "3")) / (await noiseOf());
    expect(ratio).toBeCloseTo(3, 2);
  });

  test("both: a record's own epsilon is said, smaller than a task's", async () => {
    const { document, out } = await run(...sized, "--unit", "both", "--json");
    const recordOf = document["recordOf"] as { epsilon: number; delta: number };
    const noises = (document["releases"] as { noise: number }[]).map(({ noise }) => noise);
    const want = cost(noises, [Math.SQRT2, Math.SQRT2, 2]);
    expect(recordOf.epsilon).toBeGreaterThanOrEqual(want * (1 - 1e-9));
    expect(recordOf.epsilon / want).toBeCloseTo(1, 2);
    expect(recordOf.epsilon).toBeLessThan(1);
    expect(out).toContain("recordOf");
  });

  test("by gradients: the closed form of the rounds, for records and for tasks with them", async () => {
    const given = [...sized, "--method", "pmtl", "--rounds", "8", "--json"];
    // Rows of norm 1, in units of the 20 of a task; tasks of norm 3 with rows of norm 2.
    const planned = async (...more: string[]) => (await run(...given, ...more)).document;
    const ofRounds = (document: Record<string, unknown>, moved: number) => {
      const [{ noise, rounds }] = document["releases"] as [{ noise: number; rounds: number }];
      expect(rounds).toBe(8);
      return gaussianEpsilon((Math.sqrt(8) * moved) / noise, 1e-5);
    };
    const records = await planned("--unit", "record");
    expect(records).toMatchObject({
      method: "pmtl",
      releases: [{ release: "gradients", numbers: 4 }],
    });
    expect(records["expectedShare"]).toBeUndefined();
    expect(ofRounds(records, 2 / 20)).toBeLessThanOrEqual(1);
    expect(ofRounds(records, 2 / 20)).toBeGreaterThan(0.999);
    const both = await planned("--unit", "both", "--clip", "3", "--record-clip", "2");
    expect(ofRounds(both, 2 * 3)).toBeGreaterThan(0.999);
    const { epsilon } = both["recordOf"] as { epsilon: number };
    expect(epsilon).toBeGreaterThanOrEqual(ofRounds(both, (2 * 2) / 20));
    expect(epsilon).toBeLessThan(1.01 * ofRounds(both, (2 * 2) / 20));
    expect((await run(...given, "--unit", "record")).out).toContain("gradients");
    if (!thorough) return;
    const sampled = await planned(
      "--unit",
      "record",
      "--adjacency",
      "zero-out",
      "--sampling-rate",
      "0.1",
    );
    const [{ noise }] = sampled["releases"] as [{ noise: number }];
    // Amplified: the same noise would cost more if all rows counted.
    expect(gaussianEpsilon(Math.sqrt(8) / 20 / noise, 1e-5)).toBeGreaterThan(2);
  });

  test("noisy models: the closed forms of what all see, and of that with a task's own releases", async () => {
    const planned = async (...more: string[]) =>
      (await run(...sized, "--unit", "record", "--own-model", "noisy", "--json", ...more)).document;
    for (const [more, moved] of [
      [
        ["--method", "pmtl", "--rounds", "8", "--local-steps", "5"],
        [2 / 20, 2 / 20],
      ],
      [[], [Math.SQRT2, Math.SQRT2, 2, Math.SQRT2]],
    ] as const) {
      const document = await planned(...more);
      const releases = document["releases"] as { release: string; noise: number; rounds: number }[];
      expect(releases.at(-1)!.release).toBe("own");
      expect(releases).toHaveLength(moved.length);
      const muOf = (some: typeof releases) =>
        Math.sqrt(some.reduce((sum, { noise, rounds }, k) => sum + rounds * (moved[k]! / noise) ** 2, 0)); // prettier-ignore
      const ownModel = document["ownModel"] as { epsilon: number; delta: number };
      expect(ownModel).toEqual({ epsilon: 1, delta: 1e-5 });
      const all = gaussianEpsilon(muOf(releases), 1e-5);
      expect(all).toBeLessThanOrEqual(1);
      expect(all).toBeGreaterThan(0.99);
      const shared = gaussianEpsilon(muOf(releases.slice(0, -1)), 1e-5);
      expect((document["epsilon"] as number) / shared).toBeCloseTo(1, 2);
      expect(document["epsilon"] as number).toBeGreaterThanOrEqual(shared * (1 - 1e-6));
      expect(document["expectedShare"]).toBeUndefined();
    }
    // The shared model is everyone's: nothing more is released.
    const shared = await planned("--method", "private-fedavg", "--rounds", "8");
    expect(shared).toMatchObject({ epsilon: 1, ownModel: { epsilon: 1 } });
    expect(shared["releases"]).toHaveLength(1);
    const { out } = await run(...sized, "--unit", "record", "--own-model", "noisy");
    expect(out).toMatch(/epsilon 0\.\d+, delta .* against all other tasks together/);
    expect(out).toMatch(/epsilon 1, delta .* against whoever is given its task's own model/);
  });

  test("models that a row moves little: the closed form of the rounds", async () => {
    const given = [
      "--unit",
      "record",
      "--method",
      "mp-feature-learning",
      "--rounds",
      "3",
      "--json",
    ];
    const { document } = await run(...sized.map((one) => (one === "20" ? "200" : one)), ...given);
    const [{ noise, numbers, release }] = document["releases"] as [{ noise: number; numbers: number; release: string }]; // prettier-ignore
    expect({ release, numbers }).toEqual({ release: "models", numbers: 6 });
    // Twice 2 / (0.1 n) for a row that is replaced.
    const epsilon = gaussianEpsilon((Math.sqrt(3) * 4) / (0.1 * 200) / noise, 1e-5);
    expect(epsilon).toBeLessThanOrEqual(1);
    expect(epsilon).toBeGreaterThan(0.99);
  });

  test("methods that do not hide records, and options that they do not have, are refused", async () => {
    const err = async (...more: string[]) => (await run(...sized, ...more)).err;
    expect(await err("--unit", "record", "--method", "mp-low-rank")).toMatch(
      /--method: expected one of .*pmtl/,
    );
    expect(await err("--unit", "record", "--method", "mp-mixed", "--rounds", "3")).toMatch(
      /--rounds: mp-mixed/,
    );
    expect(await err("--unit", "record", "--method", "pmtl", "--loss", "softmax")).toMatch(
      /--loss: how many/,
    );
    expect(
      await err("--unit", "record", "--method", "mp-hierarchical", "--own-model", "noisy"),
    ).toMatch(/--own-model: mp-hierarchical has no such option/);
    expect(await err("--unit", "both", "--own-model", "noisy")).toMatch(
      /--own-model goes with --unit record/,
    );
    expect(await err("--unit", "record", "--local-steps", "3")).toMatch(
      /--local-steps goes with --own-model noisy/,
    );
    expect(await err("--method", "pmtl")).toMatch(/--method goes with --unit record or both/);
    expect(await err("--unit", "both", "--record-clip", "2")).toMatch(
      /--record-clip goes with --method/,
    );
  });

  test("refuses to guess the rows, another loss, and flags that belong together", async () => {
    const without = "--tasks 10 --features 3 --epsilon 1 --unit record".split(" ");
    expect((await run(...without)).err).toMatch(/--rows: needed with --unit record/);
    expect((await run(...sized, "--unit", "record", "--loss", "logistic")).err).toMatch(/loss/);
    expect((await run(...sized, "--rows-per-person", "2")).err).toMatch(/--unit record or both/);
  });
});

test("the releases of a model are accounted from its card, and those of a run from its file", async () => {
  const { train } = simulate({ pattern: "low-rank", tasks: 20, features: 3, seed: 1 });
  const model = await makeEstimator("mp-feature-learning", { epsilon: 2, delta: 1e-4 }).fit(train);
  if (model.guarantee.kind !== "joint") throw new Error("expected a guarantee");
  for (const name of ["model-card.json", "run.json"]) {
    const path = join(folder, name);
    const ledger = (model as { ledger?: { toJSON: () => unknown } }).ledger;
    writeFileSync(path, JSON.stringify({ format: name, ledger: ledger!.toJSON() }));
    const { document, out } = await run("--events", path, "--delta", "1e-4", "--json");
    expect(document["epsilon"], out).toBeCloseTo(model.guarantee.epsilon, 3);
  }
  const path = join(folder, "other.json");
  writeFileSync(path, JSON.stringify({ format: "other" }));
  expect((await run("--events", path, "--delta", "1e-4")).err).toContain("or a ledger");
});
