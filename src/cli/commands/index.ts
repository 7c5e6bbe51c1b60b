/**
 * The commands there are, in the order the help lists them. A command is loaded when it is called for:
 * the help needs none of them, and accounting neither kernels nor a network.
 * @module
 */
import type { CommandEntry } from "../options/command.js";

export const commands: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "compare private and non-private learning on embedded synthetic data",
    load: async () => (await import("./demo.js")).demoCommand,
  },
  {
    name: "inspect",
    summary: "look at a table before fitting, and draft its schema",
    load: async () => (await import("./inspect.js")).inspectCommand,
  },
  {
    name: "split",
    summary: "split a table into training and test rows",
    load: async () => (await import("./split.js")).splitCommand,
  },
  {
    name: "fit",
    summary: "learn all tasks' models from a table",
    load: async () => (await import("./fit.js")).fitCommand,
  },
  {
    name: "predict",
    summary: "predict the rows of a table with a fitted model",
    load: async () => (await import("./predict.js")).predictCommand,
  },
  {
    name: "summary",
    summary: "print a model's coefficients, standard errors and guarantee",
    load: async () => (await import("./summary.js")).summaryCommand,
  },
  {
    name: "evaluate",
    summary:
      "compare methods over budgets and replicates, on all cores, resumable; or score a model",
    load: async () => (await import("./evaluate.js")).evaluateCommand,
  },
  {
    name: "report",
    summary: "write figures and tables of an evaluation or a model as one HTML file",
    load: async () => (await import("./report.js")).reportCommand,
  },
  {
    name: "account",
    summary: "say what releases cost, or what noise a privacy budget needs",
    load: async () => (await import("./account.js")).accountCommand,
  },
  {
    name: "simulate",
    summary: "write the papers' synthetic data as CSV",
    load: async () => (await import("./simulate.js")).simulateCommand,
  },
  {
    name: "audit",
    summary: "attack a mechanism or a whole fit and print the privacy loss that is proven",
    load: async () => (await import("./audit.js")).auditCommand,
  },
  {
    name: "curator",
    summary: "run a fit whose tasks are on other machines, over NATS",
    load: async () => (await import("./curator.js")).curatorCommand,
  },
  {
    name: "helper",
    summary: "be the second of two aggregators in a run, over NATS: neither sees a vector",
    load: async () => (await import("./helper.js")).helperCommand,
  },
  {
    name: "relay",
    summary: "add up what some participants of a run send, over NATS",
    load: async () => (await import("./relay.js")).relayCommand,
  },
  {
    name: "runs",
    summary: "list, watch and steer the curator's runs of this machine, or read one's bucket",
    load: async () => (await import("./runs.js")).runsCommand,
  },
  {
    name: "join",
    summary: "take part in a run with your own data, over NATS",
    load: async () => (await import("./join.js")).joinCommand,
  },
];
