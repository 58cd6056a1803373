// Parses the additional organizations of a server, each with its own host.
import { resolve } from "node:path";
import type { FurtherOrganizations } from "../running.ts";
import { hostName } from "../server/hosts.ts";
import { UsageError } from "./flags.ts";
import { publicUrl } from "./listen.ts";

type Organization = FurtherOrganizations["organizations"][number];

/**
 * Parses `NAME=DIR,NAME=DIR`. A bare host name uses the scheme and port of the first organization.
 */
export function additionalOrganizations(
  first: Organization,
  hosts: string,
  root_host?: string,
): FurtherOrganizations {
  const rows = hosts.split(",").flatMap((row) => row.trim() || []);
  if (rows.length === 0 && root_host === undefined) return { organizations: [] };
  if (first.url === "") {
    throw new UsageError("--url is missing: the URL of the organization in --data");
  }
  const organizations = rows.map((row) => organizationIn(row, first.url));
  checkDistinct([first, ...organizations], root_host);
  return { organizations, ...(root_host !== undefined && { root_host }) };
}

function organizationIn(row: string, url: string): Organization {
  const [, name = "", directory = ""] = /^([^=]+)=(.+)$/.exec(row) ?? [];
  if (directory === "") {
    throw new UsageError(`--hosts must be NAME=DIR, such as b.example.com=/srv/b, not ${row}`);
  }
  if (name.includes("://")) return { url: publicUrl(name, "--hosts"), data: resolve(directory) };
  const { protocol, port } = new URL(url);
  const isComplete = /:\d+$/.test(name) || port === "";
  const address = `${protocol}//${name}${isComplete ? "" : `:${port}`}`;
  return { url: publicUrl(address, "--hosts"), data: resolve(directory) };
}

function checkDistinct(organizations: readonly Organization[], root_host?: string): void {
  const names = organizations.map(({ url }) => hostName(new URL(url).host));
  if (root_host !== undefined) {
    const root = hostName(root_host);
    if (root === "") throw new UsageError(`--root-host must be a host name, not ${root_host}`);
    names.push(root);
  }
  const twice = duplicateIn(names);
  if (twice !== undefined) throw new UsageError(`the host ${twice} is given twice`);
  const shared = duplicateIn(organizations.map(({ data }) => data));
  if (shared !== undefined)
    throw new UsageError(`two organizations use the same directory ${shared}`);
}

function duplicateIn(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
