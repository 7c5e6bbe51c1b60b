/**
 * Which test files run in which part of CI, and in which of them a part is left out unless all tests are asked for. It follows from
 * `test/thorough.ts` alone: whoever imports a name of it, or of a helper that goes by one, is such a file.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where it begins. */
const SOURCE = "test/thorough.ts";
/** What starts servers: whose tests use it wait most of the time, and leave the cores to others. */
const SERVERS = "test/federation/nats/servers/server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Texts of all TypeScript below test/, by their paths from the root. */
export function testTexts(): Map<string, string> {
  const paths = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `test/${path.replaceAll("\\", "/")}`);
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

export const isTest = (path: string) => path.endsWith(".test.ts");

/** Names that a text imports from files beside it, or passes on; "*" for all of a file's. */
interface Import {
  readonly file: string;
  readonly name: string;
  readonly passedOn: boolean;
}

export function importsOf(path: string, text: string): Import[] {
  const froms = text.matchAll(
    /^(import|export)\s+(?:type\s+)?(\*|\{[^}]*\})[^;{}"]*from\s+"(\.[^"]*)\.js"/gm,
  );
  return [...froms].flatMap(([, word, names, from]) => {
    const file = `${join(dirname(path), from!).replaceAll("\\", "/")}.ts`;
    return names!.match(/\*|\w+/g)!.map((name) => ({ file, name, passedOn: word === "export" }));
  });
}

/** What stands at the outermost level of a text: names, and their texts without comments. */
function declarationsOf(text: string): (readonly [name: string, body: string])[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  return code
    .split(/^(?=(?:export )?(?:async )?(?:abstract )?(?:function|const|let|class)\b)/m)
    .flatMap((body) => {
      const name = /(?:function\*?|const|let|class) (\w+)/.exec(body.split("\n")[0]!)?.[1];
      return name === undefined ? [] : [[name, body] as const];
    });
}

const mentions = (body: string, names: ReadonlySet<string>) =>
  (body.match(/\w+/g) ?? []).some((word) => names.has(word));

type Names = Map<string, Set<string>>;

/** Those of the found names that these imports bring. */
const imported = (imports: readonly Import[], found: Names) =>
  imports.flatMap(({ file, name }) => {
    const names = [...(found.get(file) ?? [])];
    return name === "*" ? names : names.filter((one) => one === name);
  });

/** Names by file that stand for tests of which a part is left out. */
export function thoroughNames(texts: ReadonlyMap<string, string>): Names {
  const all = declarationsOf(texts.get(SOURCE)!).map(([name]) => name);
  const found: Names = new Map([[SOURCE, new Set(all)]]);
  const helpers = [...texts].flatMap(([path, text]) => {
    if (isTest(path) || path === SOURCE) return [];
    return [{ path, imports: importsOf(path, text), own: declarationsOf(text) }];
  });
  for (let grew = true; grew;) {
    grew = false;
    for (const { path, imports, own } of helpers) {
      const before = found.get(path) ?? new Set();
      const known = new Set([...before, ...imported(imports, found)]);
      if (known.size === 0) continue;
      const passedOn = imported(imports.filter((one) => one.passedOn), found); // prettier-ignore
      const names = own.flatMap(([name, body]) => (mentions(body, known) ? [name] : []));
      const now = new Set([...before, ...passedOn, ...names]);
      if (now.size === before.size) continue;
      found.set(path, now);
      grew = true;
    }
  }
  return found;
}

/** Test files of which a part runs only where all tests are asked for, in which case they take most of the time. */
export function longFiles(texts: ReadonlyMap<string, string>): string[] {
  const found = thoroughNames(texts);
  return [...texts].flatMap(([path, text]) =>
    isTest(path) && imported(importsOf(path, text), found).length > 0 ? [path] : [],
  );
}

/** Those of the long files that reach what starts servers, by whichever helpers. */
export function serverFiles(texts: ReadonlyMap<string, string>): string[] {
  const reaches = (path: string, seen: Set<string>): boolean => {
    if (path === SERVERS) return true;
    if (seen.has(path) || !texts.has(path)) return false;
    seen.add(path);
    return importsOf(path, texts.get(path)!).some(({ file }) => reaches(file, seen));
  };
  return longFiles(texts).filter((path) => reaches(path, new Set()));
}

/** Test files that share processes, and those that put others in the place of modules: none of it may reach other tests. */
export interface Phase {
  readonly shared: readonly string[];
  readonly apart: readonly string[];
}

const PHASES = ["short", "long", "servers"];

/**
 * The files of a phase.
 * @param files what MP_MTL_FILES says: "servers" for the files with long tests that need servers, "long" for the others of which a part
 * is left out otherwise, "short" for the rest, as `.ci/run` has it; undefined for all.
 * @throws Error on anything else.
 */
export function phaseOf(files: string | undefined): Phase {
  if (files !== undefined && !PHASES.includes(files))
    throw new Error(`MP_MTL_FILES: expected "${PHASES.join('", "')}" or nothing, found "${files}"`);
  const texts = testTexts();
  const [long, servers] = [new Set(longFiles(texts)), new Set(serverFiles(texts))];
  const phase = (path: string) =>
    servers.has(path) ? "servers" : long.has(path) ? "long" : "short";
  const chosen = [...texts].filter(
    ([path]) => isTest(path) && (files === undefined || phase(path) === files),
  );
  const replaces = (text: string) => /\bvi\.mock\(/.test(text);
  return {
    shared: chosen.filter(([, text]) => !replaces(text)).map(([path]) => path),
    apart: chosen.filter(([, text]) => replaces(text)).map(([path]) => path),
  };
}
