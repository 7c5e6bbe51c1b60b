/**
 * What starting costs, in files that Node loads (times are for bench/startup.js); and that the bundled entry
 * points are still one package.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { built, manifest, root } from "./packed.js";

const href = (path: string) => pathToFileURL(join(root, path)).href;

/** What a program makes Node load: our files, their size together, packages, modules of Node's own. */
function loaded(program: string[]) {
  const hooks = `import { register } from "node:module"; register(${JSON.stringify(href("test/package/print-loaded.mjs"))});`;
  const last = `process.on("exit", () => console.log(process.moduleLoadList.join("\\n")));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hooks + last)}`, ...program],
    { encoding: "utf8", cwd: root },
  );
  expect(status, stderr).toBe(0);
  const files = [...stdout.matchAll(/^loaded (file:.*)$/gm)].map(([, url]) => fileURLToPath(url!));
  const ours = files.filter((path) => path.startsWith(join(root, "dist")));
  return {
    ours,
    kB: ours.reduce((sum, path) => sum + readFileSync(path).length, 0) / 1000,
    packages: files
      .map((path) => /node_modules[\\/]([\w-]+)/.exec(path)?.[1])
      .filter((name) => name !== undefined),
    builtIn: [...stdout.matchAll(/^NativeModule (.*)$/gm)].map(([, name]) => name!),
  };
}

/** Checks that a program loads some of our files, but few, and little. */
function expectFew(program: string[], { most, kB }: { most: number; kB: number }) {
  const found = loaded(program);
  expect(found.ours.length, found.ours.join("\n")).toBeLessThanOrEqual(most);
  expect(found.ours.length).toBeGreaterThan(1);
  expect(found.kB).toBeLessThanOrEqual(kB);
  return found;
}

describe.skipIf(!built)("starting (skipped where dist/ is not built)", () => {
  // The modules are 300, 60 and 30.
  test.each([
    { entry: "mp-mtl", most: 22, kB: 2049 },
    { entry: "mp-mtl/privacy", most: 8, kB: 255 },
    { entry: "mp-mtl/linalg", most: 10, kB: 345 },
  ])("import $entry loads at most $most files, and no cryptography of Node's", (limits) => {
    const program = `await import(${JSON.stringify(limits.entry)})`;
    const { packages, builtIn } = expectFew(["--input-type=module", "-e", program], limits);
    expect(packages).toEqual([]);
    expect(builtIn).not.toContain("crypto");
  });

  test("the command line's help loads no method, and no kernels", () => {
    expectFew(["dist/cli/main.js", "help"], { most: 12, kB: 104 });
  });
});

describe.skipIf(!built)("the entry points together (skipped where dist/ is not built)", () => {
  const names = [".", "./privacy", "./linalg", "./node"].concat([
    "./federation",
    "./federation/nats",
    "./federation/verified-sums",
  ]);
  const entries = async () =>
    Promise.all(
      names.map(async (name) => {
        const { default: path } = manifest.exports[name] as Record<string, string>;
        return (await import(/* @vite-ignore */ href(path!))) as Record<string, unknown>;
      }),
    );

  test("have one and the same of everything they share, so that instanceof holds", async () => {
    const first = new Map<string, unknown>();
    const shared = (await entries()).flatMap(Object.entries).filter(([name, value]) => {
      const other = first.get(name);
      first.set(name, value);
      return other !== undefined && other !== value;
    });
    // Of bytes in `mp-mtl`, of a file in `mp-mtl/node`.
    expect(shared.map(([name]) => name)).toEqual(["readTable"]);
  });

  test("have classes of the names they are exported by", async () => {
    const classes = (await entries())
      .flatMap(Object.entries)
      .filter(
        (entry): entry is [string, { name: string }] =>
          typeof entry[1] === "function" && /^class\b/.test(String(entry[1])),
      );
    expect(classes.filter(([name, value]) => value.name !== name)).toEqual([]);
    expect(classes.length).toBeGreaterThan(20);
  });
});
