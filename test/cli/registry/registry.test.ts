/** The entry of the public registry: what a model says of itself, and that the registry's own good entries pass. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { load as parse } from "js-yaml";
import { checkRegistryEntry } from "../../../src/cli/registry/schema.js";
import { describeShared, sharedPath } from "../../shared.js";
import { temporaryFolder } from "../../temporary.js";
import { run } from "../run.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

const answers = ["--intent", "Plan lessons", "--region", "Scotland", "--authors", "A. Author,B."];

beforeAll(async () => {
  const lines = Array.from(
    { length: 120 },
    (_, at) => `s${at % 30},${(at % 7) / 7},${(at % 5) / 5}`,
  );
  writeFileSync(path("data.csv"), ["school,score,age", ...lines].join("\n"));
  const data = ["fit", "--data", path("data.csv"), "--task", "school", "--target", "score"];
  const mixed = ["--method", "mp-mixed", "--scale", "unit", "--epsilon", "2"];
  for (const [out, args] of [
    ["model", mixed],
    ["seeded", [...mixed, "--seed", "1"]],
    ["records", ["--method", "mp-mixed", "--scale", "unit", "--unit", "record"]],
    [
      "noisy",
      ["--method", "mp-mixed", "--scale", "unit", "--unit", "record", "--own-model", "noisy"],
    ],
    ["alone", ["--method", "single-task"]],
  ] as const) {
    const { code, err } = await run(...data, ...args, "--out", path(out));
    expect(code, err).toBe(0);
  }
  const ofFit = ["--shared-prior", path("model"), "--data", path("data.csv")];
  const later = await run("fit", ...ofFit, "--out", path("later"));
  expect(later.code, later.err).toBe(0);
});

const report = (model: string, ...more: string[]) =>
  run("report", "--model", path(model), "--registry", path("entry.yaml"), ...more);

describe("report --registry", () => {
  test("names the unit that is protected", async () => {
    for (const [model, unit] of [
      ["model", '"privacy_unit":"one task: '],
      ["records", '"privacy_unit":"one record: '],
    ] as const) {
      const { code, err } = await report(model, ...answers, "--date", "2026-02-28");
      expect(code, err).toBe(0);
      const { deployment } = checkRegistryEntry(parse(readFileSync(path("entry.yaml"), "utf8")));
      expect(JSON.stringify(deployment)).toContain(unit);
    }
  });

  test("says what tasks released to their own models beside, which its epsilon does not count", async () => {
    const composition = async (model: string) => {
      const { code, err } = await report(model, ...answers, "--date", "2026-02-28");
      expect(code, err).toBe(0);
      const { deployment } = checkRegistryEntry(parse(readFileSync(path("entry.yaml"), "utf8")));
      return JSON.stringify(deployment.accounting);
    };
    expect(await composition("noisy")).toMatch(/whoever is given a task's own model sees beside: .* one record is promised epsilon 1, delta 0.00001/);
    expect(await composition("records")).not.toContain("beside");
  }); // prettier-ignore

  test("writes an entry that says what the guarantee says", async () => {
    const { code, err } = await report("model", ...answers, "--date", "2026-02-28");
    expect(code, err).toBe(0);
    const entry = checkRegistryEntry(parse(readFileSync(path("entry.yaml"), "utf8")));
    expect(entry).toMatchObject({
      status: "Draft",
      tier: 3,
      deployment: {
        basic: {
          data_curators: ["A. Author", "B."],
          intended_use: "Plan lessons",
          publication_date: "2026-02-28",
        },
        dp_variant: { variant_name: "Approximate DP" },
        privacy_loss: { privacy_parameters: { epsilon: 2, delta: 1e-5 } },
        deployment_model: { model_name: "Central" },
        administrative: { registry_authors: ["A. Author", "B."] },
      },
    });
    const text = readFileSync(path("entry.yaml"), "utf8");
    expect(text).toMatch(/from 1 feature\s+for 30 tasks/);
    expect(text).toMatch(/as Gaussian DP: mu/);
    expect(text).toMatch(/not charged: levels|not charged: kinds/);
    expect(text).not.toMatch(/\bs1[0-9]?\b/); // no task's name
    // Bounds and sizes may have been chosen by charged votes, and by looks that no model knows of.
    expect(text).not.toContain("No hyper-parameters were chosen");
    expect(text).toContain("What was chosen by other looks at the data a model does not know.");
  });

  test("refuses a model whose guarantee protects no one, and missing answers", async () => {
    for (const [model, words] of [
      ["seeded", /holds for no one/],
      ["alone", /no privacy guarantee/],
      ["later", /tasks that came after a fit/],
    ] as const) {
      const { code, err } = await report(model, ...answers);
      expect([code, words.test(err)]).toEqual([3, true]);
    }
    const some = await report("model", "--intent", "Plan lessons");
    expect([some.code, some.err]).toEqual([
      2,
      expect.stringContaining("--region, --authors needed"),
    ]);
    const day = await report("model", ...answers, "--date", "28.2.2026");
    expect([day.code, day.err]).toEqual([3, expect.stringContaining("publication_date")]);
  });
});

describeShared("the registry's own entries", ["reference/registry/deployments-schema.yaml"], () => {
  const registry = sharedPath("reference/registry");
  const read = (name: string) => parse(readFileSync(join(registry, name), "utf8")) as never;

  test("the good ones pass", () => {
    const good = readdirSync(registry).filter((name) => name.startsWith("good-google"));
    expect(good.length).toBeGreaterThan(0);
    for (const name of good) expect(() => checkRegistryEntry(read(name)), name).not.toThrow();
  });

  // The words of the schema and ours, member by member.
  test("the schema has the members and choices that are checked here", async () => {
    interface Node {
      properties?: Record<string, Node>;
      required?: string[];
      enum?: unknown[];
    }
    const visit = (node: Node, at: readonly string[]) => {
      for (const [name, child] of Object.entries(node.properties ?? {})) {
        for (const choice of child.enum ?? [])
          expect(accepts([...at, name], choice), `${name}: ${String(choice)}`).toBe(true);
        if (child.enum) expect(accepts([...at, name], "none of these"), name).toBe(false);
        visit(child, [...at, name]);
      }
      for (const name of node.required ?? [])
        expect(accepts([...at, name], undefined), name).toBe(false);
      if (at.length > 0 && node.properties)
        expect(accepts([...at, "stray"], "x"), at.join()).toBe(false);
    };
    await report("model", ...answers);
    const whole = readFileSync(path("entry.yaml"), "utf8");
    const accepts = (at: readonly string[], value: unknown) => {
      const entry = parse(whole) as Record<string, unknown>;
      let place = entry;
      for (const name of at.slice(0, -1)) place = (place[name] ??= {}) as Record<string, unknown>;
      if (value === undefined) Reflect.deleteProperty(place, at.at(-1)!);
      else place[at.at(-1)!] = value;
      try {
        checkRegistryEntry(entry);
        return true;
      } catch {
        return false;
      }
    };
    visit(read("deployments-schema.yaml"), []);
  });
});
