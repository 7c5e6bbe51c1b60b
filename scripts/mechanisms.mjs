/**
 * Writes docs/MECHANISMS.md and docs/mechanisms.json from the code: `npm run mechanisms`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { createMechanism } from "../build/modules/privacy/index.js";
import { mechanismsPage } from "./mechanisms/page.mjs";
import { mechanismTable } from "./mechanisms/table.mjs";

const file = (path) => new URL(`../${path}`, import.meta.url);
const table = mechanismTable(createMechanism, (path) => readFileSync(file(path), "utf8"));
const style = await resolveConfig(file("docs/MECHANISMS.md"));
const write = async (path, text, parser) =>
  writeFileSync(file(path), await format(text, { ...style, parser }));
await write("docs/MECHANISMS.md", mechanismsPage(table), "markdown");
await write("docs/mechanisms.json", JSON.stringify(table), "json");
