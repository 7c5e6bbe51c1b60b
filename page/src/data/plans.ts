/**
 * The two made-up tables of the page: schools with exam scores, clinics with readmissions.
 * @module
 */
import type { MadeUpPlan, Trait } from "./made-up.js";

const amount = (
  name: string,
  mean: number,
  spread: number,
  range: readonly [number, number],
): Trait => ({
  name,
  mean,
  spread,
  range,
  kind: "number",
});
const yesNo = (name: string, probability: number): Trait => ({ name, kind: "yes-no", probability });

export const SCHOOLS: MadeUpPlan = {
  seed: "schools of nowhere",
  task: "school",
  tasks: 160,
  rows: [30, 70],
  target: "score",
  outcome: { kind: "number", mean: 52, scale: 9, noise: 0.6, range: [0, 110] },
  traits: [
    amount("prior test", 100, 15, [40, 160]),
    amount("reading", 50, 10, [0, 100]),
    amount("numeracy", 50, 10, [0, 100]),
    amount("attendance %", 93, 4, [75, 100]),
    amount("age in months", 186, 3.5, [174, 198]),
    amount("hours of homework", 5, 2, [0, 14]),
    yesNo("girl", 0.5),
    yesNo("free meals", 0.25),
    yesNo("second language", 0.2),
    yesNo("special support", 0.12),
    yesNo("changed school", 0.15),
    yesNo("older siblings", 0.5),
    yesNo("school bus", 0.4),
    yesNo("sports club", 0.35),
  ],
  common: [0.8, 0.45, 0.4, 0.3, 0.05, 0.1, 0.1, -0.2, -0.1, -0.15, -0.1, 0, 0, 0],
  directions: [
    [0.6, -0.5, 0.5, 0, 0, 0.3, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0.5, 0, 0, 0.2, -0.5, -0.4, -0.3, -0.3, 0, 0, 0],
  ],
  variation: 0.6,
  levels: 0.5,
  scaling: "method",
  clip: 1,
};

export const CLINICS: MadeUpPlan = {
  seed: "clinics of nowhere",
  task: "clinic",
  tasks: 200,
  rows: [30, 70],
  target: "readmitted",
  outcome: { kind: "words", words: ["no", "yes"], steepness: 2.5 },
  traits: [
    amount("age", 64, 14, [18, 105]),
    amount("blood pressure", 134, 17, [70, 220]),
    amount("days in hospital", 6, 2.5, [0, 20]),
    amount("medicines", 7, 3, [0, 20]),
    amount("earlier stays", 2, 1.2, [0, 8]),
    amount("creatinine", 1.1, 0.3, [0, 3]),
    amount("haemoglobin", 13, 1.6, [6, 20]),
    yesNo("diabetes", 0.3),
    yesNo("smoker", 0.22),
    yesNo("lives alone", 0.3),
    yesNo("emergency", 0.45),
    yesNo("weekend", 0.28),
  ],
  common: [0.35, 0.1, 0.3, 0.3, 0.6, 0.25, -0.2, 0.25, 0.15, 0.2, 0.35, 0],
  directions: [[0.4, 0, -0.4, 0.3, 0.5, 0, 0, 0, 0, -0.3, 0.5, 0]],
  variation: 0.7,
  levels: 0.6,
  scaling: "standardize",
  clip: 3,
};
