/** What the operator of a run sees of it and does with it, beside a curator that lives or does not. */
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { askCurator, openControl } from "../../../src/cli/operator/control-socket.js";
import { openOperator } from "../../../src/cli/operator/open-operator.js";
import { openMetrics } from "../../../src/cli/operator/metrics-port.js";
import { PartyMonitor, withMetrics } from "../../../src/cli/operator/party-monitor.js";
import { RunMonitor } from "../../../src/cli/operator/run-monitor.js";
import { audited } from "../../../src/cli/federated/run-log.js";
import { main } from "../../../src/cli/run.js";
import { makePlan, planHash } from "../../../src/federation/index.js";
import { decodeRecord, encodeRecord } from "../../../src/federation/protocol/records.js";
import { openRunFolder } from "../../../src/node/records/run-folder.js";
import { freePorts } from "../../federation/nats/servers/server.js";
import { Desk, plan, started } from "../../federation/desk.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

/** A plan that names whose each task is. */
const named = makePlan({
  run: "named",
  method: "mp-low-rank",
  features: ["x", "y"],
  minimumTasks: 3,
  tasks: ["north", "north", "south", "west"].map((participant, i) => ({
    name: "abcd"[i]!,
    participant,
  })),
  options: { rounds: 3, clip: 1, delta: 1e-3, random: { mode: "seeded", seed: 1 } },
});

/** The monitor of a run of `desk.ts` with one closed round, of which "west" was absent. */
function watched(): RunMonitor {
  const monitor = new RunMonitor(plan);
  const desk = started();
  desk.push("north", 1, [0, 1], [0.1, 0, 0, 9]);
  desk.push("south", 1, [2], [0.1, 0]);
  desk.take({ type: "timer", name: "deadline" });
  desk.take({ type: "expel", participant: "west" });
  for (const effect of desk.effects) if (effect.type === "status") monitor.note(effect.status);
  return monitor;
}

async function cli(...args: string[]) {
  const io = testIo();
  const code = await main(args, io);
  return { code, out: io.out(), err: io.err() };
}

afterEach(() => vi.unstubAllEnvs());

