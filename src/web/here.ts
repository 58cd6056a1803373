// This tab: its connection to the server, and what is on its way there.
import { openSync } from "./sync/open.ts";

export const { sync, desk } = openSync();
