/**
 * What a folder of `make-credentials.js` holds: its runs with everyone's public keys, and how its servers are set up, kept in
 * `deployment.json`, from which the configuration is written.
 * @module
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nkeys } from "@nats-io/nats-core";
import { TOKEN } from "./permissions.js";

/** Something that the user can set right. */
export class UsageError extends Error {}

const FORMAT = { format: "mp-mtl-deployment", version: 1 };

/** The record in a folder, or an empty one. */
export function readDeployment(folder) {
  const path = join(folder, "deployment.json");
  if (!existsSync(path)) {
    if (existsSync(join(folder, "users.conf"))) {
      throw new UsageError(
        `${folder}: it holds a server of an older release, which goes on as it is; name another folder.`,
      );
    }
    return { ...FORMAT, server: {}, runs: {} };
  }
  const record = JSON.parse(readFileSync(path, "utf8"));
  if (record.format !== FORMAT.format || record.version !== FORMAT.version) {
    throw new UsageError(`${path}: expected a record of make-credentials.js of version 1.`);
  }
  return record;
}

/** Writes it whole or not at all. */
export function writeDeployment(folder, record) {
  mkdirSync(folder, { recursive: true });
  const part = join(folder, "deployment.json.part");
  writeFileSync(part, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(part, join(folder, "deployment.json"));
}

const publicKeyIn = (path) =>
  nkeys.fromSeed(new TextEncoder().encode(readFileSync(path, "utf8").trim())).getPublicKey();

/**
 * Makes NAME.nk, readable by its owner only, unless it is there.
 * @param anew whether one that is there is set aside, as NAME.nk.old, for a new one.
 * @returns its public key.
 */
export function makeKey(folder, name, anew = false) {
  const path = join(folder, `${name}.nk`);
  if (anew && existsSync(path)) renameSync(path, `${path}.old`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const seed = new TextDecoder().decode(nkeys.createUser().getSeed());
    writeFileSync(path, `${seed}\n`, { mode: 0o600, flag: "wx" });
  }
  return publicKeyIn(path);
}

/** Whether a key was revoked in a run that there is, or was: it may be a thief's. */
const isRevoked = ({ runs, revoked = [] }, key) =>
  revoked.includes(key) || Object.values(runs).some((run) => run.revoked.includes(key));

/** The key of who is new to a run: the one that is here, but for one that was revoked in an earlier run of that name. */
export function keyOfNew(record, keys, name) {
  const key = makeKey(keys, name);
  return isRevoked(record, key) ? makeKey(keys, name, true) : key;
}

/** The run of that name, made if it is not there. */
export function openRun(record, name, keys) {
  if (!TOKEN.test(name ?? "")) throw new UsageError("--run: expected letters, digits, - and _.");
  mkdirSync(keys, { recursive: true });
  for (const folder of [dirname(keys), keys]) chmodSync(folder, 0o700);
  if (!Object.hasOwn(record.runs, name)) {
    record.runs[name] = {
      storeBytes: 2 * 2 ** 30,
      curator: [keyOfNew(record, keys, "curator")],
      operator: [keyOfNew(record, keys, "operator")],
      participants: {},
      revoked: [],
    };
  }
  return record.runs[name];
}

/** Takes a run out; keys that were revoked in it stay so. */
export function removeRun(record, name) {
  if (!Object.hasOwn(record.runs, name)) throw new UsageError(`--run: there is no run ${name}.`);
  record.revoked = [...(record.revoked ?? []), ...record.runs[name].revoked];
  Reflect.deleteProperty(record.runs, name);
}

/** The keys that somebody has in a run; undefined for one whom it does not know. */
export function keysOf({ curator, operator, participants }, name) {
  const all = { curator, operator, ...participants };
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Whose key it is in any run, as `RUN NAME`. */
function holderOf(record, key) {
  for (const [run, { curator, operator, participants }] of Object.entries(record.runs)) {
    for (const [name, keys] of Object.entries({ curator, operator, ...participants })) {
      if (keys.includes(key)) return `${run} ${name}`;
    }
  }
  return undefined;
}

/** Lets a key speak for a name, beside those that it has. */
export function addKey(record, run, name, key) {
  const members = record.runs[run];
  if (isRevoked(record, key)) {
    throw new UsageError(`${name}: its key ${key} was revoked; it needs another one (--renew).`);
  }
  const holder = holderOf(record, key);
  if (holder === `${run} ${name}`) return;
  if (holder !== undefined) {
    throw new UsageError(
      `${name}: this key is that of ${holder} already; every run and name has its own: --out FOLDER --key NAME makes another.`,
    );
  }
  const reserved = name === "curator" || name === "operator";
  if (reserved) members[name].push(key);
  else members.participants[name] = [...(keysOf(members, name) ?? []), key];
}

/**
 * Takes keys from a run for good.
 * @param who a name, all of whose keys go, or one public key.
 * @returns the keys that were revoked.
 */
export function revoke(record, run, who) {
  const members = record.runs[run];
  const { curator, operator, participants } = members;
  const everyone = Object.values({ curator, operator, ...participants }).flat();
  const revoked = [...(keysOf(members, who) ?? everyone.filter((key) => key === who))];
  if (revoked.length === 0) throw new UsageError(`--revoke: run ${run} knows no ${who}.`);
  const staying = (keys) => keys.filter((key) => !revoked.includes(key));
  members.curator = staying(curator);
  members.operator = staying(operator);
  // A name without a key stays known: it may be given another one.
  for (const [name, keys] of Object.entries(participants)) participants[name] = staying(keys);
  members.revoked.push(...revoked);
  return revoked;
}
