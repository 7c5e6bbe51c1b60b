/**
 * Federation: the curator's and the participants' halves of a fit on different machines.
 *
 * `runCurator` and `joinRun` run the two state machines over a transport: in memory here, NATS in
 * `mp-mtl/federation/nats`. Tasks never leave their participant; what is shared, how often and under
 * which noise is in the plan, which everyone sees and agrees to by its hash.
 * @module
 */
export type {
  CuratorHandlers,
  CuratorTransport,
  LinkState,
  ParticipantHandlers,
  ParticipantTransport,
} from "./protocol/machine/transport.js";
export { isParticipantName } from "./protocol/messages/names.js";
export { canonicalPlan, planHash } from "./protocol/plan/plan-hash.js";
export { FEDERATED_METHODS, settleMethod } from "./protocol/plan/planned-method.js";
export { makePlan, parsePlan } from "./protocol/plan/plan.js";
export {
  type Latecomers,
  type Plan,
  type PlanInput,
  type PlannedSchema,
  type PlannedTask,
} from "./protocol/plan/plan-form.js";
export { featureColumns } from "./protocol/plan/feature-columns.js";
export { describePlan } from "./protocol/words/plan-words.js";
export { RunOverError } from "./protocol/party/run-over.js";
export { joinRun, type JoinRunOptions } from "./participant/drive-participant.js";
export { openRunDatabase } from "./participant/run-database.js";
export {
  runCurator,
  type CuratorControl,
  type RunCuratorOptions,
} from "./curator/drive-curator.js";
export { ManualClock, realClock, type Clock } from "./protocol/machine/clock.js";
export {
  MemoryStore,
  type MachineEffect,
  type MachineEvent,
  type RunStore,
} from "./protocol/machine/machine.js";
export {
  MemoryNetwork,
  type NetworkFaults,
  type Passing,
} from "./protocol/machine/memory-transport.js";
export type {
  CuratorEffect,
  CuratorEvent,
  CuratorResult,
  CuratorStatus,
} from "./curator/events/curator-events.js";
export { CURATOR_PATIENCE, type CuratorPatience } from "./curator/patience.js";
export { MemoryArchive, type BroadcastArchive } from "./curator/rounds/broadcasts.js";
export { CuratorMachine } from "./curator/curator-machine.js";
export type { CuratorMachineOptions } from "./curator/machine-options.js";
export { ParticipantMachine } from "./participant/participant-machine.js";
export type { PartyEffect, PartyEvent, PartyHost } from "./protocol/party/party.js";
export type {
  OwnParticipantEffect,
  ParticipantEffect,
  ParticipantEvent,
  ParticipantOptions,
  ParticipantStatus,
} from "./participant/participant-events.js";
export {
  simulateFederation,
  type FederationSimulation,
  type SimulatedRound,
  type SimulateFederationOptions,
} from "./simulate.js";
export { decodeFrame, encodeFrame, type Frame } from "./protocol/messages/frame.js";
export {
  PROTOCOL_VERSION,
  type Body,
  type Envelope,
  type Message,
} from "./protocol/messages/messages.js";
export { decodeMessage, encodeMessage } from "./protocol/messages/message-bytes.js";
export type { PublicSizes } from "../learning/round/halves.js";
export { identityKey, newIdentity, type KeyPair } from "./secure-aggregation/keys/keys.js";
export type {
  AggregationInput,
  PlannedAggregation,
  PlannedIdentity,
} from "./secure-aggregation/plan/planned.js";
export { ringSize, type RingNumbers, type RingSize } from "./secure-aggregation/plan/ring-size.js";
export { runRelay, type RunRelayOptions } from "./relays/drive-relay.js";
export type { PlannedRelays, RelayedParticipant } from "./relayed-sums/plan/planned.js";
export type { PlannedRelay } from "./relays/plan/groups.js";
export { RelayMachine, type RelayEffect, type RelayEnd, type RelayMachineOptions, type RelayStatus } from "./relays/relay-machine.js"; // prettier-ignore
export type { AggregatorsInput, PlannedAggregators } from "./verified-sums/plan/planned.js";
export { randomBytesFrom, type RandomBytes } from "./secure-aggregation/keys/random-bytes.js";
