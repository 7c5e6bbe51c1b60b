/** A key that was revoked may be a thief's: no later run, of the same name or another, takes it again. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { thoroughTest } from "../thorough.js";

const program = fileURLToPath(new URL("../../deploy/nats/make-credentials.js", import.meta.url));

thoroughTest(
  "a revoked key stays so when its run is taken out and begun again",
  () => {
    const folder = temporaryFolder();
    const make = (run: string, ...options: string[]) =>
      execFileSync(process.execPath, [program, "--out", folder, "--run", run, ...options], {
        encoding: "utf8",
        stdio: "pipe",
      });
    const users = () => readFileSync(join(folder, "users.conf"), "utf8");
    make("trial", "--participants", "north,constructor");
    const north = /"(U[A-Z2-7]{55})","permissions":[^}]*in\.north"/.exec(users())![1]!;
    const curator = /^Revoked: (U\w+)/m.exec(make("trial", "--revoke", "curator"))![1]!;
    expect(make("trial", "--revoke", "north")).toContain(`Revoked: ${north}.`);
    make("trial", "--remove-run");
    make("trial", "--participants", "north,constructor");
    expect(users()).toContain('"mpmtl_trial.north"');
    expect(users()).toContain('"mpmtl_trial.constructor"');
    for (const key of [north, curator]) {
      expect(users()).not.toContain(key);
      expect(() => make("other", "--participants", `east=${key}`)).toThrow("was revoked");
    }
    expect(() => make("trial", "--renew", "revoked")).toThrow("run trial knows no revoked");
    make("trial", "--revoke", "north");
    expect(make("trial", "--renew", "north")).toContain(
      "north has a key again; those before it are revoked.",
    );
  },
  60_000,
);
