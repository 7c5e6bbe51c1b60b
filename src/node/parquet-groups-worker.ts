/**
 * The script of a thread that reads one Parquet file, a group of rows each time it is asked.
 * @module
 */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { DataError, HostError } from "../core/errors.js";
import { openParquet, packedSize, ParquetDamage, readGroup } from "../data/read/parquet-groups.js";
import { packColumns } from "./packed-columns.js";
import type { GroupAnswer, GroupQuestion } from "./read-parquet-groups.js";

const path = workerData as string;
const name = basename(path);

/** The file's description. The file stays open as long as the thread. */
async function describe() {
  const handle = await open(path);
  const { size } = await handle.stat();
  let room = new ArrayBuffer(0);
  return openParquet({
    length: size,
    // What was read before has been unpacked elsewhere by the time of the next piece.
    async read(from, to) {
      if (room.byteLength < to - from) room = new ArrayBuffer(to - from);
      const bytes = new Uint8Array(room, 0, to - from);
      for (let filled = 0; filled < bytes.length;) {
        const left = bytes.length - filled;
        const { bytesRead } = await handle.read(bytes, filled, left, from + filled);
        if (bytesRead === 0) throw new ParquetDamage("it became shorter while it was read");
        filled += bytesRead;
      }
      return bytes;
    },
  });
}

const opened = describe();
// Told to whoever asks first.
opened.catch(() => undefined);

async function answer({ group, only, spare }: GroupQuestion): Promise<GroupAnswer> {
  const file = await opened;
  if (group === undefined) {
    return { sizes: file.groups.map((_, at) => packedSize(file, at)) };
  }
  const read = await readGroup(file, group, name, { only, spare: [...spare] });
  return { columns: read && packColumns(read.columns) };
}

function refusal(error: unknown): GroupAnswer {
  if (error instanceof HostError) return { refusal: undefined, host: error.message };
  if (error instanceof DataError) return { refusal: error.message, host: undefined };
  const why = error instanceof ParquetDamage ? ` (${error.message})` : "";
  const damaged = `${name} is not a Parquet file that can be read, or it is damaged${why}.`;
  return { refusal: damaged, host: undefined };
}

parentPort?.on("message", (question: GroupQuestion) => {
  answer(question).then(
    (found) => {
      const numbers = "columns" in found ? (found.columns ?? []) : [];
      const transfer = numbers.flatMap(({ values }) =>
        ArrayBuffer.isView(values) ? [values.buffer as ArrayBuffer] : [],
      );
      parentPort!.postMessage(found, transfer);
    },
    (error: unknown) => parentPort!.postMessage(refusal(error)),
  );
});
