/** Signing in by the host's Ed25519 gives the server what the client's own would give it. */
import { nkeyAuthenticator, nkeys } from "@nats-io/nats-core";
import { expect, test } from "vitest";
import { hostAuthenticator } from "../../src/node/host-authenticator.js";

const bytes = (text: string) => new TextEncoder().encode(text);

test("the same public key and the same signatures, for every key and nonce", () => {
  for (let k = 0; k < 20; k++) {
    const pair = nkeys.createUser();
    const seed = new TextDecoder().decode(pair.getSeed());
    const [own, clients] = [hostAuthenticator(seed), nkeyAuthenticator(bytes(seed))];
    // Ed25519 is deterministic.
    for (const nonce of [`nonce ${k}`, "ü", "", undefined]) {
      expect(own(nonce)).toEqual(clients(nonce));
    }
    const { sig } = own("challenge") as { sig: string };
    expect(pair.verify(bytes("challenge"), nkeys.decode(sig))).toBe(true);
  }
});

test("a seed with a letter exchanged is refused as the client refuses it, and only when one signs in", () => {
  const seed = new TextDecoder().decode(nkeys.createUser().getSeed());
  const typo = seed.slice(0, 20) + (seed[20] === "A" ? "B" : "A") + seed.slice(21);
  const refused = (sign: () => unknown) => {
    try {
      sign();
      return "not refused";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const own = hostAuthenticator(typo);
  expect(refused(() => own("nonce"))).toBe(refused(() => nkeyAuthenticator(bytes(typo))("nonce")));
  expect(refused(() => own("nonce"))).toContain("checksum");
});
