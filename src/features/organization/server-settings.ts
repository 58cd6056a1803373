// Requests without authentication: server settings and the emoji.
import { subdomainInvalid } from "../../contract/errors/general.ts";
import { clientTooOld } from "../../contract/errors/realm.ts";
import { openSettingsShape } from "../../contract/shapes/snapshot.ts";
import { VERSION } from "../../contract/version.ts";
import { type HostContext, openEndpoint } from "../../endpoint.ts";
import { urlFor } from "../../server/caller/scheme.ts";
import { emojiFile } from "../emoji/data-wire.ts";
import { serverSettings } from "./wire.ts";

const YEAR_SECONDS = 31_536_000;
/** User agent that clients use to test how incompatible versions are rejected. */
const INCOMPATIBLE = /^ZulipInvalid\b/;

export const getServerSettings = openEndpoint({
  summary: "Get the public settings of the server and the organization",
  tag: "Signing in",
  params: {},
  answer: openSettingsShape,
  run: ({ realm, request }) => {
    const payload = {
      ...serverSettings(realm.read, isIncompatible(request)),
      skein_version: VERSION,
    };
    if (payload.realm_url === undefined) return payload;
    const url = urlFor(realm, request);
    return { ...payload, realm_url: url, realm_uri: url };
  },
  withoutRealm({ hosts, host, request }) {
    if (!hosts.isRoot(host)) throw subdomainInvalid();
    return { ...serverSettings(undefined, isIncompatible(request)), skein_version: VERSION };
  },
});

/** Endpoint for apps that cannot rely on newer endpoints. */
export const getCompatibility = openEndpoint({
  summary: "Get the supported versions of clients",
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

/** The URL contains the version, so the response can be cached forever. */
export const getEmojiData = openEndpoint({
  summary: "Get the names of all emoji",
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
