/** The four walks of ARCHITECTURE.md name the files that the running code goes through, and no other (`walk.ts`). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, vi } from "vitest";
import type { OptionDeclaration } from "../../src/learning/options/option.js";
import { testIo } from "../cli/io.js";
import { root } from "../package/packed.js";
import { thoroughTest } from "../thorough.js";
import { Walk, type WalkOptions } from "./walk.js";

/** The walk that is gone now. */
const now = vi.hoisted(() => ({ walk: undefined as Walk | undefined }));

/** A module of which these functions tell that they are called, and of which message, record or option. */
const telling = vi.hoisted(
  () =>
    async <M extends object>(
      file: string,
      load: () => Promise<M>,
      ...names: (keyof M & string)[]
    ) => {
      const module = await load();
      const told = names.map((name) => {
        const inner = module[name] as (...args: readonly unknown[]) => unknown;
        return [
          name,
          (...args: readonly unknown[]) => {
            const about = args.flatMap((arg) => {
              const { type, help } = (arg ?? {}) as { type?: string; help?: string };
              return type ?? help ?? [];
            });
            now.walk?.act([name, ...about].join(" "), { file, name });
            return inner(...args);
          },
        ];
      });
      return { ...module, ...(Object.fromEntries(told) as Partial<M>) };
    },
);
vi.mock(import("../../src/privacy/allocate-budget.js"), (load) =>
  telling("src/privacy/allocate-budget.ts", load, "allocateBudget"),
);
vi.mock(import("../../src/learning/options/option.js"), (load) =>
  telling("src/learning/options/option.ts", load, "option"),
);
vi.mock(import("../../src/data/tasks/build.js"), (load) =>
  telling("src/data/tasks/build.ts", load, "buildTasks"),
);
vi.mock(import("../../src/federation/protocol/messages/message-bytes.js"), (load) =>
  telling(
    "src/federation/protocol/messages/message-bytes.ts",
    load,
    "encodeMessage",
    "readMessage",
  ),
);
vi.mock(import("../../src/federation/protocol/records.js"), (load) =>
  telling("src/federation/protocol/records.ts", load, "encodeRecord"),
);

/** Kernels that tell when they are called. */
const { Instance } = WebAssembly;
WebAssembly.Instance = class {
  readonly exports: WebAssembly.Exports;
  constructor(module: WebAssembly.Module) {
    const told = Object.entries(new Instance(module, {}).exports).map(([name, value]) => [
      name,
      typeof value !== "function"
        ? value
        : (...args: readonly unknown[]) => {
            now.walk?.act(name);
            return (value as (...args: readonly unknown[]) => unknown)(...args);
          },
    ]);
    this.exports = Object.fromEntries(told) as WebAssembly.Exports;
  }
};

afterAll(() => {
  WebAssembly.Instance = Instance;
});

/** Goes a walk while this is done. */
async function follow(options: WalkOptions, work: () => Promise<unknown>): Promise<Walk> {
  const walk = (now.walk = new Walk(options));
  try {
    await work();
  } finally {
    now.walk = undefined;
  }
  return walk;
}

/** What ARCHITECTURE.md says of a walk: how many files and functions, and the files. */
function stated(title: string) {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const found = new RegExp(
    `\\*\\*${title}\\*\\*, (\\d+)\\s+files and\\s+(\\d+)\\s+functions([^]*?)\n\n`,
  ).exec(text)!;
  const files = [...found[3]!.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, path]) => path!);
  return {
    count: Number(found[1]),
    functions: Number(found[2]),
    files: [...new Set(files)].sort(),
  };
}

/** Holds the page to a walk, of which all this was done with the value. */
function expectStated(title: string, walk: Walk, acts: readonly string[]): void {
  const { count, functions, files } = stated(title);
  expect([...walk.done.keys()].sort()).toEqual([...acts].sort());
  expect(files).toEqual(walk.files);
  expect(count).toBe(walk.files.length);
  expect(functions).toBe(walk.functions);
}

/** A text that tells when it is put beside others. */
class ShownText {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  includes(part: string): boolean {
    return this.#text.includes(part);
  }
  [Symbol.toPrimitive](): string {
    now.walk?.act("shown");
    return this.#text;
  }
}

