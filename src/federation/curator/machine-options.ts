/**
 * What a curator's machine is made of.
 * @module
 */
import type { Plan } from "../protocol/plan/plan-form.js";
import type { CuratorRecord } from "../protocol/records.js";
import type { RandomBytes } from "../secure-aggregation/keys/random-bytes.js";
import type { BroadcastArchive } from "./rounds/broadcasts.js";
import type { CuratorPatience } from "./patience.js";

/** What `CuratorMachine` is made of. */
export interface CuratorMachineOptions {
  /** The plan; its hash is what everyone agrees to. */
  readonly plan: Plan;
  /** 32 hexadecimal digits, drawn at random by the caller; with records, theirs stands. */
  readonly session: string;
  /** What the store holds, of this plan; default nothing: the run begins. */
  readonly records?: readonly (Uint8Array | CuratorRecord)[];
  /** How long the curator waits for whom; default as {@link CuratorPatience} says of each field. */
  readonly patience?: Partial<CuratorPatience> | undefined;
  /** Where the key comes from under which samples are kept; default the platform's generator. */
  readonly random?: RandomBytes;
  /** Where past broadcasts are put, closed with the machine; default memory. */
  readonly broadcasts?: BroadcastArchive | undefined;
  /** X25519 secret of the leader, which a plan with two aggregators needs. */
  readonly leaderKey?: Uint8Array | undefined;
}
