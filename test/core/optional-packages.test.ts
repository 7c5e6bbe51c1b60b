import { expect, test } from "vitest";
import { HostError } from "../../src/core/errors.js";
import { loadOptional, missingPackage } from "../../src/core/optional-packages.js";

/** As Node words it. */
const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /somewhere/file.js`), {
    code: "ERR_MODULE_NOT_FOUND",
  });

test("a missing optional package is said with the command that installs it", async () => {
  const told = loadOptional(() => Promise.reject(notFound("@nats-io/transport-node")));
  await expect(told).rejects.toThrow(HostError);
  await expect(told).rejects.toThrow(
    "Federated runs over NATS need packages that are not installed. Install them with: npm install @nats-io/nats-core",
  );
  expect(missingPackage(notFound("@nats-io/kv"))!.message).toMatch(/NATS.*@nats-io\/kv/);
});

test("other errors are left as they are", async () => {
  const other = notFound("some-package");
  await expect(loadOptional(() => Promise.reject(other))).rejects.toBe(other);
  expect(missingPackage(new Error("Cannot find package '@nats-io/kv'"))).toBeUndefined();
});
