/** The loop: who is asked what, in which order, until when. */
import { describe, expect, test } from "vitest";
import { runRounds, type RoundReport } from "../../../src/learning/round/run.js";
import type { Curator } from "../../../src/learning/round/curator.js";
import type { Participants } from "../../../src/learning/round/participants.js";

/** Participants and a curator that write down what they are asked. */
function watched(prepare?: (round: number) => Promise<void> | undefined) {
  const said: string[] = [];
  const participants: Participants = {
    m: 1,
    uploadLength: 1,
    ...(prepare && {
      prepare: async (round) => {
        await prepare(round);
        said.push(`prepared ${round}`);
      },
    }),
    upload: (round, marks) => {
      said.push(`upload ${round}${marks ? ` ${marks.join("")}` : ""}`);
      return 100 + round;
    },
    receive: (_, round, last) => void said.push(`receive ${round}${last ? ", the last" : ""}`),
  };
  const curator = {
    broadcast: 7,
    round: (uploads: number, round: number) => {
      said.push(`release ${round} of ${uploads}`);
      return { rank: round };
    },
  } as unknown as Curator;
  return { said, participants, curator };
}

describe("rounds", () => {
  test("are an upload, a release and what is received, each once, the last one told", async () => {
    const { said, ...both } = watched();
    const reports: RoundReport[] = [];
    expect(await runRounds({ ...both, rounds: 2, onRound: (one) => reports.push(one) })).toBe(2);
    expect(said).toEqual([
      "upload 1",
      "release 1 of 101",
      "receive 1",
      "upload 2",
      "release 2 of 102",
      "receive 2, the last",
    ]);
    expect(reports).toEqual([
      { round: 1, rounds: 2, rank: 1 },
      { round: 2, rounds: 2, rank: 2 },
    ]);
  });

  test("go on counting where a stage follows another", async () => {
    const { said, ...both } = watched();
    expect(await runRounds({ ...both, rounds: 2, first: 5 })).toBe(2);
    expect(said.filter((line) => line.startsWith("receive"))).toEqual([
      "receive 5",
      "receive 6, the last",
    ]);
  });

  test("have their sample, drawn once for each", async () => {
    const { said, ...both } = watched();
    const samples = [Uint8Array.of(1, 0), Uint8Array.of(0, 1)];
    await runRounds({ ...both, rounds: 2, sample: () => samples.shift()! });
    expect(said.filter((line) => line.startsWith("upload"))).toEqual(["upload 1 10", "upload 2 01"]); // prettier-ignore
    expect(samples).toHaveLength(0);
  });

  test("wait for what is prepared elsewhere before they take it", async () => {
    const { said, ...both } = watched((round) =>
      round === 2 ? undefined : new Promise((resolve) => setTimeout(resolve, 5)),
    );
    await runRounds({ ...both, rounds: 3 });
    for (const round of [1, 2, 3]) {
      expect(said.indexOf(`prepared ${round}`)).toBeGreaterThanOrEqual(0);
      expect(said.indexOf(`prepared ${round}`)).toBeLessThan(said.indexOf(`upload ${round}`));
    }
    const failing = watched(() => Promise.reject(new Error("a worker is gone")));
    await expect(runRounds({ ...failing, rounds: 3 })).rejects.toThrow("a worker is gone");
    expect(failing.said).toEqual([]);
  });

  test("end by their criterion, or with the reason of who aborts", async () => {
    const { said, ...both } = watched();
    expect(await runRounds({ ...both, rounds: 9, stop: (round) => round === 3 })).toBe(3);
    expect(said.at(-1)).toBe("receive 3");
    const control = new AbortController();
    const aborted = watched();
    const run = runRounds({
      ...aborted,
      rounds: 9,
      signal: control.signal,
      onRound: ({ round }) => round === 2 && control.abort(new Error("enough")),
    });
    await expect(run).rejects.toThrow("enough");
    expect(aborted.said.at(-1)).toBe("receive 2");
  });
});
