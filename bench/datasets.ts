// Prepared data directories, created by the server's own actions at most once per run.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../src/contract/config.ts";
import { MEMBER } from "../src/contract/roles.ts";
import { createUser } from "../src/features/accounts/actions.ts";
import { createChannel } from "../src/features/channels/manage/create.ts";
import { subscribe } from "../src/features/channels/subscriptions/subscribe.ts";
import { newApiKey } from "../src/features/keys/actions.ts";
import { createOrganization } from "../src/features/organization/actions.ts";
import { hashPassword } from "../src/features/passwords/hash.ts";
import { trimLog } from "../src/features/register/checkpoint.ts";
import { mergeStep } from "../src/features/search/merge.ts";
import type { Realm, Writer } from "../src/realm.ts";
import { openRunning } from "../src/running.ts";
import type { User } from "../src/schema/records.ts";
import { fill } from "./fill.ts";
import { fillMixed } from "./mixed.ts";
import type { Account } from "./requests.ts";

export interface Dataset {
  directory: string;
  owner: Account;
  /** Members, in the order of their accounts. */
  people: Account[];
  /** Channels created for the bench. */
  channels: number[];
}

export interface Plan {
  people: number;
  /** Additional channels besides those to which everyone is subscribed. */
  channels?: number;
  /** Number of subscribers of each of these; always includes the first user. */
  subscribers?: number;
  messages?: number;
  /** Number of the newest messages that the first user has not read. */
  unread?: number;
  /** Whether all messages are in one topic of the first channel. */
  oneTopic?: number;
  /** Whether there are messages of every kind that narrows search for. */
  mixed?: number;
}

export const PASSWORD = "correct horse battery staple";
/** The channel to which everyone is subscribed. */
export const GENERAL = 1;

const PEOPLE_PER_WRITE = 50;

export class Datasets {
  private readonly copies: string[] = [];

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** Shared by all rows: none may depend on what others leave in it. */
  async createShared(plan: Plan): Promise<Dataset> {
    const name = Object.entries(plan).map(([key, count]) => `${key}-${count}`);
    const directory = join(this.folder, name.join("-"));
    const page = `${directory}.json`;
    if (!existsSync(page)) writeFileSync(page, JSON.stringify(await build(directory, plan)));
    return { ...(JSON.parse(readFileSync(page, "utf8")) as Dataset), directory };
  }

  /** Creates a private copy. */
  async createCopy(plan: Plan): Promise<Dataset> {
    return this.copyOf(await this.createShared(plan));
  }

  copyOf(dataset: Dataset): Dataset {
    const directory = this.createEmptyFolder();
    cpSync(dataset.directory, directory, { recursive: true });
    return { ...dataset, directory };
  }

  createEmptyFolder(): string {
    const directory = join(this.folder, `copy-${crypto.randomUUID()}`);
    mkdirSync(directory);
    this.copies.push(directory);
    return directory;
  }

  /** Deletes all data directories but the shared ones. */
  clear(): void {
    for (const directory of this.copies.splice(0)) {
      rmSync(directory, { recursive: true });
      rmSync(`${directory}.strace`, { force: true });
    }
  }
}

async function build(directory: string, plan: Plan): Promise<Dataset> {
  const startedAt = performance.now();
  const realm = await openRunning(configOf(directory));
  const owner = await makeOwner(realm);
  const people = await makePeople(realm, plan.people);
  const channels = await makeChannels(realm, plan, people);
  const { messages, mixed } = plan;
  const filled = mixed ? fillMixed : fill;
  if (messages) await filled(realm, { ...plan, messages }, people, channels);
  await foldSearchIndexes(realm);
  await trimLog(realm);
  await realm.close();
  console.error(`prepared ${directory} in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return { directory, owner, people, channels };
}

/** Returns the settings of a realm that receives no requests. */
export function configOf(directory: string): Config {
  const url = "http://127.0.0.1:9400";
  const where = { data: directory, host: "", port: 0, url };
  const uploads = { max_upload_mib: 100, upload_quota_mib: 0 };
  const limits = {
    rate_limits: false,
    web_public_streams: false,
    external_content: true,
    archive_days: 30,
    outbound_allow: [],
    ...uploads,
  };
  return { ...where, ...limits, log: "off" };
}

export function openDataset(directory: string): Promise<Realm> {
  return openRunning(configOf(directory));
}

/** Merges the search index completely, which a running server does in the background. */
export async function foldSearchIndexes(realm: Realm): Promise<void> {
  for (let isMore = true; isMore;) isMore = await realm.write((tx) => mergeStep(tx));
}

async function makeOwner(realm: Realm): Promise<Account> {
  const password_hash = await hashPassword(PASSWORD);
  const owner = { email: "owner@example.com", full_name: "Olga Owner", password_hash };
  return realm.write((tx) => accountOf(tx, createOrganization(tx, { name: "Bench", owner })));
}

async function makePeople(realm: Realm, count: number): Promise<Account[]> {
  const people: Account[] = [];
  while (people.length < count) {
    const first = people.length + 1;
    const last = Math.min(count, people.length + PEOPLE_PER_WRITE);
    const batch = await realm.write((tx) => {
      const accounts: Account[] = [];
      for (let number = first; number <= last; number++) {
        const email = `person${number}@example.com`;
        const full_name = `Person Number ${number}`;
        accounts.push(accountOf(tx, createUser(tx, { email, full_name, role: MEMBER })));
      }
      return accounts;
    });
    people.push(...batch);
  }
  return people;
}

async function makeChannels(realm: Realm, plan: Plan, people: Account[]): Promise<number[]> {
  const { channels = 0, subscribers = 0 } = plan;
  const created: number[] = [];
  for (let number = 1; number <= channels; number++) {
    const members = Array.from({ length: subscribers }, (_, index) => {
      return index === 0 ? people[0]! : people[(number * subscribers + index) % people.length]!;
    });
    created.push(await makeChannel(realm, `channel ${number}`, members));
  }
  return created;
}

async function makeChannel(realm: Realm, name: string, members: Account[]): Promise<number> {
  const channel = await realm.write((tx) => createChannel(tx, null, { name, description: name }));
  const ids = [...new Set(members.map(({ user_id }) => user_id))];
  while (ids.length > 0) {
    const batch = ids.splice(0, PEOPLE_PER_WRITE);
    await realm.write((tx) => {
      const users = batch.map((user_id) => tx.users.get(user_id)!);
      return subscribe(tx, null, users, [channel], { areNew: true }).added.size;
    });
  }
  return channel.stream_id;
}

function accountOf(tx: Writer, user: User): Account {
  const { user_id, delivery_email: email } = user;
  return { user_id, email, key: newApiKey(tx, user, "bench") };
}
