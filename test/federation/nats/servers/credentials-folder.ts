/**
 * Folders that `deploy/nats/make-credentials.js` writes, for tests: made once a process for each kind of deployment, and written again with
 * other ports for each test. Making one takes a process and a dozen calls of openssl for every relay and server.
 * @module
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../../temporary.js";

const generator = fileURLToPath(
  new URL("../../../../deploy/nats/make-credentials.js", import.meta.url),
);

/** Runs the generator of `deploy/nats`; returns what it said. */
export function makeCredentials(flags: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [generator, ...flags], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`make-credentials: ${stderr}`);
  return stdout;
}

/** Ports of a folder that is kept: those from 61000 on stand for the first run of consecutive ports, from 61100 on for the second, … */
const KEPT = 61_000;
export const keptPort = (run: number) => KEPT + 100 * run;

interface File {
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

const made = new Map<string, readonly File[]>();

/** All files below a folder. */
function filesIn(folder: string): File[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((path) => {
    const found = statSync(join(folder, path));
    return found.isFile()
      ? [{ path, bytes: readFileSync(join(folder, path)), mode: found.mode }]
      : [];
  });
}

/**
 * A new folder with what the generator makes. The same flags give the same keys.
 * @param commands flags of its runs, one after the other, without `--out`; ports are those of `keptPort`.
 * @param ports    what is written for them: the first port of each run.
 */
export function credentialsFolder(
  commands: readonly (readonly string[])[],
  ports: readonly number[],
): string {
  const key = JSON.stringify(commands);
  let files = made.get(key);
  if (!files) {
    const once = temporaryFolder();
    for (const flags of commands) makeCredentials(["--out", once, ...flags]);
    made.set(key, (files = filesIn(once)));
  }
  const folder = temporaryFolder();
  for (const { path, bytes, mode } of files) {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    const own = /\.(conf|json)$/.test(path) ? withPorts(bytes.toString(), ports) : bytes;
    writeFileSync(to, own, { mode });
  }
  return folder;
}

function withPorts(text: string, ports: readonly number[]): string {
  return text.replaceAll(/\b61\d{3}\b/g, (port) => {
    const at = Number(port) - KEPT;
    return String(ports[Math.floor(at / 100)]! + (at % 100));
  });
}
