/**
 * `mp-mtl/federation/nats`: a run's messages on NATS, in Node and in pages.
 * @module
 */
export type { ChannelOptions } from "./channel.js";
export { ConnectionError } from "./connection/connection-error.js";
export type { NatsConnection, NatsMessage, NatsStatus } from "./connection/connection.js";
export { connectNatsWebSocket } from "./connection/connect.js";
export { type NatsOptions } from "./connection/nats-options.js";
export { openNatsCurator, type NatsCuratorTransport } from "./curator-transport.js";
export { openNatsParticipant, type NatsParticipantTransport } from "./participant-transport.js";
export { openNatsRelay } from "./relay-transport.js";
export { openRunBucket } from "./bucket/run-bucket.js";
export { type BucketOptions } from "./bucket/bucket-options.js";
