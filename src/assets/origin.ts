// Where the client comes from: its source here; the executable has it inside instead of this page.
import type { Client } from "./files.ts";
import { fromSource } from "./source.ts";

export const openClient = (): Client => fromSource();
