/**
 * What to do about a fit that stopped half way, where it kept a journal.
 * @module
 */
import type { OpenJournal } from "../../node/index.js";
import type { Io } from "../terminal/io.js";

/** Tells whoever started the fit, where something was charged, that nothing need be spent anew. */
export function sayHowToGoOn(journal: OpenJournal | undefined, io: Io): void {
  if (!journal || journal.releases === 0) return;
  io.stderr(
    `${journal.folder} has what was charged so far: the same command goes on from there and spends nothing twice\n`,
  );
}

/** Says what is left of a fit whose model could not be written; with a journal {@link sayHowToGoOn} does. */
export function sayWhatIsLost(journal: OpenJournal | undefined, io: Io): void {
  if (journal) return;
  io.stderr(
    "the model is lost: nothing of it was kept, and nothing of it was shown; with --journal DIR the same command goes on from what was charged\n",
  );
}
