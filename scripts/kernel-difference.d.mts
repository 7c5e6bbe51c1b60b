/** The difference that `applyDifference` of src/core/builds/difference.ts turns `base` into `target` by. */
export function differenceFrom(base: Buffer, target: Buffer): Buffer;
