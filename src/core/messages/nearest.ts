/**
 * Which known names a mistyped one may have meant, for error messages.
 * @module
 */

/** Edit distance (insert, delete, substitute, swap of neighbours each cost 1). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(previous[j]! + 1, current[j - 1]! + 1, substitute);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, before[j - 2]! + 1);
      }
      current.push(best);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}

/**
 * Up to three of `known`, nearest to `name` first; empty if none is near. Near means at most a
 * third of the letters differ (one may from three letters on; case never counts), or one is the
 * beginning of the other.
 */
export function nearest(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    const shorter = Math.min(wanted.length, other.length);
    const allowed = Math.floor(Math.max(wanted.length, other.length) / 3);
    const begins = shorter >= 3 && (wanted.startsWith(other) || other.startsWith(wanted));
    // A difference of lengths alone already costs that many edits.
    if (!begins && Math.abs(wanted.length - other.length) > allowed) continue;
    const score = begins ? 1 : distance(wanted, other);
    if (score <= allowed || begins) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score);
  return scored.slice(0, 3).map(({ candidate }) => candidate);
}

/** ` Did you mean "a" or "b"?` (with its leading blank), or nothing if no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known).map((candidate) => JSON.stringify(candidate));
  if (near.length === 0) return "";
  const last = near.pop()!;
  return ` Did you mean ${near.length > 0 ? `${near.join(", ")} or ${last}` : last}?`;
}

/** The same for a value of which some are words: nothing where there are none, or where it is no text. */
export function meantWord(given: unknown, words: readonly string[] | undefined): string {
  if (typeof given !== "string" || !words) return "";
  // Words may take numbers behind a colon.
  return didYouMean(given.trim().split(":")[0]!, words);
}
