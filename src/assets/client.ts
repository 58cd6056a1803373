// The browser client as the server hands it out: files by the path at which each is asked for.
import type { Client } from "./files.ts";
import { openClient } from "./origin.ts";

/** The path of the page that starts the client. */
export const SHELL = "/";

export const client: Client = openClient();
