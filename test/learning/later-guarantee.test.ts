/** What a model of later tasks says of its guarantee, wherever it is said. */
import { describe, expect, test } from "vitest";
import { guaranteeLines } from "../../src/cli/fitted/guarantee-text.js";
import { fitDocument } from "../../src/cli/fit/document.js";
import {
  fitNewTask,
  MixedModel,
  MpMixed,
  publicSharedPrior,
  sharedPrior,
} from "../../src/learning/index.js";
import { loadModel, modelCard, saveModel } from "../../src/model/index.js";
import { makeTasks } from "./tasks.js";

const train = makeTasks({ m: 12, d: 2, rows: () => 6 });
const own = train.select(train.names.slice(0, 2));
const fitted = await new MpMixed({ epsilon: 1, scale: "unit" }).fit(train);
const later = fitNewTask(sharedPrior(fitted), own);

const ROWS = "made by its owner alone from its own rows: nothing of them was released for it";
const COVERS = "covers the tasks of the fit; a task that came later was not in it";

describe("the guarantee of a model of later tasks", () => {
  test("is that of the fit, and says whom it covers and what was done with these rows", () => {
    const { later: said, ...rest } = later.guarantee;
    expect(rest).toEqual(fitted.guarantee);
    expect(fitted.guarantee.later).toBeUndefined();
    expect(said).toContain(ROWS);
    expect(said).toContain(COVERS);
    expect(later.forTask(own.names[0]!).guarantee).toEqual(later.guarantee);
  });

  test("in words, the claim is of the tasks of the fit, and the sentence follows at once", () => {
    const [claim, second] = guaranteeLines(later.guarantee);
    expect(claim).toMatch(/-DP of each task of the fit against all others$/);
    expect(second).toBe(later.guarantee.later);
    expect(guaranteeLines(fitted.guarantee).join()).not.toContain("of the fit");
    for (const line of [String(later), String(later.forTask(own.names[0]!))]) {
      expect(line).toContain("of the tasks of the fit, after which this was made");
    }
    expect(String(fitted)).not.toContain("after which");
  });

  test("no table says that a later task is protected by noise that it had no part in, nor a remark what its budget buys", () => {
    expect(fitted.protection.length).toBeGreaterThan(0);
    expect(later.protection).toEqual([]);
    expect(fitted.forTask(fitted.taskNames[0]!).protection.length).toBeGreaterThan(0);
    expect(later.forTask(own.names[0]!).protection).toEqual([]);
    const document = fitDocument(later, own, undefined, null);
    expect(document.protection).toBeUndefined();
    expect(document.remarks).toEqual([]);
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({
      guarantee: { later: later.guarantee.later },
    });
  });

  test("it stays with the file, and not with a prior that is taken from there", () => {
    expect(modelCard(later).guarantee.later).toBe(later.guarantee.later);
    const again = loadModel(saveModel(later));
    expect(again.guarantee).toEqual(later.guarantee);
    expect(sharedPrior(again).guarantee).toEqual(fitted.guarantee);
    expect(fitNewTask(again, own).guarantee).toEqual(later.guarantee);
  });

  test("where nothing was promised, only what was done with the rows is said", async () => {
    const prior = publicSharedPrior({ coefficients: { x1: 0, x2: 0 }, intercept: 0 }, own);
    const open = await new MixedModel().fit(train);
    for (const from of [prior, open]) {
      const { guarantee } = fitNewTask(from, own);
      expect(guarantee).toMatchObject({ ...from.guarantee, kind: "none" });
      expect(guarantee.later).toContain(ROWS);
      expect(guarantee.later).not.toContain("promised");
      expect(guaranteeLines(guarantee)).toContain(guarantee.later);
    }
  });
});
