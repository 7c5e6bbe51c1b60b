/**
 * What to do about a fit that stopped half way, where it kept a journal.
 * @module
 */
import { readdir } from "node:fs/promises";
import type { Io } from "../terminal/io.js";

/** Records in a journal's folder; none where there is no folder yet. */
async function records(journal: string): Promise<number> {
  const names = await readdir(journal).catch(() => []);
  return names.filter((name) => name.endsWith(".record")).length;
}

/**
 * Runs a fit; where it stops after it wrote to its journal, whoever started it is told that nothing need be spent anew.
 * @throws what the fit throws.
 */
export async function saysHowToGoOn<T>(
  journal: string | undefined,
  io: Io,
  fit: () => Promise<T>,
): Promise<T> {
  if (journal === undefined) return fit();
  const before = await records(journal);
  try {
    return await fit();
  } catch (error) {
    if ((await records(journal)) > before) {
      io.stderr(
        `${journal} has what was charged so far: the same command goes on from there and spends nothing twice\n`,
      );
    }
    throw error;
  }
}
