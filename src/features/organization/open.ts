// Requests without authentication: server settings and the emoji.
import { subdomainInvalid } from "../../contract/errors/general.ts";
import { clientTooOld } from "../../contract/errors/realm.ts";
import { openSettingsShape } from "../../contract/shapes/snapshot.ts";
import { VERSION } from "../../contract/version.ts";
import { type HostContext, openEndpoint } from "../../endpoint.ts";
import { urlFor } from "../../server/asker/scheme.ts";
import { emojiFile } from "../emoji/data-wire.ts";
import { serverSettings } from "./wire.ts";

const YEAR_SECONDS = 31_536_000;
/** User agent that clients use to test how incompatible versions are rejected. */
const INCOMPATIBLE = /^ZulipInvalid\b/;

export const getServerSettings = openEndpoint({
  summary: "What one may know of the server and the organization before signing in",
  tag: "Signing in",
  params: {},
  answer: openSettingsShape,
  run: ({ realm, request }) => {
    const told = { ...serverSettings(realm.read, isIncompatible(request)), skein_version: VERSION };
    if (told.realm_url === undefined) return told;
    const url = urlFor(realm, request);
    return { ...told, realm_url: url, realm_uri: url };
  },
  withoutRealm({ hosts, host, request }) {
    if (!hosts.isRoot(host)) throw subdomainInvalid();
    return { ...serverSettings(undefined, isIncompatible(request)), skein_version: VERSION };
  },
});

/** Asked by apps that cannot be sure of anything newer. */
export const getCompatibility = openEndpoint({
  summary: "Which versions of clients this server serves",
  tag: "Server",
  params: {},
  run: compatible,
  withoutRealm: compatible,
});

function compatible({ request }: Pick<HostContext, "request">) {
  if (isIncompatible(request)) throw clientTooOld();
  return {};
}

function isIncompatible({ headers }: Request): boolean {
  return INCOMPATIBLE.test(headers.get("user-agent") ?? "");
}

/** The address holds the version, so that it can be kept for good. */
export const getEmojiData = openEndpoint({
  summary: "The names of all emoji",
  tag: "Server",
  params: {},
  run: ({ request }) => {
    const { text, compressed } = emojiFile();
    const isPacked = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
    return new Response(isPacked ? compressed : text, {
      headers: {
        "Content-Type": "application/json",
        "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`,
        Vary: "Accept-Encoding",
        ...(isPacked && { "Content-Encoding": "gzip" }),
      },
    });
  },
});
