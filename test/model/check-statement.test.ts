/** Statements in files: what they say beyond what their ledgers bear out is found, and nothing is found in what fits wrote. */
import { describe, expect, test } from "vitest";
import { Pipeline } from "../../src/data/index.js";
import {
  DpAggregation,
  MpLowRank,
  MpMixed,
  SingleTask,
  sharedPrior,
  fitNewTask,
  selectPrivately,
  type FittedModel,
} from "../../src/learning/index.js";
import { loadModel, priorText, readPrior, saveModel } from "../../src/model/index.js";
import { statementProblem } from "../../src/privacy/guarantee/check-statement.js";
import { decodeSafetensors, encodeSafetensors } from "../../src/model/safetensors.js";
import { Ledger, trustWords, type Guarantee } from "../../src/privacy/index.js";
import { makeTasks } from "../learning/tasks.js";

const tasks = makeTasks({ m: 12, d: 2, rows: () => 6 });
const unitRows = Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks);
const random = { mode: "seeded", seed: 1 } as const;
const mixed = { epsilon: 2, scale: "unit" } as const;
const alone = await new SingleTask().fit(tasks);
const fits: Record<string, FittedModel> = {
  alone,
  task: await new MpMixed(mixed).fit(tasks),
  seeded: await new MpMixed({ ...mixed, random }).fit(tasks),
  record: await new MpMixed({ ...mixed, unit: "record" }).fit(tasks),
  person: await new MpMixed({ ...mixed, unit: "record", ownModel: "noisy", rowsPerPerson: 2 }).fit(tasks), // prettier-ignore
  both: await new MpMixed({ ...mixed, unit: "both" }).fit(tasks),
  noisy: await new MpMixed({ ...mixed, unit: "record", ownModel: "noisy" }).fit(tasks),
  absence: await new MpMixed({ ...mixed, adjacency: "zero-out" }).fit(tasks),
  pure: await new MpLowRank({ epsilon: 2, delta: 0, clip: 3 }).fit(unitRows),
  untrusted: await new MpLowRank({ epsilon: 2, clip: 3, curator: "untrusted", recordEpsilon: 3 }).fit(unitRows), // prettier-ignore
  lifted: await new DpAggregation({ epsilon: 2 }).fit(unitRows),
  nominal: await new MpLowRank({ epsilon: 2, clip: 3, mechanism: "wishart" }).fit(unitRows),
  selected: (
    await selectPrivately(unitRows, {
      method: "mp-low-rank",
      options: { epsilon: 4, delta: 1e-3, clip: 3, rounds: 2 },
      candidates: [{ lambda: 1 }, { lambda: 0.1 }],
    })
  ).model,
};
const together = await new DpAggregation({ epsilon: 2 }).fit(
  Pipeline.fit(tasks, [{ kind: "standardize", scope: "task" }, { kind: "unit-rows" }]).apply(tasks),
);
fits["lifted, rows prepared by their task's"] = together;
const budgets = await new MpMixed({ ...mixed, unit: "both", taskEpsilons: { [tasks.names[1]!]: 0.5 } }).fit(tasks); // prettier-ignore
fits["later"] = fitNewTask(sharedPrior(fits["task"]!), tasks.select(tasks.names.slice(0, 2)));

describe("what fits write is borne out", () => {
  test.each(Object.keys(fits))("%s", (name) => {
    const model = fits[name]!;
    const { guarantee, recordGuarantee } = loadModel(saveModel(model));
    expect(guarantee).toEqual(model.guarantee);
    expect(recordGuarantee).toEqual(model.recordGuarantee);
  });

  test("two of them have no figures of one record to go by, or those of one", () => {
    expect("record" in together.guarantee).toBe(false);
    expect(together.guarantee).toHaveProperty("groupSize", 6);
    expect(fits["lifted"]!.guarantee).toHaveProperty("record.groupSize", 6);
  });
});

