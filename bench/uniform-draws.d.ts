export function integers(seed: number): () => number;
export function generator(seed: number): { uniform: () => number; normal: () => number };
export function signed(seed: number): () => number;
export function lehmer(seed: number): () => number;
