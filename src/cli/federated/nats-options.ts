/**
 * Options with which a command connects to NATS, and what it then says of the link.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { NatsConnection } from "../../federation/nats/index.js";
import { isParticipantName, NAME_FORM } from "../../federation/protocol/messages/names.js";
import { connectNats, readBytes } from "../../node/index.js";
import type { Values } from "../options/command.js";
import type { Io } from "../terminal/io.js";
import { metricsOption } from "./metrics-option.js";
import type { Log } from "./run-log.js";
import { integer, list, number, text, textThat, yesNo } from "../options/values.js";

export const natsOptions = {
  nats: {
    value: "URL",
    help: "The server, tls://host:4222; of a cluster, several separated by commas.",
    schema: list("URLs like tls://host:4222"),
    required: true,
  },
  credentials: {
    value: "FILE",
    help: "Your key: an nkey seed (.nk) or NATS credentials (.creds). Keep it to yourself.",
    schema: text("a file name"),
  },
  tlsCa: {
    value: "FILE",
    help: "Certificate of the authority that signed the server's, if the system does not know it.",
    schema: text("a file name"),
  },
  plaintext: {
    help: "Allow an unencrypted connection to a server on another machine.",
    schema: yesNo(),
    default: false,
  },
  wait: {
    value: "SECONDS",
    help: "How long to try to reach the server; a connection lost later is tried again without end.",
    schema: number({ min: 0 }),
    default: 30,
  },
  ping: {
    value: "SECONDS",
    help: "Between pings; two without an answer are a lost connection.",
    schema: integer({ min: 1 }),
    default: 10,
  },
} as const;

/** The same for a party of a run, and the run's name; without a server it does what needs none, as printing a key. */
export const partyOptions = {
  ...natsOptions,
  nats: { ...natsOptions.nats, required: false },
  run: {
    value: "NAME",
    help: "Name of the run, as in the plan.",
    schema: text("a name"),
    default: "main",
  },
  accept: {
    value: "HASH",
    help:
      "Agree to the plan with this hash, and to no other, without being asked. Where only others are offered, that is an error after " +
      "14 s, or at --timeout where that is given.",
    schema: textThat("a plan's hash, 64 digits 0-9 and a-f", (hash) => /^[0-9a-f]{64}$/.test(hash)),
  },
  timeout: {
    value: "SECONDS",
    help: "End with an error if the run is not over by then; the same command goes on where it stopped. Default: no limit.",
    schema: number({ above: 0 }),
  },
  ...metricsOption,
} as const;

/** @throws OptionError for a name that no party or run can have. */
export function requireNames(values: { readonly name: string; readonly run: string }): void {
  for (const flag of ["name", "run"] as const) {
    if (!isParticipantName(values[flag])) {
      throw new OptionError(`${flag}: expected ${NAME_FORM}`);
    }
  }
}

/** Their checked values. */
export type NatsValues = Values<typeof natsOptions>;

/** A file's text. @param option that names it. @throws OptionError if it cannot be read. */
export async function readText(path: string, option: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readBytes(path));
  } catch (error) {
    throw new OptionError(`--${option}: ${(error as Error).message}`);
  }
}

/** Connects as the options say; says so on standard error when it has to wait, and in the log why a link that was lost is not back. */
export async function openConnection(
  values: NatsValues,
  io: Io,
  log: Log,
  inboxPrefix?: string,
): Promise<NatsConnection> {
  const { credentials, tlsCa, plaintext, wait, ping } = values;
  return connectNats(values.nats, {
    plaintext,
    waitSeconds: wait,
    pingSeconds: ping,
    signal: io.signal,
    onAway: ({ message }) => log({ kind: "away", why: message }, `away: ${message}`),
    onWait: () => io.stderr(`no server at ${values.nats.join(", ")} yet; trying for ${wait} s\n`),
    ...(credentials === undefined
      ? {}
      : { credentials: await readText(credentials, "credentials") }),
    ...(tlsCa === undefined ? {} : { authority: await readText(tlsCa, "tls-ca") }),
    ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
  });
}

/**
 * A signal that is aborted when the user interrupts or the connection ends for good, with the reason.
 */
export function endOf(closed: Promise<Error | undefined>, signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  void closed.then((reason) => {
    if (reason) controller.abort(reason);
  });
  return AbortSignal.any([signal, controller.signal]);
}
