// Verifies passwords against an LDAP directory, and reads the user's attributes.
import type { Socket } from "node:net";
import type { Client, Entry, SearchOptions } from "ldapts";
import { withTimeout } from "../async/with-timeout.ts";
import type { LdapConfig } from "../contract/config.ts";
import { directoryUnavailable } from "../contract/errors/people.ts";
import { dnOf, filterOf } from "./ldap-names.ts";
import { openSocket } from "./ldap-socket.ts";

/** Attributes of a user in the directory. */
interface Person {
  readonly email: string | undefined;
  readonly full_name: string | undefined;
}

const ANSWER_MS = 5_000;
/** Timeout for all operations together. */
const EXCHANGE_MS = 15_000;
const UNBIND_MS = 500;
/** Two results already mean that the filter is ambiguous. */
const ENTRIES_MAX = 2;
const USERNAME_LENGTH_MAX = 256;

/** Result codes for unknown users, locked accounts and wrong passwords. */
const DENIALS: ReadonlySet<number> = new Set([19, 32, 34, 48, 49, 50, 53]);

export class Directory {
  /** `report` receives the reason of a failure; the user is told less. */
  constructor(
    private readonly config: LdapConfig,
    private readonly report: (error: unknown) => void,
  ) {}

  /**
   * Checks that the directory responds and accepts the search account. @throws the directory's
   * error
   */
  async checkConnection(): Promise<void> {
    const socket = await openSocket(this.config);
    try {
      const client = await this.connected(socket);
      const { bind } = this.config;
      if (bind) await withTimeout(client.bind(bind.dn, bind.password), EXCHANGE_MS, tooSlow);
    } finally {
      socket.destroy();
    }
  }

  /** Returns undefined for a wrong password or an unknown user. */
  async person(username: string, password: string): Promise<Person | undefined> {
    const name = username.trim();
    // LDAP treats an empty password as an anonymous bind, which always succeeds.
    if (password === "" || name === "" || name.length > USERNAME_LENGTH_MAX) return undefined;
    let client: Client | undefined;
    let socket: Socket | undefined;
    try {
      socket = await openSocket(this.config);
      client = await this.connected(socket);
      const requested = this.config.bind
        ? this.findEntry(client, this.config.bind, name, password)
        : this.bound(client, name, password);
      return await withTimeout(requested, EXCHANGE_MS, tooSlow);
    } catch (error) {
      this.report(error);
      throw directoryUnavailable();
    } finally {
      // A directory that hangs would never confirm the unbind.
      if (client)
        await withTimeout(
          client.unbind().catch(() => {}),
          UNBIND_MS,
          () => {},
        );
      socket?.destroy();
    }
  }

  /**
   * Uses one connection that is opened before. The library would reconnect after a failure, and
   * then ask anonymously or without TLS.
   */
  private async connected(opened: Socket): Promise<Client> {
    const { Client } = await import("ldapts");
    const sockets: Socket[] = [opened];
    const createConnection = () => {
      const socket = sockets.pop();
      if (socket === undefined) throw new Error("the directory closed the connection");
      return socket;
    };
    return new Client({
      // TLS is already established on this connection.
      url: this.config.url.replace(/^ldaps:/, "ldap:"),
      timeout: ANSWER_MS,
      // Some directories accept `user@example.com` instead of a distinguished name.
      strictDN: false,
      createConnection,
    });
  }

  /** The search account finds the user; then their password is tried. */
  private async findEntry(
    client: Client,
    { dn, password: own }: { dn: string; password: string },
    username: string,
    password: string,
  ): Promise<Person | undefined> {
    await client.bind(dn, own);
    const entry = await this.search(client, username);
    if (entry === undefined || !(await isAllowed(client, entry.dn, password))) return undefined;
    return this.personIn(entry);
  }

  /** The user binds with a name built from a template, and reads their own entry. */
  private async bound(
    client: Client,
    username: string,
    password: string,
  ): Promise<Person | undefined> {
    const dn = dnOf(this.config.user_dn!, username);
    if (dn === undefined || !(await isAllowed(client, dn, password))) return undefined;
    if (this.config.search_base !== undefined) {
      const entry = await this.search(client, username);
      if (entry === undefined) throw new Error(`${dn} can sign in, but is not found`);
      return this.personIn(entry);
    }
    const { searchEntries } = await client.search(dn, { ...this.searchOptions, scope: "base" });
    if (!searchEntries[0]) throw new Error(`${dn} can sign in, but cannot read its own entry`);
    return this.personIn(searchEntries[0]);
  }

  private async search(client: Client, username: string): Promise<Entry | undefined> {
    const { search_base = "", search_filter } = this.config;
    const filter = filterOf(search_filter, username);
    const options = { ...this.searchOptions, scope: "sub", filter } as const;
    const { searchEntries } = await client.search(search_base, options).catch(tooMany);
    if (searchEntries.length < ENTRIES_MAX) return searchEntries[0];
    this.report(
      new Error("more than one entry matches the entered name, so the sign-in was rejected"),
    );
    return undefined;
  }

  private get searchOptions(): SearchOptions {
    const { email_attribute, full_name_attribute } = this.config;
    return {
      attributes: [email_attribute, full_name_attribute],
      sizeLimit: ENTRIES_MAX,
      timeLimit: ANSWER_MS / 1000,
    };
  }

  private personIn(entry: Entry): Person {
    const { email_attribute, full_name_attribute } = this.config;
    return {
      email: valueIn(entry, email_attribute),
      full_name: valueIn(entry, full_name_attribute),
    };
  }
}

/** Whether the directory accepts the password. @throws other errors */
async function isAllowed(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === "number" && DENIALS.has(code)) return false;
    throw error;
  }
}

const SIZE_LIMIT_EXCEEDED = 4;

function tooMany(error: unknown): { searchEntries: Entry[] } {
  if ((error as { code?: unknown }).code !== SIZE_LIMIT_EXCEEDED) throw error;
  const entry = { dn: "" } as Entry;
  return { searchEntries: Array<Entry>(ENTRIES_MAX).fill(entry) };
}

/** Returns the first value of an attribute; attribute names are case-insensitive. */
function valueIn(entry: Entry, attribute: string): string | undefined {
  const lowered = attribute.toLowerCase();
  const key = Object.keys(entry).find((name) => name.toLowerCase() === lowered);
  const [first] = [key === undefined ? [] : entry[key]!].flat();
  const text = first === undefined ? "" : String(first).trim();
  return text === "" ? undefined : text;
}

function tooSlow(): never {
  throw new Error("the directory did not respond in time");
}
