// Builds the client from source. The executable replaces this module by one with embedded files.
import type { Client } from "./files.ts";
import { fromSource } from "./source.ts";

export const openClient = (): Client => fromSource();
