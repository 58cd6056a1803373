// The web client as the server serves it: files by path.
import type { Client } from "./files.ts";
import { openClient } from "./from-source.ts";

/** The path of the page that starts the client. */
export const SHELL = "/";

export const client: Client = openClient();
