/** Hooks of Node's loader that print every file it loads, for start-up.test.ts. */
import { writeSync } from "node:fs";

export function load(url, context, nextLoad) {
  if (url.startsWith("file:")) writeSync(1, `loaded ${url}\n`);
  return nextLoad(url, context);
}
