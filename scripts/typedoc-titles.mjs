/**
 * Titles and links of the documentation site: a document is called what its first heading says, not what its file
 * is called, and an entry point by the name under which it is imported; `site:` in a link is the site itself, from
 * wherever the page lies. A plugin of typedoc.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Converter, PageEvent, ReflectionKind } from "typedoc";

const root = fileURLToPath(new URL("../", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The first heading of a page. */
export function headingOf(page) {
  const heading = /^# (.+)$/m.exec(page)?.[1];
  if (heading === undefined)
    throw new Error("expected a page to have a heading of the first order");
  return heading;
}

/** The name under which a source file is imported; undefined if it is no entry point. */
export function entryPointOf(source) {
  const target = source.replace(/^src\//, "./dist/").replace(/\.ts$/, ".d.ts");
  const path = Object.keys(exports).find((name) => exports[name].types === target);
  return path === undefined ? undefined : join("mp-mtl", path).replaceAll("\\", "/");
}

/** Links to the site's own parts, from a page at that address within it. */
export function siteLinks(html, url) {
  const up = "../".repeat(url.split("/").length - 1);
  return html.replaceAll('href="site:', `href="${up}`);
}

export function load(app) {
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = siteLinks(page.contents, page.url);
  });
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    document.name = headingOf(document.content.map(({ text }) => text).join(""));
  });
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.fileName;
    const name = file && entryPointOf(relative(root, file).replaceAll("\\", "/"));
    if (name) reflection.name = name;
  });
}
