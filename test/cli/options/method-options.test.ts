/** Help, flags and messages of the methods' options, which all come from their declarations. */
import { describe, expect, test } from "vitest";
import { inFlagWords } from "../../../src/cli/options/flag-words.js";
import { flagOption } from "../../../src/cli/options/method-options.js";
import { isFederated, METHODS } from "../../../src/learning/methods.js";
import {
  defaultText,
  flagOf,
  type OptionDeclaration,
} from "../../../src/learning/options/option.js";
import { run } from "../run.js";

/** Text without its line breaks, as one would read it. */
const flowing = (text: string) => text.replace(/\s+/g, " ");

describe("help", () => {
  test("without a method it is one screen, with every method", async () => {
    const { code, out } = await run("fit", "--help");
    expect(code).toBe(0);
    expect(out.split("\n").length).toBeLessThanOrEqual(48);
    for (const { name, title } of METHODS) expect(out).toContain(`  ${name.padEnd(21)} ${title}`);
    expect(out).toContain("mp-mtl fit --method NAME --help");
  });

  test.each(METHODS.map((method) => [method.name, method] as const))(
    "fit --method %s --help has its options, with its defaults, and no other's",
    async (name, { options, privacy }) => {
      const { out } = await run("fit", "--method", name, "--help");
      const shown = new Set([...out.matchAll(/^ {2}--([a-z0-9-]+)/gm)].map(([, flag]) => flag!));
      for (const [key, declared] of Object.entries(options)) {
        const flag = flagOf(key, declared)!;
        expect(shown).toContain(flag);
        const { value } = flagOption(declared as OptionDeclaration<unknown>);
        expect(flowing(out)).toContain(`--${flag} ${value} ${flagOption(declared).help}`);
        // A fit takes its loss from the target, whatever the library's default is.
        const expected = key === "loss" ? "by the target: " : `${defaultText(declared)}.`;
        expect(flowing(out)).toContain(`${flagOption(declared).help} Default ${expected}`);
      }
      const others = METHODS.flatMap((other) =>
        Object.entries(other.options).map(([key, declared]) => flagOf(key, declared)!),
      ).filter((flag) => !Object.entries(options).some(([key, one]) => flagOf(key, one) === flag));
      for (const flag of others) {
        // Without noise a seed is passed over.
        if (flag !== "seed" || privacy) expect([...shown]).not.toContain(flag);
      }
    },
  );

  test("methods of one family that differ in a default say so", async () => {
    const rounds = async (method: string) =>
      / {2}--rounds T +(.*(?:\n {6,}.*)*)/.exec(
        (await run("fit", "--method", method, "--help")).out,
      )![1];
    expect(await rounds("mp-low-rank")).toContain("Default 30.");
    expect(await rounds("pmtl")).toContain("Default 10.");
    expect(await rounds("dp-task-relationship")).toContain("Default 3.");
    expect(flowing((await rounds("mp-feature-learning"))!)).toContain("Default auto.");
  });

  test("`help fit --method NAME` is `fit --method NAME --help`", async () => {
    const { out } = await run("help", "fit", "--method", "pmtl");
    expect(out).toBe((await run("fit", "--method", "pmtl", "--help")).out);
    expect(out).toContain("--local-steps");
  });

  test("curator and audit offer the methods that can run apart, and those with a budget", async () => {
    const curator = (await run("curator", "--help")).out;
    for (const method of METHODS) {
      expect(curator.includes(`\n  ${method.name} `), method.name).toBe(isFederated(method));
    }
    // What it needs it may have from the plan, so no heading stands over nothing.
    expect(curator).not.toContain("Needed\n");
    const refused = await run("audit", "--method", "trace-norm");
    expect(refused.err).toContain("--method: expected one of mp-low-rank");
  });
});

describe("messages", () => {
  test("an option of another method is refused by name, with those there are", async () => {
    const { code, err } = await run("fit", "--method", "pmtl", "--prior-strength", "1");
    expect(code).toBe(2);
    expect(err).toContain("--prior-strength: not an option of pmtl; it has --loss, --loss-scale");
  });

  test("problems of the library are told in flags", async () => {
    const plan = ["--method", "pmtl", "--local-steps", "solve", "--lambda", "0", "--plan-only"];
    const { err } = await run("curator", "--features", "u", ...plan);
    expect(err).toContain("pmtl: --local-steps solve needs the proximal term");
  });

  const options = {
    localSteps: flagOption(METHODS.find(({ name }) => name === "pmtl")!.options["localSteps"]!),
    model: flagOption(METHODS.find(({ name }) => name === "pmtl")!.options["model"]!),
  };
  test.each([
    ["localSteps: expected 1", "--local-steps: expected 1"],
    ["pmtl: model: expected x; localSteps: bad", "pmtl: --model: expected x; --local-steps: bad"],
    ['localSteps: "solve" needs model: "linear"', "--local-steps solve needs --model linear"],
    ["give the number of localSteps", "give the number of --local-steps"],
    ['linear (model: "linear", --model linear) or not', "linear (--model linear) or not"],
    ["said by --local-steps, in code localSteps).", "said by --local-steps)."],
    ["the model of a task, model of all", "the model of a task, model of all"],
    // Of a file's name nothing is a flag.
    ['data/model: "x" and my.model: "x"', 'data/model: "x" and my.model: "x"'],
    ['task "a", column "localSteps"', 'task "a", column "localSteps"'],
  ])("%j is %j", (message, expected) => {
    expect(inFlagWords(message, options)).toBe(expected);
  });
});