describe("a live run", () => {
  test("of a curator that came back after the last round is over; in the middle it knows how many rounds there are", () => {
    const monitor = new RunMonitor(plan);
    const participants = [{ participant: "north", tasks: 2, expelled: false }];
    monitor.note({ kind: "resumed", round: 2, rounds: 3, participants });
    expect(monitor.snapshot).toMatchObject({ phase: "running", round: 2, rounds: 3 });
    monitor.note({ kind: "resumed", round: 3, rounds: 3, participants });
    expect(monitor.snapshot).toMatchObject({ phase: "over", round: 3, rounds: 3 });
    expect(monitor.metrics()).toMatch(/over\{run="unit"\} 1/);
  });

  test("is told by its socket and steered through it; names that it does not know are refused", async () => {
    const folder = temporaryFolder();
    const deeds: string[] = [];
    const close = await openControl(folder, watched(), {
      stop: () => deeds.push("stop"),
      begin: () => deeds.push("begin"),
      expel: (name) => deeds.push(`expel ${name}`),
      spent: () => ({ epsilon: 0.301, of: 1, delta: 1e-5 }),
      ledger: () => ({ entries: [1] }),
    });
    const status = JSON.parse((await askCurator(folder, "GET", "/status"))!) as object;
    expect(status).toMatchObject({
      link: "up",
      phase: "running",
      round: 2,
      rounds: 3,
      closed: { round: 1, expected: 4, present: 3, clipped: 1 },
      participants: {
        north: { tasks: 2, state: "registered" },
        west: { tasks: 1, state: "expelled" },
      },
    });
    const said = await cli("runs", "--state", folder);
    expect(said.out).toContain("running, round 2 of 3");
    expect(said.out).toContain("round 1: 3 of 4 tasks");
    expect(said.out).toContain("spent: epsilon 0.301 of 1, delta 0.00001");
    await cli("runs", "--state", folder, "--expel", "south");
    const again = await cli("runs", "--state", folder, "--begin");
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("the rounds have begun")]);
    await cli("runs", "--state", folder, "--stop");
    expect(deeds).toEqual(["expel south", "stop"]);
    expect((await cli("runs", "--state", folder, "--ledger", "--json")).out).toContain('"entries"');
    const stranger = await cli("runs", "--state", folder, "--expel", "nobody");
    expect([stranger.code, stranger.err]).toEqual([
      1,
      expect.stringContaining("no participant of that name"),
    ]);
    close();
    expect(await askCurator(folder, "GET", "/status")).toBeUndefined();
    expect((await cli("runs", "--state", folder, "--stop")).err).toContain("no curator is alive");
  });

  test("before its start names whom it awaits, lets them be expelled, and says why it cannot begin", async () => {
    const folder = temporaryFolder();
    const deeds: string[] = [];
    const monitor = new RunMonitor(named);
    const desk = new Desk(named);
    const note = () => {
      for (const effect of desk.effects) if (effect.type === "status") monitor.note(effect.status);
      desk.effects.length = 0;
    };
    const close = await openControl(folder, monitor, {
      stop: () => deeds.push("stop"),
      begin: () => deeds.push("begin"),
      expel: (name) => deeds.push(`expel ${name}`),
      spent: () => undefined,
      ledger: () => undefined,
    });
    desk.register("north", "a", "b");
    // Who waits registers again and again; the curator says so once.
    desk.register("north", "a", "b");
    expect(desk.statuses("registered")).toHaveLength(1);
    note();
    const said = await cli("runs", "--state", folder);
    expect(said.out).toContain("north: registered, 2 tasks\nsouth: awaited, 1 task");
    const early = await cli("runs", "--state", folder, "--begin");
    expect(early.err).toContain("2 tasks are registered and the plan asks for 3 at least");
    await cli("runs", "--state", folder, "--expel", "south");
    desk.register("west", "d");
    note();
    await cli("runs", "--state", folder, "--begin");
    expect(deeds).toEqual(["expel south", "begin"]);
    close();
  });

  test("is followed until it is over, or its curator ends; a run at rest is not", async () => {
    const folder = temporaryFolder();
    const steer = {
      stop: () => undefined,
      begin: () => undefined,
      expel: () => undefined,
      spent: () => undefined,
      ledger: () => undefined,
    };
    const followed = async (last: (monitor: RunMonitor, close: () => void) => void) => {
      const monitor = watched();
      const close = await openControl(folder, monitor, steer);
      const io = testIo();
      const code = main(["runs", "--state", folder, "--follow"], io);
      await vi.waitFor(() => expect(io.err()).toContain("running, round 2 of 3"));
      monitor.note({ kind: "closed", round: 2, expected: 4, present: 4, clipped: 0 });
      await vi.waitFor(() => expect(io.err()).toContain("round 2: 4 of 4 tasks"), 5000);
      last(monitor, close);
      const ended = { code: await code, err: io.err(), out: io.out() };
      close();
      return ended;
    };
    const over = await followed((monitor) =>
      monitor.note({ kind: "closed", round: 3, expected: 4, present: 4, clipped: 0 }),
    );
    expect(over).toMatchObject({ code: 0, out: expect.stringMatching(/^over, round/) as string });
    // What stays as it was is said once.
    expect(over.err.match(/north: registered/g)).toHaveLength(1);
    const gone = await followed((_monitor, close) => close());
    expect(gone.code).toBe(0);
    expect(gone.err).toContain("the curator has ended");
    const rest = await cli("runs", "--state", folder, "--follow");
    expect([rest.code, rest.err]).toEqual([2, expect.stringContaining("nothing to follow")]);
    expect((await cli("runs", "--state", folder, "--timeout", "3")).code).toBe(2);
  });

  test("names who is silent after rounds that close without it, until one closes with it", () => {
    const monitor = watched();
    const closed = { kind: "closed", expected: 4, present: 3, clipped: 0 } as const;
    monitor.note({ ...closed, round: 2, silent: ["south"] });
    monitor.note({ kind: "round", round: 3, rounds: 9, expected: 4 });
    expect(monitor.snapshot).toMatchObject({ phase: "running", missing: ["south"] });
    expect(monitor.metrics()).toMatch(/^mpmtl_missing_participants\{.*\} 1$/m);
    monitor.note({ ...closed, round: 3, present: 4 });
    expect(monitor.snapshot.missing).toEqual([]);
    expect(monitor.snapshot.closed).not.toHaveProperty("silent");
  });

  test("names at the end for whom the curator stays, until their word is there", () => {
    const monitor = watched();
    monitor.note({ kind: "round", round: 9, rounds: 9, expected: 4 });
    monitor.note({ kind: "closed", round: 9, expected: 4, present: 4, clipped: 0 });
    monitor.note({ kind: "lingering", awaited: ["south", "west"], longest: 60_000 });
    expect(monitor.snapshot).toMatchObject({ phase: "over", missing: ["south", "west"] });
    monitor.note({ kind: "finished", participant: "west" });
    monitor.note({ kind: "finished", participant: "north" });
    expect(monitor.snapshot.missing).toEqual(["south"]);
    monitor.note({ kind: "left", participant: "south" });
    expect(monitor.snapshot.missing).toEqual([]);
  });

  test("that goes on from its records awaits nobody who takes part, and does not forget who was expelled", () => {
    const desk = new Desk(named);
    for (const [name, ...tasks] of [
      ["north", "a", "b"],
      ["south", "c"],
      ["west", "d"],
    ] as const) {
      desk.register(name, ...tasks);
    }
    desk.take({ type: "expel", participant: "west" });
    const monitor = new RunMonitor(named);
    for (const effect of new Desk(named, desk.records()).effects) {
      if (effect.type === "status") monitor.note(effect.status);
    }
    expect(monitor.snapshot).toMatchObject({
      phase: "running",
      participants: {
        north: { tasks: 2, state: "registered" },
        south: { tasks: 1, state: "registered" },
        west: { tasks: 1, state: "expelled" },
      },
    });
  });

  test("keeps its socket beside a second curator, and one that does not answer is not waited for", async () => {
    const folder = temporaryFolder();
    const nothing = () => undefined;
    const steer = {
      stop: nothing,
      begin: nothing,
      expel: nothing,
      spent: nothing,
      ledger: nothing,
    };
    const close = await openControl(folder, watched(), steer);
    await expect(openControl(folder, watched(), steer)).rejects.toThrow("another curator");
    const lines: string[] = [];
    const log = (_event: object, line: string | readonly string[]) => lines.push(String(line));
    const second = await openOperator({ state: folder }, new RunMonitor(plan), plan, log);
    expect(lines).toEqual([expect.stringContaining("cannot reach this curator: another curator")]);
    second.close(false);
    expect(await askCurator(folder, "GET", "/status")).toContain('"phase"');
    close();
    expect(await askCurator(folder, "GET", "/status")).toBeUndefined();
    const silent = createServer().listen(join(folder, ".control.sock"));
    await once(silent, "listening");
    const asked = askCurator(folder, "GET", "/status", 100);
    await expect(asked).rejects.toThrow("has not answered for 0.1 s");
    silent.close();
    // What a killed process left behind is in nobody's way.
    writeFileSync(join(folder, ".control.sock"), "");
    const again = await openControl(folder, watched(), steer);
    again();
  });

  test("that stands still because its store does not answer, or its server is away, says so", async () => {
    const folder = temporaryFolder();
    const monitor = watched();
    const nothing = () => undefined;
    const close = await openControl(folder, monitor, {
      stop: nothing,
      begin: nothing,
      expel: nothing,
      spent: nothing,
      ledger: nothing,
    });
    const words = ["its server is not reached", "the store of its records does not answer"];
    const said = async () => {
      const { out } = await cli("runs", "--state", folder);
      return words.map((word) => out.includes(word));
    };
    monitor.note({ kind: "link", state: "up" });
    expect(await said()).toEqual([false, false]);
    monitor.storeTurned("waits");
    expect(await said()).toEqual([false, true]);
    expect(monitor.metrics()).toContain('mpmtl_store_waits{run="unit"} 1');
    monitor.note({ kind: "link", state: "down" });
    expect(await said()).toEqual([true, true]);
    monitor.storeTurned("answers");
    expect(await said()).toEqual([true, false]);
    expect(monitor.metrics()).toContain('mpmtl_store_waits{run="unit"} 0');
    close();
  });

  test("serves metrics and health on a port, and nothing else", async () => {
    const [port] = await freePorts(1);
    const close = await openMetrics(`127.0.0.1:${port}`, watched());
    const get = async (path: string, method = "GET") => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
      return [answer.status, await answer.text()] as const;
    };
    const [status, text] = await get("/metrics");
    expect(status).toBe(200);
    // Every line of the format is a comment or `name{labels} value`.
    for (const line of text.trim().split("\n")) {
      expect(line).toMatch(/^(# (HELP|TYPE) mpmtl_\w+ .+|mpmtl_\w+\{run="unit"\} \d+)$/);
    }
    expect(text).toContain('mpmtl_tasks_present{run="unit"} 3');
    expect(text).toContain('mpmtl_clipped_total{run="unit"} 1');
    expect(text).not.toMatch(/north|south|west/);
    expect(await get("/health")).toEqual([200, "up\n"]);
    expect((await get("/status"))[0]).toBe(404);
    expect((await get("/stop", "POST"))[0]).toBe(404);
    close();
  });
});

