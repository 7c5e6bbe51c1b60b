import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defineCommand, type CommandEntry, type Context } from "../../src/cli/options/command.js";
import { main } from "../../src/cli/run.js";
import {
  choice,
  integer,
  list,
  number,
  numbers,
  text,
  yesNo,
} from "../../src/cli/options/values.js";
import {
  ConvergenceError,
  DataError,
  HostError,
  MpMtlError,
  OptionError,
} from "../../src/core/errors.js";
import { explained } from "../../src/node/files/explain-write.js";
import { positive } from "../../src/core/checks.js";
import { testIo } from "./io.js";
import { temporaryFolder } from "../temporary.js";

/** A command that gives back its values, or does as told. */
function probe(act: (context: Context) => unknown = () => undefined): CommandEntry {
  const command = defineCommand({
    options: {
      data: { value: "FILE", help: "The data.", schema: text("a file name"), required: true },
      lossScale: { value: "WORD", help: "Scale.", schema: choice("mean", "sum"), default: "mean" },
      rounds: { value: "N", help: "Rounds.", schema: integer({ min: 1 }), default: 30 },
      epsilon: { value: "EPS", help: "Budget.", schema: number({ above: 0 }) },
      features: { value: "NAMES", help: "Features.", schema: list() },
      grid: { value: "NUMBERS", help: "Grid.", schema: numbers({ min: -5 }) },
      intercept: { value: "yes|no", help: "Intercept.", schema: yesNo(), default: false },
      verbose: { help: "A switch.", schema: yesNo(), default: false },
    },
    examples: ["probe --data a.csv"],
    run: async (values, context) => {
      await act(context);
      return { document: values, text: `rounds ${values.rounds}` };
    },
  });
  const load = () => Promise.resolve(command);
  return { name: "probe", summary: "gives its options back", load };
}

async function run(args: string[], act?: (context: Context) => unknown) {
  const io = testIo();
  const code = await main(["probe", ...args], io, [probe(act)]);
  return { code, out: io.out(), err: io.err() };
}

function configFile(content: string): string {
  const path = join(temporaryFolder(), "config.json");
  writeFileSync(path, content);
  return path;
}

describe("values", () => {
  test("are typed, and defaults fill in", async () => {
    const { code, out, err } = await run([
      "--data",
      "007",
      "--json",
      "--epsilon=1e-3",
      "--features",
      "a, b",
      "--grid",
      "-1,.5",
      "--intercept",
      "yes",
      "--verbose",
    ]);
    expect(code).toBe(0);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      data: "007",
      lossScale: "mean",
      rounds: 30,
      epsilon: 1e-3,
      features: ["a", "b"],
      grid: [-1, 0.5],
      intercept: true,
      verbose: true,
    });
  });

  test("without --json the text is printed", async () => {
    expect((await run(["--data", "x", "--rounds", "7"])).out).toBe("rounds 7\n");
  });

  const refused: [string[], string][] = [
    [["--data", "x", "--rouns", "3"], "unknown option --rouns. Did you mean --rounds?"],
    [["--data", "x", "-z"], "unknown option -z."],
    [["--data", "x", "y"], 'unexpected argument "y"; options begin with --.'],
    [["y.csv"], 'unexpected argument "y.csv"; a table follows its flag: --data "y.csv".'],
    [
      ["--data", "x", "--epsilon", "1", "3"],
      'unexpected argument "3"; several values stand between commas: --epsilon 1,3.',
    ],
    [["--input", "x"], "unknown option --input. Did you mean --data?"],
    [["--data", "x", "--data", "y"], "--data is given twice."],
    [["--data", "x", "--rounds", "2.5"], '--rounds: expected an integer >= 1, got "2.5".'],
    [["--data", "x", "--rounds", "0"], '--rounds: expected an integer >= 1, got "0".'],
    [["--data", "x", "--rounds", "0x10"], '--rounds: expected an integer >= 1, got "0x10".'],
    [["--data", "x", "--epsilon", "-1"], '--epsilon: expected a number > 0, got "-1".'],
    [["--data", "x", "--epsilon", "1e999"], '--epsilon: expected a number > 0, got "1e999".'],
    [["--data", "x", "--epsilon", "nan"], '--epsilon: expected a number > 0, got "nan".'],
    [["--data", "x", "--loss-scale", "all"], '--loss-scale: expected one of mean, sum, got "all"'],
    [["--data", "x", "--intercept", "maybe"], '--intercept: expected yes or no, got "maybe".'],
    [["--data", "x", "--features", "a,,b"], "--features: expected names separated by commas"],
    [["--data", "x", "--grid", "1,-9"], "--grid: expected numbers"],
    [["--data"], "--data: expected FILE after it."],
    [["--data", "--json"], "--data: expected FILE after it."],
    [["--data", "-"], '--data: expected FILE after it, got "-", which names no file: what comes '],
    [["--data", ""], '--data: expected a file name, got "".'],
    [[], "--data is needed."],
  ];
  test.each(refused)("%j is refused", async (args, message) => {
    const { code, out, err } = await run(args);
    expect(err).toContain(`mp-mtl probe: ${message}`);
    expect(err).toContain("Help: mp-mtl probe --help");
    expect(code).toBe(2);
    if (!args.includes("--json")) expect(out).toBe("");
  });

  test("what the machine refuses is told without help on options", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const { code, err } = await run(["--data", "x"], () =>
      explained(file, () => writeFileSync(join(file, "below"), "")),
    );
    expect(err).toBe(
      `mp-mtl probe: ${file} cannot be written: a part of the path is a file, not a directory.\n`,
    );
    expect(code).toBe(2);
  });

  test("every problem is named at once", async () => {
    const { err } = await run(["--rounds", "x", "--epsilon", "y", "--foo"]);
    expect(err.split("\n").filter((line) => line.startsWith("mp-mtl probe: ")).length).toBe(4);
  });
});

