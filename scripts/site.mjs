/**
 * `npm run docs`: the documentation site as a folder for any static web server: documents and API by typedoc, the
 * playground, the notebook; a link that leads nowhere fails. `npm run site` builds it where it is missing and serves it;
 * `-- --port N` chooses the port.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, preview } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const site = join(root, "build/site");

/** Links of all pages that name a file that is not there. */
function brokenLinks() {
  const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
  return pages.flatMap((page) => {
    const html = readFileSync(join(site, page), "utf8").replaceAll(/<script[^]*?<\/script>/g, "");
    return [...html.matchAll(/(?:href|src)="([^"#?]+)[^"]*"/g)].flatMap(([, link]) => {
      if (/^[a-z]+:/i.test(link)) return [];
      const target = resolve(site, dirname(page), decodeURIComponent(link));
      return existsSync(target) ? [] : [`${page}: ${link}`];
    });
  });
}

async function buildSite() {
  const typedoc = fileURLToPath(import.meta.resolve("typedoc")).replace(/dist.*$/, "bin/typedoc");
  const { status } = spawnSync(process.execPath, [typedoc], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  await build({
    configFile: join(root, "page/vite.config.ts"),
    logLevel: "warn",
    build: { outDir: join(site, "playground") },
  });
  const notebook = join(site, "notebook");
  mkdirSync(notebook, { recursive: true });
  cpSync(join(root, "examples/notebook/index.html"), join(notebook, "index.html"));
  cpSync(join(root, "dist/mp-mtl.browser.js"), join(notebook, "mp-mtl.browser.js"));
  const broken = brokenLinks();
  if (broken.length > 0) {
    console.error(`links that lead nowhere:\n${broken.join("\n")}`);
    process.exit(1);
  }
  console.log(`The site is in ${site}; any static web server can serve it.`);
}

const { values } = parseArgs({
  options: {
    serve: { type: "boolean", default: false },
    port: { type: "string", default: "4174" },
  },
});
if (!values.serve || !existsSync(join(site, "notebook/mp-mtl.browser.js"))) await buildSite();
if (values.serve) {
  const server = { port: Number(values.port), host: "localhost" };
  const running = await preview({ configFile: false, build: { outDir: site }, preview: server });
  console.log(`The site is at ${running.resolvedUrls.local[0]} (stop with Ctrl+C).`);
}
