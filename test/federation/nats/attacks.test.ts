/**
 * Attacks at a real server, against real processes: those of `../attacks.ts` that a network may answer otherwise than memory does,
 * in which all of them are tried one by one (`../attacks.test.ts`), and those that only a network has. A participant with valid
 * credentials stops nobody: each run ends for the others with all rounds charged once and published once.
 */
import { expect, test } from "vitest";
import { openNatsParticipant } from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { Attacker, ATTACKS, type Attack } from "../attacks.js";
import { built } from "./servers/programs.js";
import { owners, OWNERS, PAGE_TASK, Scenario } from "./servers/scenario.js";
import { describeThoroughNats } from "./servers/server.js";
import { Tap } from "./servers/tap.js";

const ROUNDS = 6;

/** Some of them, one after the other, at every occasion. */
const together =
  (...names: readonly string[]): Attack =>
  async (a) => {
    for (const name of names) await ATTACKS[name]!(a);
  };

const attacks: Readonly<Record<string, Attack>> = {
  "comes and goes without end, asks, speaks and names itself at length, in others' names, too, and reads nothing":
    together(
      "registers a name of a megabyte",
      "registers, leaves and registers again, without end",
      "asks 1,500 times for what was, and reads nothing",
      "speaks in others' names, sessions, runs and plans",
      "sends a thousand small messages a round",
    ),
  "sends 20 MB of garbage, twice, and a message that is longer than any may be": async (a) => {
    const megabyte = new Uint8Array(1_000_000).fill(7);
    for (let k = 0; k < 20 && a.round < 2; k++) await a.raw(megabyte);
    if (a.round < 2) await a.raw(new Uint8Array(2 ** 27 + 2 ** 20));
  },
};

describeThoroughNats("one participant against a run at a real server (needs dist/)", () => {
  test.skipIf(!built).each(Object.entries(attacks))(
    "who %s stops nobody",
    async (_name, attack) => {
      const scenario = await Scenario.make(
        {
          // Five tasks are enough, the attacker's among them: an owner whose process starts later than that is refused.
          minimumTasks: 5,
          registration: 6,
          quorum: 0.8,
          deadline: 1,
          options: { rounds: ROUNDS },
        },
        { page: true, flags: ["--linger", "10"] },
      );
      await scenario.start();
      const tap = await Tap.open(scenario.deployment);
      const { servers, authority, credentials } = scenario.deployment;
      const connect = () =>
        connectNats([servers[0]!.url], { authority, credentials: credentials("page") });
      const connection = await connect();
      // All the others that its key may have; before, they could have taken the place of this one.
      for (let k = 0; k < 7; k++) void connect().catch(() => undefined);
      const transport = openNatsParticipant(connection, { run: "trial", name: "page" });
      const attacker = new Attacker(scenario.plan, "page", transport, attack);
      expect(attacker.task).toBe(PAGE_TASK);
      await scenario.finished();
      await tap.close();
      await transport.close();
      expect(attacker.sent).toBeGreaterThan(1);
      const rounds = Array.from({ length: ROUNDS }, (_, i) => i + 1);
      expect(scenario.runFile.ledger.entries.map(({ round }) => round)).toEqual(rounds);
      for (const digests of tap.published.values()) expect(digests.size).toBe(1);
      for (const owner of owners) expect(scenario.model(owner).taskNames).toEqual(OWNERS[owner]);
      expect(scenario.curator.stderr.length).toBeLessThan(50_000);
      for (const proxy of scenario.proxies.values()) proxy.close();
      await scenario.server.kill();
    },
    240_000,
  );
});
