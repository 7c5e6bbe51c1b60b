/**
 * Parties that agreed to a plan beforehand, and are offered another one.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/federation", {
  "protocol/party/other-plans.ts": [
    {
      from: "if (!isOther) throw caught;",
      to: "throw caught;",
      breaks:
        "A second curator that answers first does not send away who has agreed to another plan.",
    },
    {
      from: "agreed !== undefined && (session",
      to: "(session",
      breaks: "Whoever agreed to nothing beforehand hears at once why a plan cannot be agreed to.",
    },
    {
      from: "if (this.#last && !this.#party.patient &&",
      to: "if (this.#last &&",
      breaks: "Who is told to wait for a plan goes on asking for it.",
    },
    {
      from: "waits >= PATIENT_WAITS",
      to: "waits >= Infinity",
      breaks: "Who was offered other plans alone ends with the hashes of both.",
    },
    {
      from: "if (isOther && this.#last?.hash === hash) return undefined;",
      to: "",
      breaks: "Another plan is told once, however often it is offered.",
    },
  ],
  "protocol/party/party-inbox.ts": [
    {
      from: "plan === (agreed ?? plan) ? undefined : OTHER_PLAN;",
      to: "undefined;",
      breaks: "A curator of another plan cannot refuse who has not joined it.",
    },
  ],
  "participant/participant-machine.ts": [
    {
      from: "this.#others.unanswered(2 ** attempts - 1);",
      to: "this.#others.unanswered(attempts);",
      breaks: "A participant waits 14 s for its plan, not two minutes.",
    },
  ],
});
