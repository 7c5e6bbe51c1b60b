/**
 * What to do about a fit that stopped half way, where it kept a journal.
 * @module
 */
import type { OpenJournal } from "../../node/index.js";
import type { Io } from "../terminal/io.js";

/**
 * Runs what uses a journal and closes it; where that stops after something was charged, whoever started it is told that nothing
 * need be spent anew.
 * @throws what `work` throws.
 */
export async function saysHowToGoOn<T>(
  journal: OpenJournal | undefined,
  io: Io,
  work: () => Promise<T>,
): Promise<T> {
  if (!journal) return work();
  try {
    return await work();
  } catch (error) {
    if (journal.releases > 0) {
      io.stderr(
        `${journal.folder} has what was charged so far: the same command goes on from there and spends nothing twice\n`,
      );
    }
    throw error;
  } finally {
    journal.close();
  }
}
