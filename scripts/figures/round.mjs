/** One round of every method, participants on the left and the curator on the right. */
import { arrow, box, drawing, text } from "./drawing.mjs";

const about = {
  name: "round",
  title: "One round",
  description:
    "Two sides. Participants hold the rows and models of their tasks. Step 1: each clips its vector to norm K and " +
    "uploads it to the curator. Step 2: the curator computes a statistic of all uploads. Step 3: it charges the " +
    "ledger and only then draws noise and adds it. Step 4: a sharing rule makes a broadcast of the noisy statistic. " +
    "Step 5: each participant takes a local step on its own rows, and the next round begins.",
  width: 860,
  height: 390,
};

const left = { x: 20, width: 340 };
const right = { x: 500, width: 340 };

export const round = () =>
  drawing(about, [
    text("Participants: own rows, own models", left.x, 34, { role: "head" }),
    text("Curator: sees no rows", right.x, 34, { role: "head" }),
    ...["task 1", "task 2", "… task m"].map((head, k) =>
      box({
        x: left.x + k * 116,
        y: 52,
        width: 108,
        height: 56,
        kind: "participant",
        head,
        words: "rows, model",
      }),
    ),
    arrow([190, 108], [190, 156]),
    box({
      ...left,
      y: 156,
      height: 62,
      kind: "participant",
      head: "1  Clip",
      words: "each vector to norm K, a public bound",
    }),
    arrow([360, 187], [430, 187], [430, 80], [500, 80]),
    text("upload", 438, 140, { role: "quiet" }),
    box({
      ...right,
      y: 52,
      height: 62,
      kind: "curator",
      head: "2  Statistic of all uploads",
      words: "W W^T, its diagonal, or a sum",
    }),
    arrow([670, 114], [670, 156]),
    box({
      ...right,
      y: 156,
      height: 62,
      kind: "noise",
      head: "3  Charge, then noise",
      words: "the ledger first: no charge, no release",
    }),
    arrow([670, 218], [670, 276]),
    text("noisy statistic", 680, 252, { role: "quiet" }),
    box({
      ...right,
      y: 276,
      height: 62,
      kind: "curator",
      head: "4  Sharing rule",
      words: "makes the broadcast of releases only",
    }),
    arrow([500, 307], [360, 307]),
    text("broadcast", 396, 298, { role: "quiet" }),
    box({
      ...left,
      y: 276,
      height: 62,
      kind: "participant",
      head: "5  Local step",
      words: "of broadcast, old model and own rows",
    }),
    arrow([190, 276], [190, 218]),
    text("next round", 200, 252, { role: "quiet" }),
    text(
      "Only the noisy statistic, and what follows from it, reaches other participants.",
      left.x,
      370,
      { role: "quiet" },
    ),
  ]);
