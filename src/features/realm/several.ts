// Whether the process serves other organizations too, which changes what owners are told.
import type { Config } from "../../contract/config.ts";

/** Whoever owns one of the organizations of a server does not keep the server. */
export const isOneOfSeveral = ({ subdomain }: Config): boolean => subdomain !== undefined;
