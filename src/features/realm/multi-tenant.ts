// Whether the process serves other organizations too, which limits what owners are told.
import type { Config } from "../../contract/config.ts";

/** With several organizations on a server, their owners do not operate the server. */
export const isMultiTenant = ({ subdomain }: Config): boolean => subdomain !== undefined;
