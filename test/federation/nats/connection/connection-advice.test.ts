/** What a refused connection advises: about the option that is wrong, and about no other. */
import { describe, expect, test } from "vitest";
import { OptionError } from "../../../../src/core/index.js";
import { connectionRefused } from "../../../../src/federation/nats/connection/connect-options.js";
import { ConnectionError } from "../../../../src/federation/nats/index.js";
import { connectNats } from "../../../../src/node/index.js";

/** Nothing listens at port 9 of this machine. */
const NOBODY = ["tls://127.0.0.1:9"];

describe("a certificate that is not believed", () => {
  const told = (reason: string, authority = false) =>
    connectionRefused(["tls://a:4222"], new Error(reason), { authority }).message;

  test("without an authority the option is named, with one its file is doubted", () => {
    const reason = "unable to verify the first certificate";
    expect(told(reason)).toContain("needs that authority: --tls-ca FILE");
    expect(told(reason, true)).not.toContain("needs that authority");
    expect(told(reason, true)).toContain("--tls-ca did not sign it");
  });

  test.each(["certificate is not yet valid", "certificate has expired"])(
    "%s: the clock may be wrong, the authority is not",
    (reason) => {
      const year = String(new Date().getUTCFullYear());
      expect(told(reason, true)).toMatch(new RegExp(`clock, which says ${year}-`));
      expect(told(reason)).not.toContain("--tls-ca");
    },
  );

  test("a name that it does not have is not the authority's fault", () => {
    const reason =
      "Hostname/IP does not match certificate's altnames: IP: 127.0.0.2 is not in the cert's list";
    expect(told(reason)).toContain("--hosts");
    expect(told(reason)).not.toContain("--tls-ca");
  });
});

test.each([
  ["a key that is none", { credentials: "{}" }, "credentials: expected an nkey seed"],
  ["a certificate that is none", { authority: "{}" }, "authority \\(--tls-ca\\): expected"],
  [
    "a private key in a certificate's place",
    { authority: "-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n" },
    "authority \\(--tls-ca\\): expected",
  ],
])("%s is a wrong option, which no waiting mends", async (_what, options, message) => {
  const connecting = connectNats(NOBODY, { ...options, waitSeconds: 60 });
  const error = await connecting.catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(OptionError);
  expect((error as Error).message).toMatch(new RegExp(`^${message}`));
});

test("a server that is not there is no wrong option", async () => {
  await expect(connectNats(NOBODY)).rejects.toBeInstanceOf(ConnectionError);
});
