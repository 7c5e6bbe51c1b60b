import type { Server } from "node:http";

export function servePage(port?: number): Promise<Server>;
