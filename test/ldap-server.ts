// A real LDAP server with users, reachable with and without TLS.
import {
  type AddressInfo,
  connect,
  createServer,
  type Server as NetServer,
  type Socket,
} from "node:net";
import ldap from "ldapjs";
import type { LdapConfig } from "../src/contract/config.ts";
import { cert, key } from "./outbound/own-certificate.ts";

export const BASE = "ou=people,dc=example,dc=com";
const SERVICE_ACCOUNT = { dn: "cn=clerk,dc=example,dc=com", password: "the clerk's own" };
export const DIRECTORY_PASSWORD = "staple battery horse";

/** A user in the directory; omitted attributes do not exist. */
interface DirectoryEntry {
  readonly uid: string;
  readonly mail?: string | string[];
  readonly cn?: string;
}

/** Fields of a request that are missing in the library's types. */
interface Request {
  readonly dn: unknown;
  readonly credentials: string;
  readonly scope: number;
  readonly filter: Filter;
  readonly connection: { readonly ldap: { readonly bindDN: unknown } };
}

interface Filter {
  readonly type: string;
  readonly filters?: readonly Filter[];
  readonly attribute?: string;
  readonly value?: string;
}

interface Response {
  send(entry: object): void;
  end(): void;
}

const BASE_ALONE = 0;

type Next = (failure?: unknown) => void;

/** Like real servers, it accepts a bind without a password as anonymous. */
export class LdapServer {
  /** Filters of the searches, as received. */
  readonly filters: string[] = [];
  /** Names of bind requests, accepted or not. */
  readonly binds: string[] = [];
  /** Response to every search, instead of its results. */
  failing: unknown;
  private readonly people: { dn: string; attributes: Record<string, string | string[]> }[];
  private readonly plain = ldap.createServer();
  private readonly secure = ldap.createServer({ certificate: cert, key });
  private readonly upgrading: NetServer = createServer((socket) => this.upgrade(socket));
  private readonly sockets = new Set<{ destroy(): void }>();
  /** Response to StartTLS, instead of its acceptance. */
  consent = Buffer.from("300c02010178070a010004000400", "hex");

  private constructor(people: readonly DirectoryEntry[]) {
    this.people = people.map(({ uid, ...extra }) => {
      const dn = new ldap.RDN({ uid }).toString();
      return { dn: `${dn},${BASE}`, attributes: { uid, objectClass: "person", ...extra } };
    });
    for (const server of [this.plain, this.secure]) this.handleRequests(server);
  }

  static async open(...people: DirectoryEntry[]): Promise<LdapServer> {
    const server = new LdapServer(people);
    const all = [server.plain, server.secure, server.upgrading] as unknown as NetServer[];
    for (const server of all)
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return server;
  }

  get port(): number {
    return portOf(this.plain);
  }

  get securePort(): number {
    return portOf(this.secure);
  }

  /** Port that requires StartTLS. */
  get upgradingPort(): number {
    return portOf(this.upgrading);
  }

  /** Configuration that searches as the clerk unless `more` overrides it. */
  config(extra: Partial<LdapConfig> = {}): LdapConfig {
    return {
      url: `ldap://127.0.0.1:${this.port}`,
      starttls: false,
      ...(extra.user_dn === undefined && { bind: SERVICE_ACCOUNT, search_base: BASE }),
      search_filter: "(&(objectClass=person)(|(uid={username})(mail={username})))",
      email_attribute: "mail",
      full_name_attribute: "cn",
      auto_signup: false,
      ...extra,
    };
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const all = [this.plain, this.secure, this.upgrading] as unknown as NetServer[];
    for (const server of all) await new Promise<void>((done) => void server.close(() => done()));
  }

  private handleRequests(server: ldap.Server): void {
    server.on("connection", (socket: { destroy(): void }) => this.sockets.add(socket));
    server.bind("", (request: Request, response: Response, next: Next) => {
      const dn = ldap.parseDN(String(request.dn));
      const isClerk = dn.equals(ldap.parseDN(SERVICE_ACCOUNT.dn));
      const person = this.people.find((item) => ldap.parseDN(item.dn).equals(dn));
      const expected = isClerk ? SERVICE_ACCOUNT.password : person && DIRECTORY_PASSWORD;
      const isIncluded = request.credentials === "" || request.credentials === expected;
      this.binds.push(`${dn} ${isIncluded ? "in" : "out"}`);
      if (!isIncluded) return next(new ldap.InvalidCredentialsError());
      response.end();
      return next();
    });
    server.search("", (request: Request, response: Response, next: Next) => {
      this.filters.push(request.filter.toString());
      if (this.failing !== undefined) return next(this.failing);
      if (String(request.connection.ldap.bindDN) === "cn=anonymous") {
        return next(new ldap.InsufficientAccessRightsError());
      }
      const base = ldap.parseDN(String(request.dn));
      for (const { dn, attributes } of this.people) {
        const own = ldap.parseDN(dn);
        const exists = base.equals(own) || (request.scope !== BASE_ALONE && base.parentOf(own));
        if (exists && matchesFilter(request.filter, attributes)) response.send({ dn, attributes });
      }
      response.end();
      return next();
    });
  }

  /** Accepts StartTLS, and passes the connection to the TLS server. */
  private upgrade(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(this.consent);
      const rest = connect(this.securePort, "127.0.0.1");
      this.sockets.add(rest);
      rest.on("error", () => socket.destroy());
      socket.on("close", () => rest.destroy());
      rest.on("close", () => socket.destroy());
      socket.pipe(rest).pipe(socket);
    });
  }
}

const portOf = (server: unknown) => ((server as NetServer).address() as AddressInfo).port;

/** An injected wildcard would match all users. */
function matchesFilter(filter: Filter, attributes: Record<string, string | string[]>): boolean {
  const { type, filters = [], attribute = "", value = "" } = filter;
  if (type === "AndFilter") return filters.every((filter) => matchesFilter(filter, attributes));
  if (type === "OrFilter") return filters.some((filter) => matchesFilter(filter, attributes));
  if (type !== "EqualityFilter") return true;
  return [attributes[attribute] ?? []].flat().includes(unescape(value));
}

/** The library returns values as they are written in filters. */
function unescape(value: string): string {
  const bytes = value.replaceAll("%", "%25").replace(/\\([0-9a-f]{2})/g, "%$1");
  return decodeURIComponent(bytes);
}
