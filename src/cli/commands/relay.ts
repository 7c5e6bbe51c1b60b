/**
 * `relay`: adds up what some participants of a run send, and the sums of relays beneath it: of secure sums masked integers, of plain ones vectors in
 * the clear. It has no data of its own.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { describePlan, runRelay, type RelayStatus } from "../../federation/index.js";
import { agrees } from "../federated/agree.js";
import { withMetrics } from "../operator/party-monitor.js";
import { defineCommand, type Context, type Result, type Values } from "../options/command.js";
import { endOf, openConnection, partyOptions, requireNames } from "../federated/nats-options.js";
import { partyLine } from "../federated/party-words.js";
import { openLog, type Log } from "../federated/run-log.js";
import { withinTime } from "../federated/time-limit.js";
import { text } from "../options/values.js";

const options = {
  ...partyOptions,
  nats: { ...partyOptions.nats, required: true },
  name: {
    value: "NAME",
    help: "The relay's name, as participants or relays have it in the plan's aggregation.",
    schema: text("a name"),
    required: true,
  },
} as const;

function statusLine(status: RelayStatus): string {
  switch (status.kind) {
    case "passed":
      return (
        `round ${status.round}, attempt ${status.attempt}: passed on a sum of ${status.inputs} of ` +
        `${status.awaited} participants`
      );
    case "refused":
      return status.times === undefined
        ? `refused a message of ${status.participant}: ${status.why}`
        : `refused ${status.times} messages of ${status.participant}, the last: ${status.why}`;
    default:
      return partyLine(status);
  }
}

const watch = (log: Log) => (status: RelayStatus) => log(status, statusLine(status));

async function run(values: Values<typeof options>, context: Context): Promise<Result> {
  const { io } = context;
  requireNames(values);
  const log = openLog(values, context);
  const { run, name, accept } = values;
  const relaying = async (onStatus: (status: RelayStatus) => void, limit: AbortSignal) => {
    const { openNatsRelay } = await import("../../federation/nats/index.js");
    const connection = await openConnection(values, io, log);
    const transport = openNatsRelay(connection, { run, name });
    return runRelay({
      run,
      relay: name,
      transport,
      ...(accept === undefined ? {} : { agreed: accept }),
      patient: values.timeout !== undefined,
      decide: (plan, hash) => {
        log({ kind: "plan", plan, hash }, describePlan(plan));
        return agrees(io, "Relay in this run? [y/N] ", undefined, hash);
      },
      onStatus,
      signal: AbortSignal.any([endOf(transport.closed, io.signal), limit]),
    });
  };
  const sums = await withinTime(values.timeout, (limit) =>
    withMetrics(values, watch(log), (onStatus) => relaying(onStatus, limit)),
  );
  return {
    document: { run, relay: name, sums },
    text: `${name} passed on ${counted(sums, "sum")} in run "${run}"`,
  };
}

export const relayCommand = defineCommand({
  options,
  examples: [
    "relay --nats tls://nats.example.org:4222 --credentials site-a.nk --run trial --name site-a",
  ],
  run,
});
