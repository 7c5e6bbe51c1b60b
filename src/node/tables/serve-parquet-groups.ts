/**
 * Reads one Parquet file in a thread of its own, a group of rows each time it is asked.
 * @module
 */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { DataError, HostError } from "../../core/errors.js";
import { openParquet, type ParquetFile } from "../../data/read/parquet/file.js";
import { ParquetDamage } from "../../data/read/parquet/form/damage.js";
import { packedSize, readGroup } from "../../data/read/parquet/groups.js";
import { packColumns } from "./pack-columns.js";
import type { GroupAnswer, GroupQuestion } from "./read-parquet-groups.js";

/** The file's description. The file stays open as long as the thread. */
async function describe(path: string): Promise<ParquetFile> {
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

async function answer(
  { group, only, spare }: GroupQuestion,
  file: ParquetFile,
  name: string,
): Promise<GroupAnswer> {
  if (group === undefined) {
    return { sizes: file.groups.map((_, at) => packedSize(file, at)) };
  }
  const read = await readGroup(file, group, name, { only, spare: [...spare] });
  return { columns: read && packColumns(read.columns) };
}

function refusal(error: unknown, name: string): GroupAnswer {
  if (error instanceof HostError) return { refusal: undefined, host: error.message };
  if (error instanceof DataError) return { refusal: error.message, host: undefined };
  const why = error instanceof ParquetDamage ? ` (${error.message})` : "";
  const damaged = `${name} is not a Parquet file that can be read, or it is damaged${why}.`;
  return { refusal: damaged, host: undefined };
}

/** Answers what is asked of the file at `path`, one question at a time. */
export function serveParquetGroups(path: string, port: MessagePort): void {
  const name = basename(path);
  const opened = describe(path);
  // Told to whoever asks first.
  opened.catch(() => undefined);
  port.on("message", (question: GroupQuestion) => {
    opened
      .then((file) => answer(question, file, name))
      .then(
        (found) => {
          const numbers = "columns" in found ? (found.columns ?? []) : [];
          const transfer = numbers.flatMap(({ values }) =>
            ArrayBuffer.isView(values) ? [values.buffer as ArrayBuffer] : [],
          );
          port.postMessage(found, transfer);
        },
        (error: unknown) => port.postMessage(refusal(error, name)),
      );
  });
}
