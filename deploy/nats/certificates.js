/**
 * Certificates for a trial, by openssl: an authority of one's own, and a server's certificate from
 * it. A deployment takes the server's from an authority that its clients know already.
 * @module
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";

const DAYS = "365";

function openssl(...args) {
  const { status, stderr, error } = spawnSync("openssl", args, { encoding: "utf8" });
  if (error) throw new Error("openssl is needed to make certificates, and was not found");
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr.trim()}`);
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Makes FOLDER/authority.pem and its key, unless they are there. */
export function makeAuthority(folder) {
  const [certificate, key] = [join(folder, "authority.pem"), join(folder, "authority-key.pem")];
  if (existsSync(certificate)) return;
  mkdirSync(folder, { recursive: true });
  const subject = ["-subj", "/CN=mp-mtl trial authority"];
  openssl("req", "-x509", ...KEY, ...subject, "-days", DAYS, "-keyout", key, "-out", certificate);
  chmodSync(key, 0o600);
}

/**
 * Makes TO/server.pem, signed by the authority in FROM, unless it is there.
 * @param hosts  names and addresses under which clients reach the server.
 */
export function makeServerCertificate(from, to, hosts) {
  const path = (name) => join(to, name);
  mkdirSync(to, { recursive: true });
  if (from !== to) copyFileSync(join(from, "authority.pem"), path("authority.pem"));
  if (existsSync(path("server.pem"))) return;
  const names = hosts.map((host) => `${isIP(host) ? "IP" : "DNS"}:${host}`).join(",");
  writeFileSync(
    path("server.ext"),
    `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=CA:FALSE\n`,
  );
  const request = path("server.csr");
  openssl(
    "req",
    "-new",
    ...KEY,
    "-subj",
    `/CN=${hosts[0]}`,
    "-keyout",
    path("server-key.pem"),
    "-out",
    request,
  );
  const authority = ["-CA", join(from, "authority.pem"), "-CAkey", join(from, "authority-key.pem")];
  openssl(
    "x509",
    "-req",
    "-in",
    request,
    ...authority,
    "-CAcreateserial",
    "-days",
    DAYS,
    "-extfile",
    path("server.ext"),
    "-out",
    path("server.pem"),
  );
  chmodSync(path("server-key.pem"), 0o600);
  for (const name of ["server.csr", "server.ext"]) rmSync(path(name));
}
