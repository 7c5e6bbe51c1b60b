/**
 * The packed tarball, installed by npm into a project outside the tree, once for all hosts.
 * @module
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { installPacked, pack } from "../package/packed.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The project's folder: node_modules/mp-mtl, fit.js, main.js and what else is in project/. */
    scratch: string;
  }
}

/** Vitest's global set-up: makes the project, and removes it at the end. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-hosts-"));
  cpSync(fileURLToPath(new URL("project/", import.meta.url)), folder, { recursive: true });
  const tarball = pack(folder);
  try {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball.path];
    execFileSync(npm, args, { cwd: folder, stdio: "pipe" });
  } catch {
    console.warn("npm could not install the tarball (no network?): its dependencies are linked.");
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    installPacked(tarball, folder);
  }
  project.provide("scratch", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
