/**
 * The playground in a real browser: by keyboard, on a phone, without a network.
 */
import { readFile } from "node:fs/promises";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { LEFT_OUT, thorough } from "../thorough.js";
import { loadModel } from "../../src/model/index.js";
import { schoolsInZstd } from "../data/read/read-fixtures.js";
import { firstResult, hasChromium, PageUnderTest, stateOf } from "./open-page.js";

/** For machines that are busy with other things; an idle one needs a few seconds. */
const PATIENCE = 120_000;

describe.skipIf(!hasChromium || !thorough)(
  `the page in Chromium (skipped where it is absent) ${LEFT_OUT}`,
  () => {
    vi.setConfig({ testTimeout: PATIENCE });
    let site: PageUnderTest;
    // One window for all tests on a desktop, one after the other, as a visitor would use it.
    let page: Page;
    let problems: string[];
    beforeAll(async () => {
      site = await PageUnderTest.start();
      ({ page, problems } = await site.open());
    }, PATIENCE);
    afterEach(async ({ task }) => {
      if (task.result?.state === "fail") throw new Error((await stateOf(page)).join("\n"));
      expect(problems).toEqual([]);
    });
    afterAll(() => site.stop());

    /** Nothing is kept, so that every file comes from the server. */
    const UNKEPT = { serviceWorkers: "block" } as const;
    const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

    /** Presses Learn and waits for the new result, watched for in the page: a fit can be over at once. */
    async function learn(page: Page): Promise<void> {
      await page.locator("#results[aria-busy=false]").waitFor();
      const learned = page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            const results = document.querySelector("#results")!;
            let began = false;
            const observer = new MutationObserver(() => {
              const busy = results.getAttribute("aria-busy") === "true";
              if (began && !busy) {
                observer.disconnect();
                resolve();
              }
              began ||= busy;
            });
            observer.observe(results, { attributeFilter: ["aria-busy"] });
          }),
      );
      await page.getByRole("button", { name: "Learn", exact: true }).click();
      await learned;
    }

    async function download(page: Page, name: RegExp): Promise<Buffer> {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name }).click(),
      ]);
      return readFile(await file.path());
    }

    const showMoreSettings = () =>
      page.evaluate(() => {
        document.querySelector<HTMLDetailsElement>(".advanced")!.open = true;
      });

    async function openEverything(page: Page): Promise<void> {
      await page.locator("#leakage").scrollIntoViewIfNeeded();
      await page.locator(".panels").waitFor();
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
    }

    const bars = (page: Page, title: string) =>
      page.evaluate((label) => {
        const list = document.querySelector(`dl[aria-label^="${label}"]`)!;
        return [...list.querySelectorAll(".value")].map((value) => parseFloat(value.textContent));
      }, title);

    test("model and report can be taken along", async () => {
      const model = loadModel(await download(page, /^Model \(/));
      expect(model).toMatchObject({ method: "mp-hierarchical", m: 320, d: 30 });
      expect(model.guarantee).toMatchObject({ private: true, epsilon: 1, sound: true });
      expect(model.predict("task-1", [new Array<number>(30).fill(0.1)])).toHaveLength(1);
      const report = (await download(page, /^Report/)).toString();
      expect(report).toMatch(/<svg[^>]*aria-label="Heat map of the weights/);
      expect(report).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org\/)/);
    });

    test("sharing in private beats learning alone on the first screen; more budget, less error", async () => {
      await page.waitForFunction(() => !document.querySelector(".bars")!.textContent.includes("…"));
      const [alone, ours, together] = await bars(page, "test error");
      expect(ours!).toBeLessThan(0.6 * alone!);
      expect(together!).toBeLessThan(ours!);
      await page.getByLabel("Epsilon, the budget, as a number").fill("10");
      await page.getByText("The settings have changed since").waitFor();
      const mark = await page.locator('[aria-labelledby="curve-title"] .mark').textContent();
      expect(mark).toBe("epsilon 10");
      await learn(page);
      expect((await bars(page, "test error"))[1]!).toBeLessThan(ours!);
    });

    test("says so where nothing is protected: the papers' noise, and a seed", async () => {
      await page.locator("#method").selectOption("feature-learning");
      await showMoreSettings();
      await page.locator("#mechanism").selectOption("wishart");
      await learn(page);
      const verdict = page.locator(".verdict");
      await expect(verdict.textContent()).resolves.toMatch(/DOES NOT HOLD.*epsilon 10 is not/);
      await expect(page.locator("#guarantee").textContent()).resolves.toMatch(/true delta/);
      const accuracy = page.locator('[aria-labelledby="accuracy-title"]');
      await expect(accuracy.textContent()).resolves.toMatch(/not private/);
      await expect(accuracy.textContent()).resolves.not.toMatch(
        /Together, private|The private models/,
      );
      await page.locator("#mechanism").selectOption("auto");
      await page.locator("#seed").fill("abc");
      await learn(page);
      await expect(verdict.textContent()).resolves.toMatch(/Reproducible, not private/);
      const card = JSON.parse((await download(page, /Model card/)).toString()) as object;
      expect(card).toMatchObject({ guarantee: { private: false, noiseSource: "seeded" } });
      expect(JSON.stringify(card)).not.toContain('"abc"');
    });

    test(
      "whole journey by keyboard, without errors and without other origins",
      async () => {
        await page.reload();
        await firstResult(page);
        const tabTo = async (selector: string) => {
          for (let presses = 0; presses < 60; presses++) {
            await page.keyboard.press("Tab");
            if (await page.evaluate((s) => document.activeElement!.matches(s), selector)) return;
          }
          throw new Error(`Tab never came to ${selector}`);
        };
        await page.keyboard.press("Tab");
        expect(await page.evaluate(() => document.activeElement!.textContent)).toMatch(/Skip/);
        await page.keyboard.press("Enter");
        await tabTo("input[name=data]");
        await page.keyboard.press("ArrowDown");
        await page.getByText("Every task has a model of its own").waitFor();
        expect(await page.locator("#method").inputValue()).toBe("auto");
        await tabTo("#method");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        await tabTo("#epsilon");
        for (let k = 0; k < 10; k++) await page.keyboard.press("ArrowRight");
        await tabTo("#delta");
        await tabTo(".advanced > summary");
        await page.keyboard.press("Enter");
        await tabTo("#adjacency");
        await page.keyboard.press("ArrowDown");
        await tabTo("button[type=submit]");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() =>
          /Finished: Shared directions, epsilon 3/.test(
            document.querySelector("[role=status]")!.textContent,
          ),
        );
        await expect(page.locator(".what").textContent()).resolves.toMatch(/epsilon 3, \d rounds?/);
        await expect(page.locator(".verdict").textContent()).resolves.toMatch(/guarantee holds/);
        await expect(page.locator("#guarantee").textContent()).resolves.toMatch(/zero-out/);
        await tabTo("#frame");
        await page.keyboard.press("Home");
        await page.getByRole("heading", { name: "What the tasks share in round 1" }).waitFor();
        await openEverything(page);
        await page.locator("#method").selectOption("low-rank"); // the quickest: 27 fits follow
        await page.getByRole("button", { name: "Compute the curve" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Compute again" }).waitFor({ timeout: PATIENCE });
        const points = await page.locator('[aria-labelledby="curve-title"] path.dot.ours').count();
        expect(points).toBe(9);
      },
      2 * PATIENCE,
    );

    test("a table of one's own: columns guessed, learned from; what is wrong is said", async () => {
      await page.locator("input[name=data]").nth(2).check();
      await page.getByText("Invented schools").waitFor();
      const csv = await download(page, /Save as CSV/);
      const choose = (name: string, buffer: Buffer) =>
        page.getByLabel("Table file").setInputFiles({ name, mimeType: "text/csv", buffer });
      await choose("my schools.csv", csv);
      await page.locator("#task-column").waitFor();
      // Until it is used, "Learn" would learn of the schools that the page brought along.
      expect(await page.getByRole("button", { name: "Learn", exact: true }).isDisabled()).toBe(
        true,
      );
      await page.getByText("Use the table first, above.").waitFor();
      expect(await page.locator("#task-column").inputValue()).toBe("school");
      expect(await page.locator("#target-column").inputValue()).toBe("score");
      expect(await page.locator("#target-kind").inputValue()).toBe("squared");
      await page.getByText("Feature columns: 14 of 14").click();
      await page.getByRole("checkbox", { name: "school bus" }).uncheck();
      await page.getByRole("button", { name: "Use this table" }).click();
      await page.getByText("my schools.csv. 160 tasks, 13 features").waitFor();
      await page.locator(".verdict").waitFor();
      const model = loadModel(await download(page, /^Model \(/));
      expect(model.preprocessing?.encoding?.target).toBe("score");
      // For a look the ranges are the table's own, and that is not covered; stated ones are.
      expect(model.method).toBe("mp-mixed");
      expect(model.guarantee).toMatchObject({
        notCharged: expect.arrayContaining([expect.stringMatching(/range of the column "age/)]),
      });
      await page.getByText(/^Not covered, because it was looked up/).waitFor();
      const names = Array.from(csv.toString().split("\n")[0]!.split(","));
      await page.locator("#ranges-from").selectOption("stated");
      for (const name of names.filter((one) => one !== "school" && one !== "school bus")) {
        await page.getByLabel(`${name}, least value`, { exact: true }).fill("0");
        await page.getByLabel(`${name}, most value`, { exact: true }).fill("200");
      }
      await page.getByLabel("age in months, most value").fill("-1");
      await page.getByText(/range of age in months: expected two numbers/).waitFor();
      await page.getByLabel("age in months, most value").fill("220");
      await page.getByLabel("score cannot be, below").fill("5");
      await page
        .getByText("What score cannot be: expected them to hold the declared range")
        .waitFor();
      await page.getByLabel("score cannot be, below").fill("-500");
      await page.getByRole("button", { name: "Use this table" }).click();
      const looked = page.getByText(/^Not covered, because it was looked up/);
      await looked.waitFor({ state: "detached" });
      await page.getByText(/^my schools.csv: Automatic/).waitFor();
      expect(await looked.count()).toBe(0);
      await page.getByRole("heading", { name: "What the tasks have in common" }).waitFor();

      // New rows, some of a school that the model has never seen.
      const [header, ...lines] = csv.toString().trim().split("\n");
      const at = header!.split(",").indexOf("school");
      const fresh = lines
        .slice(0, 3)
        .map((line) => line.split(",").with(at, "never seen").join(","));
      const buffer = Buffer.from([header!, lines[0]!, ...fresh].join("\n"));
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page
          .getByLabel("Table to predict")
          .setInputFiles({ name: "new.csv", mimeType: "text/csv", buffer }),
      ]);
      const predicted = (await readFile(await saved.path())).toString().trim().split("\n");
      expect(predicted[0]).toBe("task,prediction");
      expect(predicted).toHaveLength(5);
      expect(predicted.slice(2).every((line) => line.startsWith("never seen,"))).toBe(true);
      await page.getByText("1 task new to the model").waitFor();

      // Without a network: the page, its workers and the table come back.
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await site.offline(async () => {
        await page.reload();
        await page.getByText(/^my schools.csv: Automatic/).waitFor();
        expect(await page.getByLabel("age in months, most value").inputValue()).toBe("220");
        expect(await page.getByLabel("score cannot be, below").inputValue()).toBe("-500");
        await page.getByRole("button", { name: "Remove it" }).click();
        await page.getByText(/^Four prototypes: Automatic/).waitFor();
        expect(await page.getByText("is kept in this browser").count()).toBe(0);
      });

      await choose("broken.csv", Buffer.from("task,y,x\na,1,2\nb,3,hunter2,5\n"));
      const problem = page.locator("fieldset .problem");
      await problem.waitFor();
      expect((await problem.textContent())!.trim()).toBe(
        "broken.csv, line 3 has 4 cells, the header has 3. A cell that contains the delimiter, as a decimal comma may be, must stand in quotes.",
      );
    });

    test("an owner that comes later: by keyboard, a made-up school and a file, with numbers beside the drawing", async () => {
      await page.locator("input[name=data]").nth(2).check();
      await page.getByText(/^Exam scores, made up: Automatic/).waitFor();
      const more = page.getByRole("button", { name: "One more school, made up" });
      await more.focus();
      await page.keyboard.press("Enter");
      const later = page.getByRole("region", { name: "An owner that comes later" });
      await later.getByText(/^school 161: without any of its rows .* Spent: nothing\.$/).waitFor();
      expect(await page.getByRole("status").textContent()).toMatch(/^school 161: /);
      expect(await later.locator(".intervals").count()).toBe(2);
      expect(await later.locator(".intervals.ours .interval").count()).toBe(20);
      await later.locator("summary", { hasText: /Numbers: With \d/ }).click();
      const table = later.getByRole("region", { name: /^Numbers: With \d+ rows of its own/ });
      expect((await table.locator("th").allTextContents()).slice(1)).toEqual([
        "80 % from",
        "to",
        "was",
      ]);
      const csv = (await download(page, /Save as CSV/)).toString().trim().split("\n");
      const buffer = Buffer.from([csv[0]!, ...csv.slice(1, 9)].join("\n"));
      await page
        .getByLabel("Table of a later owner")
        .setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer });
      await later.getByText(/was in the fit, whose guarantee covers it/).waitFor();
      const broken = Buffer.from("clinic,score\na,1\n");
      await page
        .getByLabel("Table of a later owner")
        .setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer: broken });
      await later.locator(".problem").getByText('no column "school"').waitFor();
    });

    test("a Parquet file packed with zstd: read where the policy lets no module be fetched; a damaged one is refused", async () => {
      const buffer = Buffer.from(schoolsInZstd, "base64");
      const choose = (name: string, bytes: Buffer) =>
        page
          .getByLabel("Table file")
          .setInputFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
      await page.locator("input[name=data]").nth(2).check();
      await choose("zstd.parquet", buffer);
      await page.locator("#task-column").selectOption("school");
      await page.locator("#target-column").selectOption("score");
      await page.getByRole("button", { name: "Use this table" }).click();
      await page.getByText(/^zstd.parquet. 4 tasks/).waitFor();
      const damaged = Buffer.from(buffer);
      damaged[60]! ^= 4;
      await choose("damaged.parquet", damaged);
      const problem = page.locator("fieldset .problem");
      await problem.waitFor();
      expect(await problem.textContent()).toContain("damaged.parquet");
      expect(await problem.textContent()).toMatch(/damaged/);
    });

    test("yes and no: ranked by aAUC", async () => {
      await page.locator("input[name=data]").nth(3).check();
      await page.getByText("Invented clinics").waitFor();
      await page.getByText(/The private models reach aAUC 0\.\d+/).waitFor();
      expect((await bars(page, "test aAUC"))[1]!).toBeGreaterThan(0.7);
    });

    test("a long fit shows its rounds, leaves the page responsive, and stops when told", async () => {
      await page.locator("#method").selectOption("low-rank");
      await showMoreSettings();
      await page.locator("#rounds").fill("2000");
      await page.evaluate(() => {
        const gaps: number[] = ((globalThis as { gaps?: number[] }).gaps = []);
        let last = performance.now();
        const tick = () => {
          gaps.push(performance.now() - last);
          last = performance.now();
          requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
      });
      await page.getByRole("button", { name: "Learn", exact: true }).click();
      await page.getByText(/round \d+ of 2000/).waitFor();
      const stop = page.getByRole("button", { name: "Stop" }).first();
      await stop.focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        () => document.querySelector("[role=status]")!.textContent === "Stopped.",
      );
      expect(await stop.evaluate((button) => button === document.activeElement)).toBe(true);
      const gaps = await page.evaluate(() => (globalThis as unknown as { gaps: number[] }).gaps);
      // A frame is 17 ms. A fit in the page itself would keep it for nearly all of the time; a busy machine may now and then.
      const sum = (times: readonly number[]) => times.reduce((total, time) => total + time, 0);
      expect(sum(gaps.filter((gap) => gap > 500))).toBeLessThan(sum(gaps) / 2);
      await page.locator("#rounds").fill("3");
      await learn(page);
      await expect(page.locator(".what").textContent()).resolves.toMatch(/3 rounds/);
    });

    test("the leakage demonstration: the attack works, and fails under noise", async () => {
      await page.locator("#leakage").scrollIntoViewIfNeeded();
      await page.locator(".panels").waitFor();
      const title = "Tasks that can read off";
      const [none, paper, ours] = await bars(page, title);
      expect(none!).toBe(100);
      expect(paper!).toBeLessThan(10);
      expect(ours!).toBeLessThan(10);
      const verdicts = page.locator("#leakage table.plain tbody tr");
      await expect(verdicts.nth(0).textContent()).resolves.toMatch(/delta at least 0\.0.*does not/);
      await expect(verdicts.nth(1).textContent()).resolves.toMatch(/withstood/);
      const exact = page.getByLabel("Epsilon of the round, as a number");
      await exact.fill("5000");
      await exact.blur();
      await page.waitForFunction(
        () =>
          document
            .querySelector('dl[aria-label^="Tasks that can read off"]')!
            .textContent.match(/epsilon 5000/) !== null,
      );
      expect((await bars(page, title))[2]!).toBeGreaterThan(90);
    });

    test.each([
      ["light", 1280, "screen"],
      ["dark", 1280, "screen"],
      ["light", 360, "screen"],
      ["dark", 360, "screen"],
      ["light", 794, "print"],
    ] as const)("axe finds no barrier, %s, %i pixels, %s", async (colorScheme, width, media) => {
      const given = page.viewportSize()!;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, media, reducedMotion: "reduce" });
      await openEverything(page);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
          resultTypes: ["violations"],
        }),
      );
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join()}`);
      await page.setViewportSize(given);
      await page.emulateMedia({ colorScheme: "light", media: "screen" });
      expect(found).toEqual([]);
    });

    test("fits a phone of 360 pixels, with everything open", async () => {
      const { page } = await site.open(PHONE);
      await openEverything(page);
      const widest = () =>
        page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(await widest()).toEqual([360, 360]);
      await page.getByLabel("Table file").setInputFiles({
        name: "a table with a name that is much longer than any phone is wide.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(
          "who,what_is_to_be_predicted_in_the_end,x\na,1,2\nb,3,5\na,2,2\nb,1,5\n",
        ),
      });
      await page.locator("#task-column").waitFor();
      expect(await widest()).toEqual([360, 360]);
    });

    test("its policy lets neither the page nor its workers send anything", async () => {
      const send = async (address: string) => {
        try {
          await fetch(address);
          return "sent";
        } catch {
          return "refused";
        }
      };
      expect(await page.evaluate(send, site.address)).toBe("refused");
      const workers = page.workers();
      expect(workers.length).toBeGreaterThan(0);
      for (const worker of workers) {
        expect(await worker.evaluate(send, site.address)).toBe("refused");
      }
      // The browser says on the console what it refused.
      expect(problems.every((problem) => problem.includes("Content Security Policy"))).toBe(true);
      problems.length = 0;
    });

    test("a worker whose script breaks off on its way is started again", async () => {
      site.broken = 1;
      const { page, problems } = await site.open(UNKEPT);
      const life = (await stateOf(page)).join("\n");
      expect(life).toMatch(/worker \d+ failed/);
      expect(problems).toEqual([]);
      await page.context().close();
    });

    test("a page whose workers do not start says so, and works when tried again", async () => {
      site.broken = Infinity;
      const { page, problems } = await site.openUnfinished(UNKEPT);
      const problem = page.locator("fieldset .problem");
      await problem.waitFor();
      expect(await problem.textContent()).toMatch(/could not be started.*tried 3 times.*try again/);
      expect(await page.locator(".waiting").first().textContent()).toMatch(/Nothing to show/);
      site.broken = 0;
      await problem.getByRole("button", { name: "Try again" }).click();
      await page.locator(".verdict").waitFor();
      await page.locator("#leakage").scrollIntoViewIfNeeded();
      await page.locator(".panels").waitFor();
      expect(problems).toEqual([]);
      await page.context().close();
    });

    test("data chosen while a long fit runs does not wait for it", async () => {
      await page.locator("input[name=data]").nth(0).check();
      await page.getByText(/^Four prototypes: Automatic/).waitFor();
      await page.locator("#method").selectOption("low-rank");
      await showMoreSettings();
      await page.locator("#rounds").fill("2000");
      await page.getByRole("button", { name: "Learn", exact: true }).click();
      await page.getByText(/round \d+ of 2000/).waitFor();
      await page.locator("input[name=data]").nth(1).check();
      await page.getByText(/^Few features matter: Automatic/).waitFor();
    });
  },
);
