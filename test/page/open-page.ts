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

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export const hasChromium = existsSync(executablePath);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

function serve(folder: string): Server {
  return createServer((request, response) => {
    const path = join(folder, request.url === "/" ? "index.html" : request.url!.split("?")[0]!);
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
    response.end(readFileSync(path));
  });
}

/** The page in a browser window of its own, and everything that went wrong in it. */
export interface OpenPage {
  readonly page: Page;
  readonly problems: string[];
}

/** A built and served page. */
export class PageUnderTest {
  readonly folder: string;
  readonly #server: Server;
  readonly #browser: Browser;

  private constructor(folder: string, server: Server, browser: Browser) {
    this.folder = folder;
    this.#server = server;
    this.#browser = browser;
  }

  static async start(): Promise<PageUnderTest> {
    const folder = mkdtempSync(join(tmpdir(), "mp-mtl-page-"));
    await build({
      configFile: fileURLToPath(new URL("../../page/vite.config.ts", import.meta.url)),
      logLevel: "error",
      build: { outDir: folder },
    });
    const server = serve(folder);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
    return new PageUnderTest(folder, server, await chromium.launch({ executablePath, args }));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Opens it and waits until the first fit is shown. */
  async open(options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await this.#browser.newContext({ reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    const problems: string[] = [];
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      const own = url.startsWith(this.address) || url.startsWith("data:");
      if (!own && !url.startsWith("blob:")) problems.push(`request: ${url}`);
    });
    await page.goto(this.address);
    await page.locator(".verdict").waitFor();
    return { page, problems };
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
