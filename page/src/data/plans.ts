/**
 * The two made-up tables of the page: schools with exam scores, clinics with readmissions.
 * @module
 */
import type { MadeUpPlan } from "./made-up.js";

export const SCHOOLS: MadeUpPlan = {
  seed: "schools of nowhere",
  task: "school",
  tasks: 160,
  rows: [30, 70],
  target: "score",
  outcome: { kind: "number", mean: 52, scale: 9, noise: 0.6 },
  traits: [
    { name: "prior test", kind: "number", mean: 100, spread: 15 },
    { name: "reading", kind: "number", mean: 50, spread: 10 },
    { name: "numeracy", kind: "number", mean: 50, spread: 10 },
    { name: "attendance %", kind: "number", mean: 93, spread: 4 },
    { name: "age in months", kind: "number", mean: 186, spread: 3.5 },
    { name: "hours of homework", kind: "number", mean: 5, spread: 2 },
    { name: "girl", kind: "yes-no", probability: 0.5 },
    { name: "free meals", kind: "yes-no", probability: 0.25 },
    { name: "second language", kind: "yes-no", probability: 0.2 },
    { name: "special support", kind: "yes-no", probability: 0.12 },
    { name: "changed school", kind: "yes-no", probability: 0.15 },
    { name: "older siblings", kind: "yes-no", probability: 0.5 },
    { name: "school bus", kind: "yes-no", probability: 0.4 },
    { name: "sports club", kind: "yes-no", probability: 0.35 },
  ],
  common: [0.8, 0.45, 0.4, 0.3, 0.05, 0.1, 0.1, -0.2, -0.1, -0.15, -0.1, 0, 0, 0],
  directions: [
    [0.6, -0.5, 0.5, 0, 0, 0.3, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0.5, 0, 0, 0.2, -0.5, -0.4, -0.3, -0.3, 0, 0, 0],
  ],
  variation: 0.6,
  levels: 0.5,
};

export const CLINICS: MadeUpPlan = {
  seed: "clinics of nowhere",
  task: "clinic",
  tasks: 200,
  rows: [30, 70],
  target: "readmitted",
  outcome: { kind: "words", words: ["no", "yes"], steepness: 2.5 },
  traits: [
    { name: "age", kind: "number", mean: 64, spread: 14 },
    { name: "blood pressure", kind: "number", mean: 134, spread: 17 },
    { name: "days in hospital", kind: "number", mean: 6, spread: 2.5 },
    { name: "medicines", kind: "number", mean: 7, spread: 3 },
    { name: "earlier stays", kind: "number", mean: 2, spread: 1.2 },
    { name: "creatinine", kind: "number", mean: 1.1, spread: 0.3 },
    { name: "haemoglobin", kind: "number", mean: 13, spread: 1.6 },
    { name: "diabetes", kind: "yes-no", probability: 0.3 },
    { name: "smoker", kind: "yes-no", probability: 0.22 },
    { name: "lives alone", kind: "yes-no", probability: 0.3 },
    { name: "emergency", kind: "yes-no", probability: 0.45 },
    { name: "weekend", kind: "yes-no", probability: 0.28 },
  ],
  common: [0.35, 0.1, 0.3, 0.3, 0.6, 0.25, -0.2, 0.25, 0.15, 0.2, 0.35, 0],
  directions: [[0.4, 0, -0.4, 0.3, 0.5, 0, 0, 0, 0, -0.3, 0.5, 0]],
  variation: 0.7,
  levels: 0.6,
};
