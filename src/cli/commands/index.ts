/**
 * The commands there are, in the order the help lists them.
 * @module
 */
import type { Command } from "../command.js";
import { accountCommand } from "./account.js";
import { auditCommand } from "./audit.js";
import { curatorCommand } from "./curator.js";
import { demoCommand } from "./demo.js";
import { evaluateCommand } from "./evaluate.js";
import { fitCommand } from "./fit.js";
import { joinCommand } from "./join.js";
import { predictCommand } from "./predict.js";
import { reportCommand } from "./report.js";
import { simulateCommand } from "./simulate.js";

export const commands: readonly Command[] = [
  demoCommand,
  fitCommand,
  predictCommand,
  evaluateCommand,
  reportCommand,
  accountCommand,
  simulateCommand,
  auditCommand,
  curatorCommand,
  joinCommand,
];
