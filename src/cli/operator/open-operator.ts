/**
 * How an operator reaches a curator that runs: the socket of `runs`, and the port with metrics.
 * @module
 */
import type { CuratorControl, Plan } from "../../federation/index.js";
import type { Log } from "../federated/run-log.js";
import { openControl } from "./control-socket.js";
import { ownFolder, rememberStopped } from "./curator-folder.js";
import { openMetrics } from "./metrics-port.js";
import type { RunMonitor } from "./run-monitor.js";

/** The socket by which `runs` reaches this curator, and the port with metrics. */
export async function openOperator(
  {
    state,
    metrics,
  }: { readonly state?: string | undefined; readonly metrics?: string | undefined },
  monitor: RunMonitor,
  plan: Plan,
  log: Log,
) {
  const stop = new AbortController();
  let control: CuratorControl | undefined;
  const said = (deed: string, work: () => void) => {
    log({ kind: "operator", deed }, `the operator asked: ${deed}`);
    work();
  };
  const folder = ownFolder(state, plan.run);
  const closers: (() => void)[] = [];
  const steer = {
    stop: () => said("stop", () => stop.abort(new Error("stopped by the operator"))),
    begin: () => said("begin", () => control?.begin()),
    expel: (name: string) => said(`expel ${name}`, () => control?.expel(name)),
    spent: () => {
      const ledger = control?.ledger();
      return ledger && { ...ledger.spent(), of: ledger.epsilon };
    },
    ledger: () => control?.ledger()?.toJSON(),
  };
  try {
    closers.push(await openControl(folder, monitor, steer));
  } catch (error) {
    // A path too long for a socket, or a file system without them: the run does not depend on it.
    const why = (error as Error).message;
    log({ kind: "no-control", why }, `\`mp-mtl runs\` cannot reach this curator: ${why}`);
  }
  const close = () => closers.forEach((one) => one());
  try {
    if (metrics !== undefined) closers.push(await openMetrics(metrics, monitor));
  } catch (error) {
    close();
    throw error;
  }
  rememberStopped(folder, false);
  const ready = (given: CuratorControl) => (control = given);
  return {
    stopped: stop.signal,
    ready,
    /** @param interrupted whether the process was told to end. */
    close: (interrupted: boolean) => {
      rememberStopped(folder, interrupted || stop.signal.aborted);
      close();
    },
  };
}
