/**
 * What of the messages that arrive a curator heeds: those of its run, session and plan, from whoever sent them in their own
 * name and was not expelled. The rest changes nothing.
 * @module
 */
import type { Envelope, Message } from "../protocol/messages/messages.js";
import type { Unreadable } from "../protocol/messages/message-bytes.js";
import type { CuratorOutput } from "./events/curator-output.js";
import type { Registry } from "./members/registry.js";

/** Judges messages, and says why one is refused. */
export class CuratorInbox {
  readonly #own: Omit<Envelope, "participant">;
  readonly #registry: Registry;
  readonly #output: CuratorOutput;

  /** @param own run, session and hash of the plan. */
  constructor(own: Omit<Envelope, "participant">, registry: Registry, output: CuratorOutput) {
    this.#own = own;
    this.#registry = registry;
    this.#output = output;
  }

  /** Whether a message is to be heeded. */
  heeds(from: string, message: Message | Unreadable): message is Message {
    if (message.type === "unreadable") {
      this.#output.status({ kind: "refused", participant: from, why: message.why });
      // Said in this version: a release that speaks another one reads so much of it.
      if (message.other?.type === "hello") {
        this.#output.tell(from, { type: "refused", reason: "other-version" });
      }
      return false;
    }
    if (this.#registry.isExpelled(from)) {
      const asks =
        message.type === "hello" || message.type === "register" || message.type === "pull";
      if (asks) this.#output.tell(from, { type: "refused", reason: "expelled" });
      return false;
    }
    const why = this.#foreign(from, message);
    if (why === undefined) return true;
    this.#output.status({ kind: "refused", participant: from, why });
    return false;
  }

  /** Why a message is not for this run or not from who sent it; undefined if it is. */
  #foreign(from: string, { run, session, plan, participant, type }: Message): string | undefined {
    if (participant !== from) return "spoke in another's name";
    if (run !== this.#own.run) return "a message of another run";
    if (type === "hello") return undefined;
    if (session !== this.#own.session) {
      return (
        "a message of another session of this run: another curator is alive, or this one was started without the records (--state) " +
        "of that session. Whoever joined that one joins no other"
      );
    }
    if (plan === this.#own.plan) return undefined;
    if (type === "register") this.#output.tell(from, { type: "refused", reason: "other-plan" });
    return "agreed to another plan";
  }
}
