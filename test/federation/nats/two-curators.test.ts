/** Two curators of one run, started by mistake with the same bucket: one of them is stopped, and no round is published with two noises. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { built, Program } from "./servers/programs.js";
import { owners, Scenario, type RunFile } from "./servers/scenario.js";
import { describeThoroughNats } from "./servers/server.js";
import { Tap } from "./servers/tap.js";

const ROUNDS = 15;

/** Drawn anew each time, so that noise that is drawn twice is not the same. */
const random = { mode: "secure" };

async function make() {
  // Not by a Poisson sample: how much noise one takes is a second's work for each of six processes.
  const sampling = { kind: "fixed-size", size: 3 };
  const options = { rounds: ROUNDS, random, adjacency: "zero-out", sampling };
  const scenario = await Scenario.make(
    { method: "pmtl", options },
    { flags: ["--state", "kv:mpmtl_trial", "--progress", "json"], delay: 3 },
  );
  const args = [...scenario.curator.args];
  args[args.indexOf("--out") + 1] = join(scenario.folder, "second");
  return { scenario, second: new Program("second curator", args) };
}

type Deed = (first: Program, second: Program) => Promise<void>;

async function twice(deed: Deed): Promise<void> {
  const { scenario, second } = await make();
  await scenario.server.start();
  const tap = await Tap.open(scenario.deployment);
  const first = scenario.curator;
  try {
    for (const program of scenario.programs) program.start();
    await deed(first, second);
    const codes = await Promise.all([first.finished, second.finished]);
    expect(codes.toSorted(), `${first.stderr}\n--- second\n${second.stderr}`).toEqual([0, 3]);
    const [stopped, folder] = codes[0] === 3 ? [first, "second"] : [second, "run"];
    expect(stopped.stderr).toContain("is another curator's; a run has one curator at a time");
    await scenario.finished(owners.map((owner) => scenario.participants[owner]));
    const text = readFileSync(join(scenario.folder, folder, "run.json"), "utf8");
    const { ledger, guarantee } = JSON.parse(text) as RunFile;
    const planned = Array.from({ length: ROUNDS }, (_, i) => i + 1);
    expect(ledger.entries.map(({ round }) => round)).toEqual(planned);
    expect(guarantee.spent.epsilon).toBeLessThanOrEqual(guarantee.epsilon);
    expect([...tap.published.keys()].toSorted((a, b) => a - b)).toEqual(planned);
    for (const [round, digests] of tap.published) expect([round, digests.size]).toEqual([round, 1]);
  } finally {
    await tap.close();
    for (const program of [...scenario.programs, second]) program.kill();
    for (const proxy of scenario.proxies.values()) proxy.close();
    await scenario.server.kill();
  }
}

describeThoroughNats("two curators with one bucket (needs dist/)", () => {
  test.skipIf(!built)(
    "both at once from the beginning",
    () =>
      twice((_first, second) => {
        second.start();
        return Promise.resolve();
      }),
    60_000,
  );

  test.skipIf(!built)(
    "one hangs in the middle of a round, another takes its place, and the first wakes up",
    () =>
      twice(async (first, second) => {
        await first.says('"kind":"round","round":3,');
        first.kill("SIGSTOP");
        second.start();
        await second.says('"kind":"round","round":7,');
        first.kill("SIGCONT");
      }),
    60_000,
  );
});