describe("lifted statements of versions that said n in the note or with the record's figures only", () => {
  test.each(["lifted", "lifted, rows prepared by their task's"])("%s", (name) => {
    const older = (stated: Fields) => void delete stated["groupSize"];
    const model = fits[name]!;
    const { groupSize, ...others } = model.guarantee as Guarantee;
    expect(groupSize).toBe(6);
    expect(loadModel(edited(model, ({ guarantee }) => older(guarantee!))).guarantee).toEqual(
      others,
    );
    const less = (stated: Fields) => set({ epsilon: model.ledger!.epsilon })(stated);
    expect(found(name, (stated) => (older(stated), less(stated)))).toMatch(/more/);
  });

  test("the note is not asked where a field says n", () => {
    const name = "lifted, rows prepared by their task's";
    expect(found(name, set({ note: "" }))).toBeUndefined();
    const { note } = together.guarantee as Guarantee;
    const fewer = { note: note!.replace("n = 6", "n = 1"), epsilon: together.ledger!.epsilon };
    expect(found(name, set(fewer))).toMatch(/more/);
  });
});

type Fields = Record<string, never>;

/** What is found once `change` was made in copies of statement and ledger. */
function found(
  name: string,
  change: (statement: Fields, ledger: Fields) => void,
  of: "guarantee" | "recordGuarantee" = "guarantee",
) {
  const model = fits[name]!;
  const ledger = of === "guarantee" ? model.ledger : model.recordLedger;
  const [a, b] = JSON.parse(JSON.stringify([model[of], ledger])) as [Fields, Fields];
  change(a, b);
  return statementProblem(a, Ledger.fromJSON(b));
}

/** The file of a model once `change` was made in its card. */
function edited(model: FittedModel, change: (card: Record<string, Fields>) => void) {
  const { tensors, metadata } = decodeSafetensors(saveModel(model));
  const card = JSON.parse(metadata["mp-mtl"]!) as Record<string, Fields>;
  change(card);
  return encodeSafetensors({ tensors, metadata: { "mp-mtl": JSON.stringify(card) } });
}

const set = (fields: object) => (statement: Fields) => void Object.assign(statement, fields);
const less = (field: string) => (statement: Fields) =>
  void ((statement as Record<string, number>)[field]! /= 2);

describe("files that do not say how far a record moves the releases, as older ones", () => {
  const note =
    /^(.*; )?what one record of a task has is left out, as this was written by an older version/;
  const older = (stated: Fields) => {
    delete (stated["recordOf"]! as { sensitivities?: unknown }).sensitivities;
  };

  test("are read, without what a record has, and say so", () => {
    const model = fits["both"]!;
    const { recordOf: _, ...others } = model.guarantee as Guarantee;
    const read = loadModel(edited(model, ({ guarantee }) => older(guarantee!))).guarantee;
    expect(read).toEqual({ ...others, note: expect.stringMatching(note) as string });
    const prior = JSON.parse(priorText(model)) as { guarantee: Fields };
    older(prior.guarantee);
    for (const found of [readPrior(JSON.stringify(prior)), fitNewTask(prior as never, tasks)]) {
      expect(found.guarantee).not.toHaveProperty("recordOf");
      expect(found.guarantee).toHaveProperty("note", expect.stringMatching(note));
    }
  });

  test("nor what records of owners with budgets of their own have", () => {
    const card = edited(budgets, ({ guarantee, owners }) => {
      older(guarantee!);
      (owners as unknown as Fields[]).forEach(older);
    });
    const { guarantee } = loadModel(card).forTask(tasks.names[1]!);
    expect(guarantee).not.toHaveProperty("recordOf");
    expect(guarantee).toHaveProperty("note", expect.stringContaining("is left out"));
  });
});

