// Flags about TLS, and their combination.
import { networkInterfaces } from "node:os";
import { resolve } from "node:path";
import {
  type Config,
  DEFAULT_ACME_URL,
  DEFAULT_LISTEN,
  type TlsConfig,
} from "../../contract/config.ts";
import { type Flags, UsageError, type Values } from "../flags.ts";
import { listenAddress, publicUrl, urlOf } from "../listen.ts";

export const tlsFlags = {
  https: {
    value: "NAME,…",
    default: "",
    description: "host names to serve over HTTPS with automatic certificates",
  },
  "tls-cert": {
    value: "FILE",
    description: "certificate file for HTTPS, including intermediate certificates",
  },
  "tls-key": { value: "FILE", description: "private key file of the certificate" },
  tls: {
    value: "self",
    description: "self: serve HTTPS with a self-signed certificate, for home networks",
  },
  http: {
    value: "HOST:PORT",
    description: "address that redirects HTTP to HTTPS, or off (default with --https: port 80)",
  },
  "acme-url": {
    value: "URL",
    default: DEFAULT_ACME_URL,
    description: "ACME directory URL of the certificate authority",
  },
  "acme-email": { value: "ADDRESS", description: "contact address for the certificate authority" },
  "acme-eab-id": {
    value: "ID",
    description: "key ID of an existing account at the authority (external account binding)",
  },
  "acme-eab-key": { value: "KEY", secret: true, description: "the HMAC key of that account" },
  "acme-dns": {
    value: "FILE",
    description: "program that changes DNS records; called with add or remove, a name and a value",
  },
} as const satisfies Flags;

type TlsFlags = Values<typeof tlsFlags>;
type ServedConfig = Pick<Config, "host" | "port" | "url" | "tls" | "http">;

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const OFF = "off";

/** Returns where and how to listen, and the public URL if it is known already. */
export function servedBy(
  flags: TlsFlags & { listen: string | undefined; url: string | undefined },
): ServedConfig {
  const tls = tlsIn(flags);
  const first = namesIn(flags.https).find((name) => !name.startsWith("*."));
  const otherwise = first === undefined ? DEFAULT_LISTEN : `${anyAddress()}:${HTTPS_PORT}`;
  const { host, port } = listenAddress(flags.listen ?? otherwise);
  const http = httpIn(flags, tls, host);
  const url = flags.url === undefined ? urlBy(tls, first, host, port) : publicUrl(flags.url);
  if (tls && url !== "" && !url.startsWith("https:")) {
    throw new UsageError(`--url must be an address such as https://chat.example.com, not ${url}`);
  }
  return { host, port, url, ...(tls && { tls }), ...(http && { http }) };
}

function urlBy(tls: TlsConfig | undefined, name: string | undefined, host: string, port: number) {
  if (port === 0) return "";
  if (name !== undefined) return `https://${name}${port === HTTPS_PORT ? "" : `:${port}`}`;
  const url = urlOf(host, port);
  return tls ? publicUrl(url.replace(/^http:/, "https:")) : url;
}

/** Listens on IPv4 and IPv6 if both are available. */
function anyAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.some(({ family }) => family === "IPv6") ? "[::]" : "0.0.0.0";
}

function tlsIn(flags: TlsFlags & { url: string | undefined }): TlsConfig | undefined {
  const { "tls-cert": cert, "tls-key": key } = flags;
  const names = namesIn(flags.https);
  const methods = [
    names.length > 0,
    cert !== undefined || key !== undefined,
    flags.tls !== undefined,
  ];
  if (methods.filter(Boolean).length > 1) {
    throw new UsageError("only one of --https, --tls-cert and --tls can be used");
  }
  if (flags.tls !== undefined) return selfSignedIn(flags.tls, flags.url);
  if (names.length > 0) return { kind: "acme", ...acmeIn(flags, names) };
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new UsageError("--tls-key requires --tls-cert");
  if (key === undefined) throw new UsageError("--tls-cert requires --tls-key");
  return { kind: "files", cert: resolve(cert), key: resolve(key) };
}

function selfSignedIn(method: string, url: string | undefined): TlsConfig {
  if (method !== "self") throw new UsageError(`--tls must be self, not ${method}`);
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const addresses = all.map(({ address }) => address.split("%", 1)[0]!);
  const hostNames =
    url === undefined ? [] : [new URL(publicUrl(url)).hostname.replace(/^\[|\]$/g, "")];
  return { kind: "self", names: [...new Set([...hostNames, "localhost", ...addresses])] };
}

function acmeIn(flags: TlsFlags, names: readonly string[]) {
  const { "acme-email": email, "acme-dns": hook, "acme-eab-id": kid, "acme-eab-key": key } = flags;
  if ((kid === undefined) !== (key === undefined)) {
    throw new UsageError("--acme-eab-id requires --acme-eab-key-file");
  }
  if (hook === undefined && names.some((name) => name.startsWith("*."))) {
    throw new UsageError("--https with a wildcard name (*) requires --acme-dns");
  }
  return {
    names,
    directory_url: directoryIn(flags["acme-url"]),
    ...(email !== undefined && { email }),
    ...(kid !== undefined && key !== undefined && { eab: { kid, key } }),
    ...(hook !== undefined && { dns_hook: resolve(hook) }),
  };
}

/** Requires HTTPS, since an attacker could pose as the authority, except on the same machine. */
function directoryIn(text: string): string {
  const url = URL.parse(text);
  const isLoopback = url && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback)) return text;
  throw new UsageError(`--acme-url must begin with https:, not ${text}`);
}

const NAME = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

function namesIn(text: string): string[] {
  const names = text.split(",").flatMap((name) => name.trim().toLowerCase() || []);
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong === undefined) return names;
  throw new UsageError(`--https must be a host name such as chat.example.com, not ${wrong}`);
}

function httpIn(flags: TlsFlags, tls: TlsConfig | undefined, host: string): Config["http"] {
  if (flags.http === OFF) return undefined;
  if (flags.http !== undefined) {
    if (!tls) throw new UsageError("--http requires --https, --tls-cert or --tls");
    return listenAddress(flags.http, "--http");
  }
  return tls?.kind === "acme" ? { host, port: HTTP_PORT } : undefined;
}
