/**
 * Federation: the curator's and the participants' halves of a fit on different machines.
 * @module
 */
export type {
  CuratorHandlers,
  CuratorTransport,
  LinkState,
  ParticipantHandlers,
  ParticipantTransport,
} from "./transport.js";