// First, since declarations are made when their file is loaded.
thoroughTest("an option, from its declaration to its help text", async () => {
  const io = testIo();
  const walk = await follow(
    {
      acts: /^(option Total eps|declared|shown)/,
      from: /(private-options|options\/method-options|options\/help)\.ts$/,
    },
    async () => {
      const { budgetOptions } = await import("../../src/learning/options/private-options.js");
      const epsilon: OptionDeclaration<number> = budgetOptions.epsilon;
      const { help } = epsilon;
      const get = () => {
        now.walk?.act("declared");
        return new ShownText(help);
      };
      Object.defineProperty(epsilon, "help", { get });
      const { main } = await import("../../src/cli/run.js");
      expect(await main(["fit", "--method", "mp-low-rank", "--help"], io)).toBe(0);
      Object.defineProperty(epsilon, "help", { value: help });
    },
  );
  expect(io.out()).toMatch(/--epsilon X +Total eps of the guarantee\. Default 1\./);
  expectStated("An option, from its declaration to its help text", walk, [
    "option Total eps of the guarantee.",
    "declared",
    "shown",
  ]);
});

thoroughTest("epsilon, from the command to the draw", async () => {
  const { main } = await import("../../src/cli/run.js");
  const { mpLowRank } = await import("../../src/learning/estimators/mp-low-rank.js");
  const { makeTasks } = await import("../learning/tasks.js");
  const rows = [...makeTasks({ m: 6, d: 2, rows: () => 9 })].flatMap(({ name, x, y, n }) =>
    Array.from({ length: n }, (_, row) => [name, y[row], x[2 * row], x[2 * row + 1]].join(",")),
  );
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-walk-"));
  const file = join(folder, "tasks.csv");
  writeFileSync(file, ["task,y,a,b", ...rows].join("\n"));
  const { epsilon } = mpLowRank.options;
  const accept = epsilon.accept.bind(epsilon);
  const check = vi.spyOn(epsilon, "accept").mockImplementation((value) => {
    now.walk?.act("accept");
    return accept(value);
  });
  const io = testIo();
  const columns = ["--data", file, "--task", "task", "--target", "y", "--normalize", "rows"];
  try {
    const walk = await follow(
      { acts: /^(accept|allocateBudget|addDiscrete)/, from: /cli\/commands\/fit\.ts$/ },
      () => main(["fit", ...columns, "--method", "mp-low-rank", "--epsilon", "1.5"], io),
    );
    expect(io.err()).not.toContain("fit:");
    const acts = ["accept", "addDiscreteSymmetricNormal", "allocateBudget"];
    expectStated("Epsilon, from the command to the draw", walk, acts);
  } finally {
    check.mockRestore();
    rmSync(folder, { recursive: true });
  }
});

thoroughTest("a row of data through one round", async () => {
  const { MpLowRank, TaskSet } = await import("../../src/index.js");
  const { Arena } = await import("../../src/core/arena.js");
  const { copyOf } = Arena.prototype;
  const copied = vi.spyOn(Arena.prototype, "copyOf").mockImplementation(function (
    this: InstanceType<typeof Arena>,
    values,
    what,
  ) {
    if (what === "the feature matrix") now.walk?.act("copyOf");
    return copyOf.call(this, values, what);
  });
  const tasks = Array.from({ length: 4 }, (_, i) => ({
    name: `task-${i}`,
    x: Array.from({ length: 9 }, (_, row) => [Math.sin(row + i), Math.cos(row)]),
    y: Array.from({ length: 9 }, (_, row) => (row % 2 === 0 ? "yes" : "no")),
  }));
  const options = { loss: "logistic", rounds: 2, safeguard: false, initial: "zeros" } as const;
  const walk = await follow({ acts: /^(buildTasks|copyOf|taskGradients)/, from: /^src\// }, () =>
    new MpLowRank({ ...options, featureBound: 2 }).fit(TaskSet.from(tasks)),
  );
  copied.mockRestore();
  expectStated("A row of data through one round", walk, ["buildTasks", "copyOf", "taskGradients"]);
});

thoroughTest("a vector, from a participant to the curator and back", async () => {
  const { simulateFederation } = await import("../../src/federation/index.js");
  const { makeTasks } = await import("../learning/tasks.js");
  const { planFor } = await import("../federation/runs.js");
  const tasks = makeTasks({ m: 4, d: 4, rows: () => 9 });
  const options = { rounds: 3, safeguard: false, stepSize: "own", initial: "zeros" };
  const plan = planFor(tasks, { method: "mp-low-rank", options });
  const walk = await follow(
    {
      acts: /^(readMessage|encodeMessage (upload|broadcast)|encodeRecord release|clipRows|addDiscrete|gradientStep)/,
      from: /federation\/(curator|participant)\/\w+-machine\.ts$/,
      within: /^src\/federation\//,
    },
    () => simulateFederation({ plan, tasks }),
  );
  expectStated("A vector, from a participant to the curator and back", walk, [
    "encodeMessage upload",
    "readMessage",
    "clipRows",
    "addDiscreteSymmetricNormal",
    "encodeRecord release",
    "encodeMessage broadcast",
    "gradientStep",
  ]);
});
