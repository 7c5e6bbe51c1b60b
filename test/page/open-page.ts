/**
 * The built page on a plain file server that sends no headers, in Chromium.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { build } from "vite";

export const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export const hasChromium = existsSync(executablePath);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** @param drops whether the answer to a request breaks off. */
function serverOf(folder: string, drops: (path: string) => boolean, isOff: () => boolean): Server {
  const server = createServer((request, response) => {
    if (isOff()) {
      request.socket.destroy();
      return;
    }
    const path = join(folder, request.url === "/" ? "index.html" : request.url!.split("?")[0]!);
    if (drops(path)) {
      response.writeHead(200, { "content-type": "text/javascript", "content-length": 2 });
      response.write(";", () => request.socket.destroy());
      return;
    }
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
    response.end(readFileSync(path));
  });
  // An idle connection stays: on a busy machine one may be closed just as the browser uses it again.
  server.keepAliveTimeout = 0;
  return server;
}

/** A folder on a plain file server. */
export async function serve(folder: string): Promise<{ address: string; stop(): void }> {
  const server = serverOf(
    folder,
    () => false,
    () => false,
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The page in a browser window of its own, and everything that went wrong in it. */
export interface OpenPage {
  readonly page: Page;
  readonly problems: string[];
}

/** A built and served page. */
export class PageUnderTest {
  readonly folder: string;
  /** How many answers to requests for a worker's script break off from now on. */
  broken = 0;
  #off = false;
  readonly #server: Server;
  readonly #browser: Browser;

  private constructor(folder: string, browser: Browser) {
    this.folder = folder;
    this.#server = serverOf(
      folder,
      (path) => /\/worker-[^/]*$/.test(path) && this.broken-- > 0,
      () => this.#off,
    );
    this.#browser = browser;
  }

  static async start(): Promise<PageUnderTest> {
    const folder = mkdtempSync(join(tmpdir(), "mp-mtl-page-"));
    await build({
      configFile: fileURLToPath(new URL("../../page/vite.config.ts", import.meta.url)),
      logLevel: "error",
      build: { outDir: folder },
    });
    const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
    const site = new PageUnderTest(folder, await chromium.launch({ executablePath, args }));
    await new Promise<void>((resolve) => site.#server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Opens it and waits until the first fit is shown. */
  async open(options: BrowserContextOptions = {}): Promise<OpenPage> {
    const opened = await this.openUnfinished(options);
    await firstResult(opened.page);
    return opened;
  }

  /** Opens it and waits for nothing. */
  async openUnfinished(options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await this.#browser.newContext({ reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    const problems: string[] = [];
    page.on("console", (message) => {
      // Said by the option serviceWorkers: "block", not by the page.
      if (!message.text().includes("blocked by Playwright")) {
        problems.push(`console: ${message.text()}`);
      }
    });
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      const own = url.startsWith(this.address) || url.startsWith("data:");
      if (!own && !url.startsWith("blob:")) problems.push(`request: ${url}`);
    });
    await page.goto(this.address);
    return { page, problems };
  }

  /** Does something while the server answers nothing. */
  async offline(work: () => Promise<void>): Promise<void> {
    this.#off = true;
    try {
      await work();
    } finally {
      this.#off = false;
    }
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
    this.#server.closeAllConnections();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Waits for the first fit after the page was opened; throws what the page says if that failed. */
export async function firstResult(page: Page): Promise<void> {
  const found = page.locator(".verdict, .problem").first();
  await found.waitFor();
  if (await page.locator(".verdict").count()) return;
  throw new Error(`no result: ${await found.textContent()}`);
}

/** What the page shows of its state, and what its workers did: for a test that waited in vain. */
export function stateOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [
    ...Array.from(
      document.querySelectorAll(".state, .problem, .waiting, .what, .verdict, [role=status]"),
      (element) => `${element.className}: ${element.textContent}`,
    ),
    ...performance
      .getEntriesByType("mark")
      .map(({ name, startTime }) => `${Math.round(startTime)} ms ${name}`),
    `${Math.round(performance.now())} ms now`,
  ]);
}
