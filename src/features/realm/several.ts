// Whether the process serves other organizations too, which changes what owners are told.
import type { Config } from "../../contract/config.ts";

/** With several organizations on a server, their owners do not operate the server. */
export const isOneOfSeveral = ({ subdomain }: Config): boolean => subdomain !== undefined;