describe("an edited statement is found out", () => {
  test.each<[string, (statement: Fields, ledger: Fields) => void, RegExp]>([
    ["task", less("epsilon"), /^it promises more/],
    ["task", less("delta"), /^it promises more/],
    ["task", set({ kind: "joined", epsilon: 0.1 }), /^kind/],
    ["task", (one) => less("epsilon")(one["spent"]!), /^spent/],
    ["task", (one) => less("delta")(one["spent"]!), /^spent/],
    ["task", (one) => less("rounds")(one["spent"]!), /^spent/],
    ["lifted", (one) => less("epsilon")(one["spent"]!), /^spent/],
    ["lifted", (one, its) => set({ spent: { rounds: 1, epsilon: its["epsilon"], delta: its["delta"] } })(one), /^spent/], // prettier-ignore
    ["task", set({ adjacency: "zero-out" }), /^adjacency/],
    ["task", (one) => less("epsilon")(one["gaussian"]!), /^gaussian/],
    ["task", set({ colluding: 3 }), /^colluding/],
    ["task", set({ collusion: [{ colluding: 11, honest: 1, epsilon: 0.1 }] }), /^colluding/],
    ["nominal", set({ trueDelta: 1e-6 }), /^trueDelta: it promises more/],
    ["seeded", set({ noiseSource: "hardware" }), /^noiseSource/],
    ["nominal", set({ sound: "yes" }), /^sound/],
    ["nominal", set({ private: 1 }), /^private/],
    ["task", (one, its) => (delete its["unit"], set({ unit: "household" })(one)), /^unit/],
    ["task", set({ gaussian: { mu: 1e-3, fit: "exact", epsilon: 1, slack: 0 } }), /^gaussian/],
    ["task", (one) => void ((one["attacker"]! as Record<string, number>)["truePositiveRate"] = 0.01), /^attacker/], // prettier-ignore
    ["task", (one) => void ((one["attacker"]! as { posterior: object }).posterior = { odds: 1.1, except: 0 }), /^attacker/], // prettier-ignore
    ["lifted", (one) => void ((one["attacker"]! as Record<string, number>)["truePositiveRate"] = 0.01), /^attacker/], // prettier-ignore
    // Fewer charges do not make the plan cheaper, and none bear nothing out.
    [
      "task",
      (one, its) => void (((its["entries"]! as unknown[]).length = 1), less("epsilon")(one)),
      /more/,
    ],
    ["task", (_, its) => void ((its["entries"]! as unknown[]).length = 0), /charged nothing/],
    ["seeded", set({ noiseSource: "secure", private: true }), /^noiseSource/],
    ["seeded", set({ private: true }), /^private/],
    ["nominal", set({ sound: true }), /^sound/],
    ["nominal", set({ private: true }), /^private/],
    ["record", set({ unit: "task" }), /^unit/],
    ["both", set({ unit: "record" }), /^unit/],
    ["both", (one) => less("epsilon")(one["recordOf"]!), /^recordOf: it promises more/],
    ["both", (one) => void (one["recordOf"]! as { sensitivities: number[] }).sensitivities.pop(), /^recordOf: it is not of/], // prettier-ignore
    ["both", (one) => set({ delta: 2 })(one["recordOf"]!), /^recordOf: it is not of/],
    ["person", set({ unit: "record" }), /^unit/],
    ["person", set({ person: null }), /^person/],
    ["person", set({ person: { rowsPerPerson: 0, tasksPerPerson: 1 } }), /^person/],
    ["task", set({ person: { rowsPerPerson: 9, tasksPerPerson: 1 } }), /^person/],
    ["task", set({ trust: trustWords({ kind: "two-aggregators" }) }), /^trust/],
    ["pure", set({ trust: trustWords({ kind: "two-aggregators" }) }), /^trust/],
    ["lifted", set({ epsilon: fits["lifted"]!.ledger!.epsilon }), /^it promises more/],
    ["lifted", less("delta"), /^it promises more/],
    ["lifted", set({ record: { epsilon: 1e-3, delta: 0, groupSize: 6 } }), /^record/],
    // Of a task that is there or not a record has twice the epsilon; what is lifted from it, no more than its own.
    ["absence", (one) => set({ groupSize: 1, record: { epsilon: one["epsilon"], delta: one["delta"], groupSize: 1 } })(one), /^record: its ledger hides one task/], // prettier-ignore
    ["both", set({ groupSize: 1 }), /^record: its ledger hides one task/],
    ["lifted", set({ groupSize: 3 }), /^record: it is lifted to another number/],
    ["lifted, rows prepared by their task's", set({ groupSize: 0 }), /^unit/],
    ["lifted, rows prepared by their task's", less("epsilon"), /^it promises more/],
  ])("%s (%#)", (name, change, problem) => {
    expect(found(name, () => undefined)).toBeUndefined();
    expect(found(name, change)).toMatch(problem);
  });

  test("of whom records are protected from", () => {
    expect(found("noisy", set({ against: "everyone" }), "recordGuarantee")).toMatch(/^against/);
    const problem = /recordGuarantee: against/;
    const against = (model: FittedModel, party: string | undefined) => () =>
      loadModel(edited(model, ({ recordGuarantee }) => set({ against: party })(recordGuarantee!)));
    expect(against(fits["untrusted"]!, "own model")).toThrow(problem);
    expect(against(fits["noisy"]!, "curator")).toThrow(problem);
    expect(against(fits["noisy"]!, undefined)).toThrow(problem);
    // What hides tasks is no promise of records against whoever has a model.
    const copied = edited(fits["task"]!, (card) => {
      card["recordGuarantee"] = { ...card["guarantee"]!, kind: "record", against: "own model" } as never; // prettier-ignore
      card["recordLedger"] = card["ledger"]!;
    });
    expect(() => loadModel(copied)).toThrow(/recordGuarantee: unit/);
    const joint = edited(fits["noisy"]!, (card) => {
      card["recordGuarantee"] = { ...card["guarantee"]!, against: "own model" } as never;
      card["recordLedger"] = card["ledger"]!;
    });
    expect(() => loadModel(joint)).toThrow(/recordGuarantee: kind/);
  });

  test("of how many rows a person may have", () => {
    for (const name of ["both", "person", "record"]) {
      const person = { rowsPerPerson: 9, tasksPerPerson: 1 };
      const more = ({ guarantee }: Record<string, Fields | null>) =>
        void set({ person })(guarantee!);
      expect(() => loadModel(edited(fits[name]!, more)), name).toThrow(/guarantee: person/);
    }
    const prior = JSON.parse(priorText(fits["both"]!)) as { guarantee: Fields };
    set({ person: { rowsPerPerson: 1, tasksPerPerson: 4 } })(prior.guarantee);
    expect(() => readPrior(JSON.stringify(prior))).toThrow(/guarantee: person/);
  });

  test("of records against holders of their task's model", () => {
    expect(found("noisy", less("epsilon"), "recordGuarantee")).toMatch(/more/);
    expect(found("noisy", set({ unit: "task" }), "recordGuarantee")).toMatch(/^unit/);
    expect(found("untrusted", (one) => less("epsilon")(one["spent"]!), "recordGuarantee")).toMatch(/^spent/); // prettier-ignore
    expect(found("untrusted", less("epsilon"), "recordGuarantee")).toMatch(/more/);
  });

  test("without a ledger nothing may be taken for a promise that holds", () => {
    const { guarantee } = fits["task"]!;
    const problem = /no ledger that bears it out/;
    expect(statementProblem(guarantee, null)).toMatch(problem);
    expect(statementProblem({ ...guarantee, private: false }, null)).toMatch(problem);
    expect(statementProblem({ ...alone.guarantee, private: true }, null)).toMatch(problem);
    // What is taken for true where it is read on is no other word for it.
    for (const sound of ["yes", 1]) {
      const stated = { ...guarantee, private: false, sound };
      expect(statementProblem(stated, null)).toMatch(/^sound/);
    }
    const { nominal } = fits;
    const unsound = { ...nominal!.guarantee, trueDelta: 1e-6 };
    expect(statementProblem(unsound, null)).toMatch(problem);
    expect(
      statementProblem({ ...guarantee, private: false, noiseSource: "seeded" }, null),
    ).toBeUndefined();
    expect(statementProblem(alone.guarantee, null)).toBeUndefined();
  });

  test("of an owner's records", () => {
    expect(loadModel(saveModel(budgets)).owners).toEqual(budgets.owners);
    const card = edited(budgets, ({ owners }) => {
      (owners as unknown as { recordOf: { epsilon: number } }[])[0]!.recordOf.epsilon /= 2;
    });
    expect(() => loadModel(card)).toThrow(/owners: one of them is promised more/);
  });

  test("also in the prior of owners who come later", () => {
    const text = priorText(fits["seeded"]!);
    expect(readPrior(text).guarantee).toEqual(fits["seeded"]!.guarantee);
    const prior = JSON.parse(text) as { guarantee: Fields };
    set({ noiseSource: "secure", private: true })(prior.guarantee);
    const seeded = /noiseSource: its ledger's noise was seeded/;
    expect(() => readPrior(JSON.stringify(prior))).toThrow(seeded);
    // Also where nobody reads it as a file.
    expect(() => fitNewTask(prior as never, tasks)).toThrow(seeded);
  });
});
