// Asks a directory, over LDAP, whether a password is somebody's, and who that is.
import type { Socket } from "node:net";
import type { Client, Entry, SearchOptions } from "ldapts";
import type { LdapConfig } from "../contract/config.ts";
import { directoryUnavailable } from "../contract/errors/people.ts";
import { dnOf, filterOf } from "./ldap-names.ts";
import { openSocket } from "./ldap-socket.ts";

/** What the directory says of somebody. */
export interface Person {
  readonly email: string | undefined;
  readonly full_name: string | undefined;
}

const ANSWER_MS = 5_000;
/** For everything together. */
const EXCHANGE_MS = 15_000;
const GOODBYE_MS = 500;
/** Two are one too many, and no more need be seen. */
const ENTRIES_MAX = 2;
const USERNAME_LENGTH_MAX = 256;

/** What servers answer to who is not there, is locked out, or has another password. */
const DENIALS: ReadonlySet<number> = new Set([19, 32, 34, 48, 49, 50, 53]);

export class Directory {
  /** `report` hears why something failed, of which the person is told less. */
  constructor(
    private readonly config: LdapConfig,
    private readonly report: (error: unknown) => void,
  ) {}

  /** Whether it is there, and takes whoever looks for people; throws what it said. */
  async look(): Promise<void> {
    const socket = await openSocket(this.config);
    try {
      const client = await this.connected(socket);
      const { bind } = this.config;
      if (bind) await inTime(client.bind(bind.dn, bind.password));
    } finally {
      socket.destroy();
    }
  }

  /** undefined: it is not their password, or there is nobody of that name. */
  async person(username: string, password: string): Promise<Person | undefined> {
    const name = username.trim();
    // To a directory, no password is no question: it lets everybody in, as nobody.
    if (password === "" || name === "" || name.length > USERNAME_LENGTH_MAX) return undefined;
    let client: Client | undefined;
    let socket: Socket | undefined;
    try {
      socket = await openSocket(this.config);
      client = await this.connected(socket);
      const asked = this.config.bind
        ? this.found(client, this.config.bind, name, password)
        : this.bound(client, name, password);
      return await inTime(asked);
    } catch (error) {
      this.report(error);
      throw directoryUnavailable();
    } finally {
      // A directory that hangs would never take the goodbye.
      await Promise.race([client?.unbind().catch(() => {}), Bun.sleep(GOODBYE_MS)]);
      socket?.destroy();
    }
  }

  /**
   * On one connection, which is made before: the library would make another when one breaks, and
   * ask as nobody there, or without TLS.
   */
  private async connected(opened: Socket): Promise<Client> {
    const { Client } = await import("ldapts");
    const waiting: Socket[] = [opened];
    const createConnection = () => {
      const socket = waiting.pop();
      if (socket === undefined) throw new Error("the directory hung up");
      return socket;
    };
    return new Client({
      // What this says of TLS is settled already.
      url: this.config.url.replace(/^ldaps:/, "ldap:"),
      timeout: ANSWER_MS,
      // Some directories take `user@example.com` in the place of a name.
      strictDN: false,
      createConnection,
    });
  }

  /** Somebody of ours looks for them, and then it is tried whether the password is theirs. */
  private async found(
    client: Client,
    { dn, password: own }: { dn: string; password: string },
    username: string,
    password: string,
  ): Promise<Person | undefined> {
    await client.bind(dn, own);
    const entry = await this.search(client, username);
    if (entry === undefined || !(await isLetIn(client, entry.dn, password))) return undefined;
    return this.personIn(entry);
  }

  /** They are let in by a name that is made of theirs, and look for themselves. */
  private async bound(
    client: Client,
    username: string,
    password: string,
  ): Promise<Person | undefined> {
    const dn = dnOf(this.config.user_dn!, username);
    if (dn === undefined || !(await isLetIn(client, dn, password))) return undefined;
    if (this.config.search_base !== undefined) {
      const entry = await this.search(client, username);
      if (entry === undefined) throw new Error(`${dn} is let in, and does not find itself`);
      return this.personIn(entry);
    }
    const { searchEntries } = await client.search(dn, { ...this.wanted, scope: "base" });
    if (!searchEntries[0]) throw new Error(`${dn} is let in, and may not read its own entry`);
    return this.personIn(searchEntries[0]);
  }

  private async search(client: Client, username: string): Promise<Entry | undefined> {
    const { search_base = "", search_filter } = this.config;
    const filter = filterOf(search_filter, username);
    const options = { ...this.wanted, scope: "sub", filter } as const;
    const { searchEntries } = await client.search(search_base, options).catch(tooMany);
    if (searchEntries.length < ENTRIES_MAX) return searchEntries[0];
    this.report(new Error("more than one entry fits a name that was typed: nobody is let in"));
    return undefined;
  }

  private get wanted(): SearchOptions {
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

/** Whether the directory takes the password; what is wrong with the directory itself is thrown. */
async function isLetIn(client: Client, dn: string, password: string): Promise<boolean> {
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

/** The first of its values; directories spell attributes as they like. */
function valueIn(entry: Entry, attribute: string): string | undefined {
  const wanted = attribute.toLowerCase();
  const key = Object.keys(entry).find((name) => name.toLowerCase() === wanted);
  const [first] = [key === undefined ? [] : entry[key]!].flat();
  const text = first === undefined ? "" : String(first).trim();
  return text === "" ? undefined : text;
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the directory takes too long")), EXCHANGE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
