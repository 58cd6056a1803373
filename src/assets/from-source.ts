// Builds the client from source; executables embed its files instead.
import type { Client } from "./files.ts";
import { fromSource } from "./checkout.ts";

export const openClient = (): Client => fromSource();
