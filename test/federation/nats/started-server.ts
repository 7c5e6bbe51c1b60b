/**
 * A server with the keys of a run's participants, started anew for each test of a group.
 * @module
 */
import { afterEach, beforeEach } from "vitest";
import { makeDeployment, type Deployment, type NatsServer } from "./server.js";

export interface StartedServer {
  readonly deployment: Deployment;
  readonly server: NatsServer;
  /** Called after the test, before the server is killed. */
  readonly closers: (() => Promise<unknown>)[];
}

/** To be called in a group; what it gives is there while one of its tests runs. */
export function startedServer(participants: readonly string[]): StartedServer {
  let deployment: Deployment;
  const closers: (() => Promise<unknown>)[] = [];
  const started: StartedServer = {
    get deployment() {
      return deployment;
    },
    get server() {
      return deployment.servers[0]!;
    },
    closers,
  };
  beforeEach(async () => {
    deployment = await makeDeployment(participants);
    await started.server.start();
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
    await started.server.kill();
  });
  return started;
}