describe("--config", () => {
  test("gives options; flags win; numbers, arrays and booleans may be JSON", async () => {
    const path = configFile(
      JSON.stringify({
        data: "a.csv",
        rounds: 5,
        "loss-scale": "sum",
        features: ["a", "b"],
        grid: [1, 2],
        intercept: true,
        json: true,
      }),
    );
    const { code, out } = await run(["--config", path, "--rounds", "6"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      data: "a.csv",
      rounds: 6,
      lossScale: "sum",
      features: ["a", "b"],
      grid: [1, 2],
      intercept: true,
    });
  });

  test.each([
    ['{"round": 3}', 'unknown option "round". Did you mean "rounds"?'],
    ['{"rounds": "three"}', '--rounds: expected an integer >= 1, got "three".'],
    ['{"rounds": null}', "--rounds: expected an integer >= 1, got null."],
    ["{", "not JSON from line 1 on"],
    ["[]", "expected an object with options as its members."],
    ['{"config": "other"}', 'unknown option "config".'],
  ])("%s is refused", async (content, message) => {
    const { code, err } = await run(["--data", "x", "--config", configFile(content)]);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });

  test("that is not there is a matter of usage", async () => {
    const { code, err } = await run(["--data", "x", "--config", "no/such.json"]);
    expect(err).toContain("--config: no/such.json: there is no such file.");
    expect(code).toBe(2);
  });
});

describe("errors", () => {
  const cases: [string, () => unknown, number][] = [
    ["an option", () => Promise.reject(new OptionError("m")), 2],
    ["a refused argument", () => positive("lambda", -1), 2],
    ["a refused type", () => positive("lambda", "x" as never), 2],
    ["data", () => Promise.reject(new DataError("m")), 3],
    ["the budget", () => Promise.reject(new MpMtlError("BUDGET", "m")), 4],
    ["convergence", () => Promise.reject(new ConvergenceError("m")), 5],
    ["the host", () => Promise.reject(new HostError("m")), 1],
    ["a bug", () => (null as unknown as { x: number }).x, 1],
    ["a bug in range", () => new Array(-1), 1],
    ["something thrown", () => Promise.reject("m" as unknown as Error), 1],
  ];
  test.each(cases)("%s has its exit code, and one line of explanation", async (_, act, code) => {
    const result = await run(["--data", "x"], act);
    expect(result.code).toBe(code);
    expect(result.out).toBe("");
    expect(result.err).toMatch(/^mp-mtl probe: ./);
    expect(result.err.includes("error of the program itself")).toBe(_.startsWith("a bug"));
  });

  test("with --json are one JSON document too", async () => {
    const { code, out } = await run(["--data", "x", "--json"], () => {
      throw new DataError("task a has no rows.");
    });
    expect(code).toBe(3);
    expect(JSON.parse(out)).toEqual({
      error: { code: "DATA", message: "task a has no rows.", exitCode: 3 },
    });
  });

  test("an interrupted run is interrupted whatever it threw", async () => {
    const io = testIo();
    const command = probe(({ signal }) => {
      io.interrupt();
      signal.throwIfAborted();
    });
    expect(await main(["probe", "--data", "x"], io, [command])).toBe(130);
    expect(io.err()).toBe("mp-mtl probe: interrupted.\n");
  });
});

