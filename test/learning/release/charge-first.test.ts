/** The central promise: a release is charged before its noise is drawn, and kept with its charge before it is used. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openCore, type Core } from "../../../src/core/index.js";
import { MpLowRank } from "../../../src/learning/index.js";
import { checkOptions } from "../../../src/learning/options/configured-estimator.js";
import {
  releaseOptions,
  type ReleaseOptions,
} from "../../../src/learning/options/private-options.js";
import { planReleases } from "../../../src/learning/release/plan-releases.js";
import { PrivateReleases } from "../../../src/learning/release/private-releases.js";
import type { Participants } from "../../../src/learning/round/participants.js";
import { RecordNoise } from "../../../src/learning/round/record-noise.js";
import type { ReleaseJournal } from "../../../src/learning/round/release-journal.js";
import { openJournal } from "../../../src/node/index.js";
import { createMechanism, Ledger, type Mechanism } from "../../../src/privacy/index.js";
import { temporaryFolder } from "../../temporary.js";
import { makeTasks } from "../tasks.js";

const random = { mode: "seeded", seed: "first" } as const;
const options = checkOptions<ReleaseOptions>(
  "plan",
  { delta: 1e-5, noise: "float", random },
  releaseOptions,
);
const m = 10;

/** Two stages, the last a vote, whose mechanisms say when they draw. */
function watched(drawn: (name: string) => void) {
  const spied = (name: string, dimension: number): Mechanism => {
    const mechanism = createMechanism({
      statistic: "vector",
      tasks: m,
      dimension,
      clip: 1,
      delta: 1e-5,
      discrete: true,
    });
    return {
      ...mechanism,
      perturb: (...args) => {
        drawn(name);
        mechanism.perturb(...args);
      },
    };
  };
  return planReleases({
    options,
    tasks: m,
    stages: [
      { statistic: "vector", m, d: 4, clip: 1, rounds: 3, mechanism: spied("round", 4) },
      {
        statistic: "vector",
        m,
        d: 2,
        clip: 1,
        rounds: 1,
        budgetShare: 0.2,
        label: "choice",
        mechanism: spied("vote", 2),
      },
    ],
  });
}

/** Makes all releases of a plan, in order. */
function releaseAll(core: Core, releases: PrivateReleases, used: () => void): void {
  const at = core.arena.zeros(4);
  for (const [k, { first, rounds }] of releases.plan.stages.entries()) {
    for (let t = 0; t < rounds; t++) {
      releases.stages[k]!.perturb(at, first + t);
      used();
    }
  }
}

describe("every release, the last like the first", () => {
  test("is charged when its noise is drawn, and on the disk with its charge when it is used", () => {
    const folder = join(temporaryFolder(), "run");
    const seen: string[] = [];
    const charged = () => releases.ledger.entries.length;
    const plan = watched((name) => seen.push(`${name} drawn with ${charged()} charged`));
    const journal = openJournal(folder, "order");
    const core = openCore();
    const releases: PrivateReleases = new PrivateReleases(plan, { core, random, journal });
    releaseAll(core, releases, () => {
      // After whose journal it is and its ledger.
      const name = `${String(charged() + 2).padStart(6, "0")}.record`;
      const written = readFileSync(join(folder, name), "latin1").includes(`"round":${charged()}`);
      seen.push(`used ${written && journal.read(charged()) ? "as written" : "unwritten"}`);
    });
    journal.close();
    expect(seen).toEqual([
      "round drawn with 1 charged",
      "used as written",
      "round drawn with 2 charged",
      "used as written",
      "round drawn with 3 charged",
      "used as written",
      "vote drawn with 4 charged",
      "used as written",
    ]);
  });

  test.each([1, 2, 3, 4])("draws no noise where charge %i is refused", (refused) => {
    class Refusing extends Ledger {
      override charge(...args: Parameters<Ledger["charge"]>): void {
        if (this.entries.length + 1 === refused) throw new Error("the disk is full");
        super.charge(...args);
      }
    }
    const journal: ReleaseJournal = {
      openLedger: (budget) => new Refusing(budget),
      read: () => undefined,
      write: () => undefined,
    };
    let draws = 0;
    const plan = watched(() => draws++);
    const core = openCore();
    const releases = new PrivateReleases(plan, { core, random, journal });
    expect(() => {
      releaseAll(core, releases, () => undefined);
    }).toThrow("the disk is full");
    expect(draws).toBe(refused - 1);
  });
});

test("a task's noise against an untrusted curator is drawn only once it is charged", () => {
  const core = openCore();
  const exact = core.arena.zeros(3 * 4);
  const inner: Participants = {
    m: 3,
    uploadLength: 4,
    upload: () => exact,
    receive: () => undefined,
  };
  const records = new RecordNoise(inner, {
    core,
    epsilon: 1,
    clip: 1,
    rounds: 2,
    random,
    positions: [0, 1, 2],
  });
  records.upload(1);
  const at = records.upload(2);
  const shown = core.arena.view(at, 12).slice();
  expect(() => records.upload(3)).toThrow("nothing was released");
  // Not even in the memory that is shown: the third round's noise was never there.
  expect(core.arena.view(at, 12)).toEqual(shown);
});

test("what a journal is given stays what was released: it may keep it as it is", async () => {
  const kept: Float64Array[] = [];
  const journal: ReleaseJournal = {
    openLedger: (ledger) => new Ledger(ledger),
    read: () => undefined,
    write: (_release, statistic) => void kept.push(statistic),
  };
  const released: Float64Array[] = [];
  const tasks = makeTasks({ m: 6, d: 3, rows: () => 5 });
  await new MpLowRank({ rounds: 4, random }).fit(tasks, {
    journal,
    observe: ({ stage, values }) => {
      // Between two releases, the next one's exact statistic lies where the last was.
      if (stage === "exact") expect(kept).toEqual(released);
      else if (stage === "released") released.push(values.slice());
    },
  });
  expect(kept).toEqual(released);
});