describe("a helper, a relay, a participant", () => {
  test("have metrics and health in the curator's words", async () => {
    const monitor = new PartyMonitor("unit");
    const value = (name: string) => Number(new RegExp(`^mpmtl_${name}\\{run="unit"\\} (\\d+)$`, "m").exec(monitor.metrics())?.[1] ?? NaN); // prettier-ignore
    expect([monitor.link, value("link_up")]).toEqual(["down", 0]);
    monitor.note({ kind: "link", state: "up" });
    monitor.note({ kind: "unanswered" });
    expect([monitor.link, value("link_up"), value("unanswered")]).toEqual(["up", 1, 1]);
    monitor.note({ kind: "started", tasks: 3, round: 2 });
    monitor.note({ kind: "uploaded", round: 2, rounds: 2 });
    expect(["round", "rounds", "over", "answers_total"].map(value)).toEqual([2, 2, 0, 1]);
    monitor.note({ kind: "received", round: 2, rounds: 2 });
    expect(["over", "unanswered"].map(value)).toEqual([1, 0]);
    monitor.note({ kind: "ignored", why: "garbage" });
    monitor.note({ kind: "refused", participant: "mallory", why: "a wrong length", times: 4 });
    expect(value("refused_total")).toBe(5);
    expect(monitor.metrics()).not.toContain("mallory");
    const helper = new PartyMonitor("unit");
    helper.note({ kind: "given", round: 1, rounds: 1, reports: 9 });
    expect(helper.metrics()).toMatch(/mpmtl_over\{run="unit"\} 1/);
    // What a relay does not know it does not say.
    const relay = new PartyMonitor("unit");
    relay.note({ kind: "passed", round: 1, attempt: 1, inputs: 2, awaited: 2 });
    expect(relay.metrics()).not.toContain("mpmtl_rounds");
    const helpOf = (text: string) => text.split("\n").filter((line) => line.startsWith("# "));
    const curators = new Set(helpOf(watched().metrics()));
    const own = helpOf(monitor.metrics()).filter((line) => !curators.has(line));
    expect(own.every((line) => /mpmtl_(answers_total|unanswered) /.test(line))).toBe(true);
  });

  test("say plainly that a port cannot be had, and end as for a wrong option", async () => {
    const [port] = await freePorts(1);
    const metrics = `127.0.0.1:${port}`;
    const close = await openMetrics(metrics, watched());
    const taken = `--metrics ${metrics}: another process uses this port; name a free one`;
    const started = vi.fn(() => Promise.resolve());
    await expect(withMetrics({ metrics, run: "unit" }, () => 0, started)).rejects.toThrow(taken);
    expect(started).not.toHaveBeenCalled();
    const relay = ["--nats", "tls://127.0.0.1:1", "--run", "unit", "--name", "west", "--wait", "0"];
    const ended = await cli("relay", ...relay, "--metrics", metrics);
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining(taken)]);
    expect(ended.err).not.toContain("    at ");
    close();
    const away = openMetrics("192.0.2.1:9464", watched());
    await expect(away).rejects.toThrow("this machine has no such address");
    // A curator lets go of what it opened before.
    const folder = temporaryFolder();
    const other = await openMetrics(metrics, watched());
    const monitor = new RunMonitor(plan);
    const operator = openOperator({ state: folder, metrics }, monitor, plan, () => undefined);
    await expect(operator).rejects.toThrow(taken);
    expect(readdirSync(folder)).toEqual([]);
    other();
  });

  test("serve them while they work, and no longer", async () => {
    const [port] = await freePorts(1);
    const health = () => fetch(`http://127.0.0.1:${port}/health`);
    const told: string[] = [];
    const values = { metrics: `127.0.0.1:${port}`, run: "unit" };
    const result = await withMetrics(
      values,
      ({ kind }) => told.push(kind),
      async (onStatus) => {
        expect((await health()).status).toBe(503);
        onStatus({ kind: "link", state: "up" });
        expect((await health()).status).toBe(200);
        return 7;
      },
    );
    expect([result, told]).toEqual([7, ["link"]]);
    await expect(health()).rejects.toThrow();
  });
});

