/**
 * A server with the keys of a run's participants: made anew for each test of a group, or one for all of them.
 * @module
 */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { makeDeployment, type Deployment, type NatsServer } from "./server.js";

export interface StartedServer {
  readonly deployment: Deployment;
  readonly server: NatsServer;
  /** Called after each test. */
  readonly closers: (() => Promise<unknown>)[];
}

/**
 * To be called in a group; what it gives is there while its tests run.
 * @param forAll one for all tests, started again where one has left it killed: none may change the keys or buckets that later ones need.
 */
export function startedServer(
  participants: readonly string[],
  { forAll = false }: { readonly forAll?: boolean } = {},
): StartedServer {
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
  const make = async () => {
    deployment = await makeDeployment(participants);
  };
  const end = () => started.server.kill();
  if (forAll) beforeAll(make);
  else beforeEach(make);
  // Before the other: what is done after tests is done in reverse.
  if (forAll) afterAll(end);
  else afterEach(end);
  beforeEach(async () => {
    if (!started.server.running) await started.server.start();
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  return started;
}
