/** Parties against data: who sees a task's rows, its model, its uploads and the broadcasts. */
import { box, drawing, text } from "./drawing.mjs";

const COLUMNS = ["a task's rows", "its own model", "its upload", "sum over tasks"];

/** Kinds: participant, it is its own; curator, seen as it is; noise, seen under noise; plain, not seen. */
const ROWS = [
  [
    "The task's owner",
    "",
    ["participant", "own"],
    ["participant", "own"],
    ["participant", "own"],
    ["noise", "with noise"],
  ],
  [
    "All other participants",
    "together",
    ["plain", "never"],
    ["plain", "never"],
    ["plain", "never"],
    ["noise", "with noise: epsilon, delta"],
  ],
  [
    "Curator, trusted",
    "the default",
    ["plain", "never"],
    ["plain", "never, if federated"],
    ["curator", "clipped, without noise"],
    ["curator", "without noise"],
  ],
  [
    "Curator, untrusted",
    "Algorithm 5",
    ["plain", "never"],
    ["plain", "never, if federated"],
    ["noise", "noise for each record"],
    ["curator", "of those uploads"],
  ],
  [
    "Curator of secure sums",
    "federated only",
    ["plain", "never"],
    ["plain", "never"],
    ["plain", "masked"],
    ["noise", "with noise: epsilon, delta"],
  ],
];

const about = {
  name: "who-sees-what",
  title: "Who sees what",
  description: ROWS.map(
    ([who, note, ...cells]) =>
      `${who}${note && ` (${note})`}: ${cells.map(([, words], k) => `${COLUMNS[k]}: ${words}`).join("; ")}.`,
  ).join(" "),
  width: 860,
  height: 430,
};

const START = 210;
const WIDTH = 158;
const HEIGHT = 60;
const top = (row) => 48 + row * (HEIGHT + 6);

export const whoSeesWhat = () =>
  drawing(about, [
    ...COLUMNS.map((head, k) => text(head, START + k * (WIDTH + 4) + 10, 34, { role: "head" })),
    ...ROWS.flatMap(([who, note, ...cells], row) => [
      text(who, 16, top(row) + (note ? 27 : 35), { role: "head" }),
      ...(note ? [text(note, 16, top(row) + 46, { role: "quiet" })] : []),
      ...cells.map(([kind, words], k) =>
        box({
          x: START + k * (WIDTH + 4),
          y: top(row),
          width: WIDTH,
          height: HEIGHT,
          kind,
          words,
          middle: true,
        }),
      ),
    ]),
    text(
      "Dotted edge: under noise. Dashed edge: seen as it is. Whoever is given a task's model learns from it.",
      16,
      396,
      {
        role: "quiet",
      },
    ),
    text("Whoever runs a local fit on all tasks' rows is all of these at once.", 16, 416, {
      role: "quiet",
    }),
  ]);
