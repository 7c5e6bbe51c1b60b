/** `fit --stream`: rows read once, the models of the rows held in memory, and what needs single rows refused by its flag. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { dataDigest } from "../../../src/cli/tables/data-digest.js";
import { main } from "../../../src/cli/run.js";
import { TaskMoments, TaskSet } from "../../../src/data/index.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

let file: string;
let held: string;
beforeAll(() => {
  const folder = temporaryFolder();
  const lines = (count: number, from: number) =>
    Array.from({ length: count }, (_, k) => {
      const i = k + from;
      const [u, v] = [Math.sin(i), Math.cos(3 * i)];
      return `s${i % 4},${u},${v},${u * (1 + (i % 4)) - v + 0.1 * Math.sin(i * i)}`;
    }).join("\n");
  file = join(folder, "rows.csv");
  held = join(folder, "more.csv");
  writeFileSync(file, `site,u,v,y\n${lines(8_000, 0)}\n`);
  writeFileSync(held, `site,u,v,y\n${lines(400, 8_000)}\n`);
});

async function fit(...args: string[]) {
  const io = testIo();
  const roles = ["--data", file, "--task", "site", "--target", "y"];
  const code = await main(["fit", ...roles, ...args], io);
  return { code, out: io.out(), err: io.err() };
}

interface Shown {
  readonly samples: number;
  readonly train: unknown;
  readonly test: { readonly nmse: number };
  readonly notes: readonly string[];
  readonly guarantee: unknown;
}

const method = [
  "--method",
  "mp-mixed",
  "--epsilon",
  "2",
  "--delta",
  "1e-3",
  "--seed",
  "s",
  "--scale",
  "unit",
];

describe("fit --stream", () => {
  test("gives the guarantee and the test scores of the rows, and says what it did", async () => {
    const ways = [[], ["--stream", "yes"]].map(async (way) => {
      const { code, out, err } = await fit(...method, ...way, "--test", held, "--json");
      expect(code, err).toBe(0);
      return JSON.parse(out) as Shown;
    });
    const [whole, streamed] = (await Promise.all(ways)) as [Shown, Shown];
    expect(streamed.samples).toBe(8_000);
    expect(whole.samples).toBe(8_000);
    expect(streamed.train).toBeNull();
    expect(streamed.test.nmse).toBeCloseTo(whole.test.nmse, 4);
    expect(streamed.guarantee).toMatchObject({ epsilon: 2, delta: 1e-3 });
    expect(streamed.notes[0]).toContain("8000 rows read once");
    expect(streamed.notes).toContain("loss squared, for which moments of rows are enough");
  });

  test("says in words that nothing was scored, and that a mean cannot fill gaps", async () => {
    const { out } = await fit(...method, "--stream", "yes");
    expect(out).toContain("train: not scored, since the rows were read once");
    expect(out).toContain("hold rows out to see the error on new ones: --test FILE");
    const { code, err } = await fit(...method, "--stream", "yes", "--missing", "impute");
    expect(code).toBe(3);
    expect(err).toContain("a task's mean cannot stand for missing numbers");
  });

  test.each([
    [["--test-fraction", "0.3"], "--test-fraction needs single rows"],
    [["--tune", "private"], "--tune needs single rows"],
    [["--normalize", "rows"], "--normalize rows needs single rows"],
    [["--loss", "logistic"], "--loss: --stream keeps what the squared loss needs"],
  ])("refuses %j", async (args, words) => {
    const { code, err } = await fit(...method, "--stream", "yes", ...args);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });

  test("without ranges names the first column that has none, and the flags that help", async () => {
    const asked = ["--method", "mp-mixed", "--epsilon", "300", "--seed", "s", "--stream", "yes"];
    const { code, err } = await fit(...asked);
    expect(code).toBe(3);
    expect(err).toContain('how large the values of the column "u" are, and of 2 more');
    expect(err).toContain("Declare ranges (--ranges FILE");
    expect(err).toContain("--scale unit");
    const schema = (range: readonly number[] | null) => ({
      format: "mp-mtl-schema",
      version: 1,
      target: { column: "y", kind: "number", range },
      columns: {
        u: { kind: "number", range: [-1, 1] },
        v: { kind: "number", range: [-1, 1] },
      },
    });
    const ranges = `${file}.json`;
    writeFileSync(ranges, JSON.stringify(schema(null)));
    const target = await fit(...asked, "--ranges", ranges);
    expect(target.err).toContain("how large the values of the target are, which");
    writeFileSync(ranges, JSON.stringify(schema([-5, 5])));
    expect((await fit(...asked, "--ranges", ranges)).code).toBe(0);
  });

  test("refuses methods that look at single rows, by name", async () => {
    const { code, err } = await fit(
      "--method",
      "pmtl",
      "--clip",
      "1",
      "--loss",
      "squared",
      "--stream",
      "yes",
    );
    expect(code).toBe(3);
    expect(err).toContain("pmtl takes no moments");
  });

  test("says why auto took a method that looks at single rows", async () => {
    const { code, err } = await fit("--epsilon", "1", "--stream", "yes");
    expect(code).toBe(3);
    expect(err).toContain("auto takes single-task: 4 tasks with 2 features buy next to nothing");
    expect(err).toContain("only moments were kept (--stream");
  });

  test("a journal tells rows from others whose moments are the same but for their number", () => {
    const moments = (copies: number) => {
      const kept = new TaskMoments();
      for (let i = 0; i < copies; i++) {
        kept.add(
          TaskSet.from([{ name: "a", x: [[1], [-1], [1], [-1], [1]], y: [1, -1, -1, 1, 0] }]),
        );
      }
      return kept.tasks();
    };
    const [two, four] = [moments(2), moments(4)];
    expect(four.taskSizes[0]).toBe(20);
    expect(dataDigest(two)).not.toBe(
      dataDigest(TaskSet.adopt({ ...two.arrays(), standFor: four.standFor })),
    );
  });
});