describe("help", () => {
  test("of the program lists commands and exit codes", async () => {
    const io = testIo();
    expect(await main(["--help"], io, [probe()])).toBe(0);
    expect(io.out()).toContain("  probe  gives its options back");
    expect(io.out()).toContain("4 budget exceeded");
    const none = testIo();
    expect(await main([], none, [probe()])).toBe(2);
    expect(none.out()).toBe(io.out());
  });

  test("`help COMMAND` is `COMMAND --help`", async () => {
    const io = testIo();
    expect(await main(["help", "probe"], io, [probe()])).toBe(0);
    expect(io.out()).toBe((await run(["--help"])).out);
    expect(await main(["help", "prob"], testIo(), [probe()])).toBe(2);
  });

  test("of a command lists its options, defaults, the common ones and examples", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    expect(out).toContain("--loss-scale WORD");
    expect(out).toContain("Scale. Default mean.");
    expect(out).toContain("The data. Needed.");
    expect(out).toContain("--progress MODE");
    expect(out).toContain("  mp-mtl probe --data a.csv");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test("the version is the package's", async () => {
    const io = testIo();
    expect(await main(["--version"], io, [])).toBe(0);
    const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    expect(io.out()).toBe(`${(JSON.parse(text) as { version: string }).version}\n`);
  });

  test("an unknown command is refused by name", async () => {
    const io = testIo();
    expect(await main(["prob"], io, [probe()])).toBe(2);
    expect(io.err()).toContain('unknown command "prob"; there are probe. Did you mean "probe"?');
  });

  test.each([
    ["compare", "evaluate"],
    ["train", "fit"],
    ["budget", "account"],
  ])("what others call %s is %s here", async (name, command) => {
    const io = testIo();
    expect(await main([name], io)).toBe(2);
    expect(io.err()).toContain(`Did you mean "${command}"?`);
  });

  test("a number with a decimal comma is asked for with a point", async () => {
    const io = testIo();
    expect(await main(["fit", "--data", "t.csv", "--epsilon", "0,5"], io)).toBe(2);
    expect(io.err()).toContain('expected a number > 0, got "0,5". Did you mean 0.5?');
    const words = testIo();
    expect(await main(["fit", "--data", "t.csv", "--method", "1,5"], words)).toBe(2);
    expect(words.err()).not.toContain("Did you mean 1.5");
  });
});

describe("progress", () => {
  const act = ({ progress }: Context) => {
    progress.update(1, 2, "round");
    progress.update(2, 2, "round");
  };

  test("auto is silent where standard error is no terminal", async () => {
    expect((await run(["--data", "x"], act)).err).toBe("");
  });

  test("auto is a bar on a terminal, taken away at the end", async () => {
    const io = testIo({ interactive: true });
    await main(["probe", "--data", "x"], io, [probe(act)]);
    expect(io.err()).toContain("round [############------------] 1/2");
    expect(io.err()).toContain("round [########################] 2/2  0 s left");
    expect(io.err().endsWith("\r\x1b[K")).toBe(true);
    expect(io.out()).toBe("rounds 30\n");
  });

  test("json is one document a line", async () => {
    const { err } = await run(["--data", "x", "--progress", "json"], act);
    const lines = err
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(lines.at(-1)).toEqual({
      progress: { label: "round", done: 2, total: 2, secondsLeft: 0 },
    });
  });
});
