/**
 * Certificates, by openssl: an authority of one's own, and from it the certificate that a server shows to clients and the one
 * that servers of a cluster show each other. A deployment may put another authority's in place of the first.
 * @module
 */
import { spawnSync } from "node:child_process";
import { randomBytes, X509Certificate } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { UsageError } from "./deployment.js";

const DAYS = { authority: "3650", server: "365" };
const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

function openssl(...args) {
  const { status, stderr, error } = spawnSync("openssl", args, { encoding: "utf8" });
  if (error) throw new UsageError("openssl is needed to make certificates, and was not found.");
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr.trim()}`);
}

/** One that is signed for a client by the authority of the servers makes its holder one of the servers. */
const USAGES = { server: "serverAuth", route: "serverAuth,clientAuth" };
/** What a leaf server shows its clients. */
export const LEAF_USAGES = { server: "serverAuth" };

/** The authority of the certificates by which leaf servers are known: another one, so that none of them passes for a server. */
export const leafAuthorityIn = (folder) => join(folder, "leaves");

const authorityIn = (folder) => join(folder, "authority.pem");

/** Certificates of authorities, the newest first. */
function authoritiesIn(folder) {
  const text = readFileSync(authorityIn(folder), "utf8");
  return text.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n?/gs) ?? [];
}

/**
 * Makes FOLDER/authority.pem and its key, unless they are there.
 * @param beside whether a new authority is put before those that are there: both are trusted, the new one signs.
 */
export function makeAuthority(folder, beside = false) {
  const [certificate, key] = [authorityIn(folder), join(folder, "authority-key.pem")];
  const before = existsSync(certificate) ? readFileSync(certificate, "utf8") : "";
  if (before !== "" && !beside) return;
  mkdirSync(folder, { recursive: true });
  // Two authorities of one name would be taken for each other.
  const subject = ["-subj", `/CN=mp-mtl authority ${randomBytes(4).toString("hex")}`];
  const made = [`${certificate}.part`, `${key}.part`];
  const out = ["-out", made[0], "-keyout", made[1]];
  openssl("req", "-x509", ...KEY, ...subject, "-days", DAYS.authority, ...out);
  chmodSync(made[1], 0o600);
  writeFileSync(made[0], readFileSync(made[0], "utf8") + before);
  renameSync(made[1], key);
  renameSync(made[0], certificate);
}

/** From now on only the newest authority is trusted. */
export function dropOldAuthorities(folder) {
  writeFileSync(authorityIn(folder), authoritiesIn(folder)[0]);
}

/** Whether one of our authorities signed the certificate; what another signed is left as it is. */
function isOurs(certificate, folder) {
  return authoritiesIn(folder).some((text) =>
    certificate.verify(new X509Certificate(text).publicKey),
  );
}

/** Makes TO/NAME.pem and its key. */
function makeCertificate(from, to, name, hosts, usage) {
  const path = (ending) => join(to, `${name}${ending}`);
  const names = hosts.map((host) => `${isIP(host) ? "IP" : "DNS"}:${host}`).join(",");
  writeFileSync(
    path(".ext"),
    `subjectAltName=${names}\nextendedKeyUsage=${usage}\nbasicConstraints=CA:FALSE\n` +
      `subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n`,
  );
  const [request, key, made] = [path(".csr"), path("-key.pem"), path(".pem")];
  const subject = ["-subj", `/CN=${hosts[0]}`];
  openssl("req", "-new", ...KEY, ...subject, "-keyout", `${key}.part`, "-out", request);
  openssl(
    ...["x509", "-req", "-in", request, "-days", DAYS.server, "-extfile", path(".ext")],
    ...["-CA", authorityIn(from), "-CAkey", join(from, "authority-key.pem")],
    ...["-set_serial", `0x${randomBytes(15).toString("hex")}`, "-out", `${made}.part`],
  );
  chmodSync(`${key}.part`, 0o600);
  renameSync(`${key}.part`, key);
  renameSync(`${made}.part`, made);
  for (const ending of [".csr", ".ext"]) rmSync(path(ending));
}

/**
 * Makes TO/NAME.pem, by which a leaf server is known, unless it is there.
 * @param name what it is known by.
 */
export function makeLeafCertificate(from, to, name, anew) {
  mkdirSync(to, { recursive: true });
  const path = join(to, `${name}.pem`);
  const there = existsSync(path) && new X509Certificate(readFileSync(path));
  if (!there || (anew && isOurs(there, from))) makeCertificate(from, to, name, [name], "clientAuth"); // prettier-ignore
}

/**
 * Makes TO/server.pem, for clients, and TO/route.pem, for the other servers, unless they are there.
 * @param from  the folder of the authority.
 * @param hosts names and addresses under which the server is reached.
 * @param anew  whether those of our own authority are made anew.
 * @param usages what they are for, by name.
 * @returns until when each is good.
 */
export function makeServerCertificates(from, to, hosts, anew, usages = USAGES) {
  mkdirSync(to, { recursive: true });
  if (from !== to) copyFileSync(authorityIn(from), authorityIn(to));
  const found = Object.entries(usages).map(([name, usage]) => {
    const path = join(to, `${name}.pem`);
    const there = existsSync(path) && new X509Certificate(readFileSync(path));
    if (!there || (anew && isOurs(there, from))) makeCertificate(from, to, name, hosts, usage);
    return `${name}.pem until ${new X509Certificate(readFileSync(path)).validTo}`;
  });
  return found.join(", ");
}
