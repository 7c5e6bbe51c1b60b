/** `make-credentials.js` says which servers must be started again: one that takes no reload keeps keys that were revoked. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { thoroughTest } from "../thorough.js";

const program = fileURLToPath(new URL("../../deploy/nats/make-credentials.js", import.meta.url));

thoroughTest(
  "servers must be started again for leaf servers, and for nothing that a reload does",
  () => {
    const folder = temporaryFolder();
    /** The folders, without the temporary one, that are to be started again. */
    const again = (...options: string[]) => {
      const said = execFileSync(process.execPath, [program, "--out", folder, "--run", "trial", ...options], { encoding: "utf8" }); // prettier-ignore
      expect(said).toContain('their log must say "Reloaded server configuration"');
      const named = said.matchAll(/^(.*): server\.pem.*\n {2}Start this server again/gm);
      return [...named].map(([, path]) => path!.slice(folder.length));
    };
    expect(again("--participants", "north,south,east,west,late")).toEqual([]);
    expect(again("--participants", "more")).toEqual([]);
    expect(again("--revoke", "more")).toEqual([]);
    expect(again("--new-certificates")).toEqual([]);
    // A relay alone is a matter of permissions; where leaf servers connect is read at the start only.
    expect(again("--relay", "site-a=north,south")).toEqual([]);
    expect(again("--relay", "site-a=north,south", "--leaf", "localhost:4301")).toEqual([""]);
    expect(again("--relay", "site-b=east", "--leaf", "localhost:4302")).toEqual([""]);
    // One more participant of a leaf is no reason.
    expect(again("--relay", "site-b=east,west")).toEqual([]);
    expect(again("--revoke", "east")).toEqual([]);
    // The leaf servers know the others' addresses.
    expect(again("--leaf-port", "7500")).toEqual(["/leaf-trial-site-a", "/leaf-trial-site-b", ""]);
  },
  60_000,
);
