/** Whatever mechanism is asked for, with whatever it is to hide and release: it runs, or an OptionError names the option and what is allowed. */
import { expect, test } from "vitest";
import { OptionError } from "../../../src/core/index.js";
import { MpFramework } from "../../../src/learning/index.js";
import { METHODS } from "../../../src/learning/methods.js";
import type { AnyDeclarations } from "../../../src/learning/options/option.js";
import { makeTasks } from "../tasks.js";

const data = makeTasks({ m: 6, d: 3, rows: () => 9 });
const known = { delta: 1e-3, epsilon: 2, rounds: 1, scale: "unit", slopeBound: 1 };
const given = { ...known, random: { mode: "seeded", seed: "mechanism" } };

/** What decides beside the mechanism. */
const DECIDING = ["unit", "sharing", "sharedPenalty", "taskEpsilons"];
const VALUES: Record<string, readonly unknown[]> = { taskEpsilons: [undefined, { "task-1": 0.7 }] };

/** Every choice of one of the values of each. */
const combined = (choices: readonly (readonly [string, readonly unknown[]])[]) =>
  choices.reduce<Record<string, unknown>[]>(
    (sets, [name, values]) =>
      sets.flatMap((set) => values.map((value) => ({ ...set, [name]: value }))),
    [{}],
  );

const withMechanisms = METHODS.filter(({ options }) => "mechanism" in options);

test.each(withMechanisms.map((method) => [method.name, method] as const))(
  "%s",
  async (_, method) => {
    // prettier-ignore
    const declared = method.options as AnyDeclarations;
    const has = (name: string) => name in declared;
    const fixed = Object.fromEntries(Object.entries(given).filter(([name]) => has(name)));
    const choices = ["mechanism", ...DECIDING]
      .filter(has)
      .map((name) => [name, VALUES[name] ?? declared[name]!.words ?? []] as const);
    for (const chosen of combined(choices)) {
      try {
        await method.make({ ...fixed, ...chosen }).fit(data);
      } catch (error) {
        expect(error, JSON.stringify(chosen)).toBeInstanceOf(OptionError);
        expect((error as Error).message).toMatch(/mechanism|taskEpsilons|sharing/);
      }
    }
  },
);

test("a rule and a step of one's own are told which mechanisms their statistic has", () => {
  const rule = () => new Float64Array(3);
  const make = () =>
    new MpFramework({ statistic: "diagonal", mechanism: "two-sided-wishart", clip: 1, rule, step: ({ upload }) => upload }); // prettier-ignore
  expect(make).toThrow(
    /mechanism: with statistic "diagonal" expected auto or one of .*gaussian-diagonal.*, got "two-sided-wishart"/,
  );
});