describe("a run at rest", () => {
  async function stored(folder: string) {
    const store = openRunFolder(folder);
    for (const record of started().records()) await store.append(record);
    await store.close();
  }

  test("is read from its records, and exported", async () => {
    const home = temporaryFolder();
    vi.stubEnv("XDG_STATE_HOME", home);
    await stored(join(home, "mp-mtl", "curator", "unit"));
    expect((await cli("runs")).out).toMatch(/unit +no curator +0 of 3 released +3/);
    const file = join(home, "run.json");
    expect((await cli("runs", "--run", "unit", "--export", file)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      live: false,
      state: "no curator",
      released: 0,
      rounds: 3,
      charges: [],
      expelled: [],
      participants: [{ name: "north", tasks: ["a", "b"] }, { name: "south" }, { name: "west" }],
    });
    const other = await cli("runs", "--run", "other");
    expect([other.code, other.err]).toEqual([3, expect.stringContaining("no records of a run")]);
    expect((await cli("runs", "--stop")).err).toContain("--run is needed");
    expect((await cli("runs", "--run", "../x")).code).toBe(2);
  });

  /** Records of a run with so many of its three rounds released. */
  function after(rounds: number): Uint8Array[] {
    const desk = started();
    for (let round = 1; round <= rounds; round++) {
      desk.push("north", round, [0, 1], [0.1, 0, 0, 0.2]);
      desk.push("south", round, [2], [0.1, 0]);
      desk.push("west", round, [3], [0.1, 0]);
    }
    return desk.records();
  }

  test("has ended, was stopped, or is under way without a curator now, and says which, and of how many rounds", async () => {
    const folder = temporaryFolder();
    const told = async () => {
      const [out, json] = [await cli("runs", "--state", folder), await cli("runs", "--state", folder, "--json")]; // prettier-ignore
      return [/^[^;]*; [^;]*/.exec(out.out)![0], (JSON.parse(json.out) as { state: string }).state];
    };
    const records = after(3);
    const store = openRunFolder(folder);
    for (const record of after(2)) await store.append(record);
    await store.close();
    const killed = "under way, and no curator is alive: the same curator command goes on";
    const [rounds, allRounds] = ["rounds released: 2 of 3", "rounds released: 3 of 3"];
    expect(await told()).toEqual([`${killed}; ${rounds}`, "no curator"]);
    // Looking at it is not what stops it.
    expect(await told()).toEqual([`${killed}; ${rounds}`, "no curator"]);
    const live = () => openOperator({ state: folder }, new RunMonitor(plan), plan, () => undefined);
    (await live()).close(true);
    const stopped = "the run was stopped, and the same curator command goes on";
    expect(await told()).toEqual([`${stopped}; ${rounds}`, "stopped"]);
    // One that was killed after it went on was not stopped.
    (await live()).close(false);
    expect(await told()).toEqual([`${killed}; ${rounds}`, "no curator"]);
    const operator = await live();
    await cli("runs", "--state", folder, "--stop");
    expect(operator.stopped.aborted).toBe(true);
    operator.close(false);
    expect(await told()).toEqual([`${stopped}; ${rounds}`, "stopped"]);
    const again = openRunFolder(folder);
    for (const record of records.slice((await again.load()).length)) await again.append(record);
    await again.close();
    // Who is stopped while it serves the last models has a run that has ended.
    expect(await told()).toEqual([`the run has ended; ${allRounds}`, "ended"]);
  });

  test("of an earlier release, which did not keep how many rounds there are, is not said to have ended", async () => {
    const home = temporaryFolder();
    vi.stubEnv("XDG_STATE_HOME", home);
    const store = openRunFolder(join(home, "mp-mtl", "curator", "unit"));
    for (const bytes of after(3)) {
      const record = decodeRecord(bytes);
      if (record.type !== "members") await store.append(bytes);
      else await store.append(encodeRecord({ type: "members", members: record.members }));
    }
    await store.close();
    expect((await cli("runs")).out).toMatch(/unit +no curator +3 of \? released +3/);
  });

  test("and a live one are exported alike: what the records hold, beside the curator that writes them", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "..", "run.json");
    const exported = async () => {
      expect((await cli("runs", "--state", folder, "--export", file)).out).toContain("written to");
      return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    };
    const store = openRunFolder(folder);
    for (const record of after(2)) await store.append(record);
    const operator = await openOperator({ state: folder }, new RunMonitor(plan), plan, () => undefined); // prettier-ignore
    const alive = await exported();
    expect(alive).toMatchObject({
      live: true,
      plan: planHash(plan),
      released: 2,
      rounds: 3,
      participants: [{ name: "north", tasks: ["a", "b"] }, { name: "south" }, { name: "west" }],
    });
    expect(alive["charges"]).toHaveLength(2);
    // The curator has its records still.
    for (const record of after(3).slice((await store.load()).length)) await store.append(record);
    expect((await exported())["charges"]).toHaveLength(3);
    operator.close(false);
    await store.close();
    const { live, state, ...records } = await exported();
    expect([live, state]).toEqual([false, "ended"]);
    expect({ live: true, ...records }).toMatchObject({ ...alive, released: 3, charges: expect.any(Array) as unknown }); // prettier-ignore
    expect(Object.keys(records).sort()).toEqual(Object.keys(alive).filter((key) => key !== "live").sort()); // prettier-ignore
  });

  test("before its start is told by the registrations that are kept", async () => {
    const home = temporaryFolder();
    vi.stubEnv("XDG_STATE_HOME", home);
    const desk = new Desk(named);
    desk.register("north", "a", "b");
    desk.register("south", "c");
    desk.say("south", { type: "leave" });
    desk.register("west", "d");
    desk.take({ type: "timer", name: "registrations" });
    desk.take({ type: "expel", participant: "west" });
    const store = openRunFolder(join(home, "mp-mtl", "curator", "named"));
    for (const record of desk.records()) await store.append(record);
    await store.close();
    expect((await cli("runs")).out).toMatch(/named +no curator +not begun +1\n?$/);
    const said = await cli("runs", "--run", "named");
    expect(said.out).toMatch(/the rounds have not begun[^]*\nnorth: a, b\nwest was expelled/);
    expect(said.out).not.toContain("south");
  });
});

test("an audit log has a time in every line and is its owner's", () => {
  const file = join(temporaryFolder(), "audit.jsonl");
  const lines: unknown[] = [];
  const log = audited((_event, words) => lines.push(words), file);
  log({ kind: "closed", round: 1 }, []);
  log({ kind: "operator", deed: "expel \u001b[2J" }, "words");
  const written = readFileSync(file, "utf8").trim().split("\n");
  expect(written.map((line) => (JSON.parse(line) as { event: object }).event)).toMatchObject([
    { kind: "closed", round: 1 },
    { kind: "operator" },
  ]);
  for (const line of written) {
    expect(line).toMatch(/^\{"time":"\d{4}-\d\d-\d\dT[\d:.]+Z"/);
    expect(line).not.toContain("\u001b");
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(lines).toEqual([[], "words"]);
});
