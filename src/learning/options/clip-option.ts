/**
 * The option `clip`, a bound on what tasks upload: a number, or learned.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { aLength, aWordOr } from "./kinds.js";
import type { ReleaseOptions } from "./private-options.js";

/** K, or "auto": all tasks vote on it before the rounds. */
export const aClip = aWordOr(["auto"], aLength);

/** Completes the help of such an option. */
export const AUTO_CLIP = "auto: by a charged vote of all tasks on the size of theirs";

/** K where it is a number; where it is learned, uploads are in units of it. */
export const plannedClip = (clip: number | "auto"): number => (clip === "auto" ? 1 : clip);

/** What does not go with a bound that is learned; of methods that have the options. */
interface Checked extends Pick<ReleaseOptions, "mechanism"> {
  readonly clip: number | "auto";
  readonly curator?: "trusted" | "untrusted";
  readonly shift?: number | "auto";
}

/** @throws OptionError naming what does not go with `clip: "auto"`, and what to do instead. */
export function checkClip(method: string, options: Checked): void {
  const { clip, mechanism, curator, shift = 0 } = options;
  if (clip !== "auto") return;
  const problems = [
    ...(curator === "untrusted"
      ? [
          'clip: "auto" asks all tasks for the size of what they upload, which a curator that they do not trust would see; expected a number, from public ' +
            "knowledge",
        ]
      : []),
    ...(shift !== "auto" && shift > 0
      ? [
          `shift: with clip "auto" what is added would be in units that nobody knows beforehand; expected "auto" or 0, got ${shift}, or give clip as a number`,
        ]
      : []),
    ...(mechanism === "wishart-older"
      ? [
          'mechanism: what "wishart-older" hides depends on the units of models, which clip "auto" changes; expected another, or clip as a number',
        ]
      : []),
  ];
  if (problems.length > 0) throw new OptionError(`${method}: ${problems.join("; ")}`);
}
