/**
 * What an earlier process of the curator kept, without holding it: records are as long as the run, and a curator that
 * returns needs each release once.
 * @module
 */
import { decodeRecord, type CuratorRecord } from "../protocol/records.js";
import type { RunStore } from "../protocol/machine/machine.js";
import type { BroadcastArchive } from "./rounds/broadcasts.js";

/**
 * @param statistics takes what was released; the records read it from there when they are asked, until it is closed.
 * @returns the records in order, without what opened sums of rounds that were released since.
 * @throws DataError if a record is none.
 */
export async function keptRecords(
  store: RunStore,
  statistics: BroadcastArchive,
): Promise<CuratorRecord[]> {
  const kept: CuratorRecord[] = [];
  let openings: CuratorRecord[] = [];
  let releases = 0;
  for await (const bytes of store.read?.() ?? (await store.load())) {
    const record = decodeRecord(bytes);
    if (record.type === "opening") openings.push(record);
    else if (record.type === "release") {
      const { round, charge } = record;
      openings = openings.filter((opening) => "round" in opening && opening.round !== round);
      statistics.add(record.statistic);
      const place = ++releases;
      kept.push({
        type: "release",
        round,
        charge,
        get statistic() {
          return statistics.read(place);
        },
      });
    } else kept.push(record);
  }
  return [...kept, ...openings];
}
