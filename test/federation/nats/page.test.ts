/**
 * A participant in Chromium: the page of `examples/federation`, over a websocket with TLS.
 */
import { existsSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { servePage } from "../../../examples/federation/serve.js";
import { planHash } from "../../../src/federation/index.js";
import { loadModel } from "../../../src/model/index.js";
import { built } from "./servers/programs.js";
import { bitsOf, owners, OWNERS, PAGE_TASK, Scenario } from "./servers/scenario.js";
import { describeThoroughNats } from "./servers/server.js";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const skipped = !built || !existsSync(executablePath);

describeThoroughNats("a page takes part (needs dist/ and Chromium)", () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof servePage>>;
  let scenario: Scenario;

  beforeAll(async () => {
    if (skipped) return;
    // The trial authority is not the system's: the certificate is tested by the participants in Node.
    const args = ["--no-sandbox", "--ignore-certificate-errors"];
    [browser, site] = [await chromium.launch({ executablePath, args }), await servePage()];
    scenario = await Scenario.make({}, { page: true, delay: 2 });
    await scenario.server.start();
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  /** A page in a profile of its own, or in one that was there before. */
  async function visit(
    context?: BrowserContext,
    ownClock = false,
  ): Promise<{ page: Page; problems: string[] }> {
    const page = await (context ?? (await browser.newContext())).newPage();
    if (ownClock) await page.clock.install();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/?old-server`);
    return { page, problems };
  }

  async function openPage(
    key: string,
    { ownClock = false, context }: { ownClock?: boolean; context?: BrowserContext } = {},
  ): Promise<{ page: Page; problems: string[] }> {
    const { page, problems } = await visit(context, ownClock);
    await page.getByLabel("Server").fill(scenario.server.websocketUrl);
    await page.getByLabel("Run", { exact: true }).fill("trial");
    await page.getByLabel("Your name in the run").fill("page");
    await page.getByLabel("Your key").setInputFiles(scenario.deployment.credentialsPath(key));
    await page.getByLabel("Your data").setInputFiles(join(scenario.folder, "page.csv"));
    await page.getByLabel("Column of the task").fill("task");
    await page.getByLabel("Column of the target").fill("score");
    await page.getByRole("button", { name: "Show the plan" }).click();
    return { page, problems };
  }

  test.skipIf(skipped)("another's key is refused, in words", async () => {
    const { page } = await openPage("north");
    await page.getByRole("alert").getByText("does not let these credentials").waitFor();
    await page.close();
  });

  test.skipIf(skipped)(
    "a browser that keeps nothing for pages is told, and holds no connection",
    async () => {
      const context = await browser.newContext();
      await context.addInitScript("delete window.indexedDB; delete Window.prototype.indexedDB;");
      const { page } = await openPage("page", { context });
      await page.getByRole("alert").getByText("this host has no IndexedDB").waitFor();
      const connected = async () => {
        const { connections } = (await (await scenario.server.ask("/connz")).json()) as {
          readonly connections: readonly unknown[];
        };
        return connections.length;
      };
      await vi.waitFor(async () => expect(await connected()).toBe(0), 10_000);
      await context.close();
    },
  );

  test.skipIf(skipped)("a server that is away, and back, is spoken of; so is a sleep", async () => {
    const { page } = await openPage("page", { ownClock: true });
    const says = (words: string) => page.getByRole("status").getByText(words).waitFor();
    await says("Connected to the server");
    await scenario.server.kill();
    await says("The server does not answer: it is away");
    await scenario.server.start();
    await says("Connected to the server");
    await page.clock.fastForward("12:00");
    await says("This tab slept for 12 minutes");
    await page.close();
  });

  test.skipIf(skipped)(
    "beside four processes it gets the local fit's model, bit for bit, also when it is reloaded, and closed and opened again",
    async () => {
      for (const program of scenario.programs) program.start();
      const first = await openPage("page");
      await first.page.getByText(planHash(scenario.plan)).waitFor();
      await first.page.getByRole("button", { name: "Join with my data" }).click();
      await first.page.getByText(/^Round \d+ of 25 is done/).waitFor();
      await first.page.reload(); // in the middle of the run: it returns by itself, and asks nobody
      await first.page.getByText("Returning to run trial as page").waitFor();
      const other = await visit(first.page.context());
      await other.page.getByRole("alert").getByText("another tab takes part").waitFor();
      await other.page.close();
      await first.page.close();

      const { page, problems } = await visit(first.page.context());
      const link = page.getByRole("link", { name: "Download your models" });
      await link.waitFor();
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      const model = loadModel(readFileSync(await download.path()));
      await scenario.finished();
      expect(scenario.runFile.finished).toEqual([...owners, "page"].sort());

      const local = await scenario.localFit();
      expect(bitsOf(model, PAGE_TASK)).toBe(bitsOf(local, PAGE_TASK));
      for (const owner of owners) {
        for (const task of OWNERS[owner]) {
          expect(bitsOf(scenario.model(owner), task)).toBe(bitsOf(local, task));
        }
      }
      expect(problems).toEqual([]);
    },
    // A browser and four processes: a third of this alone.
    180_000,
  );
});
