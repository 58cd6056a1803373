// Creates the sample organization with the usual actions and a clock in the past.
import { ownValue } from "../../text/input/own-value.ts";
import { FOLLOWED } from "../../contract/policies.ts";
import { DAY_MS, MINUTE_MS } from "../../contract/units.ts";
import { createBot } from "../../features/accounts/bots/create.ts";
import { GENERIC_BOT } from "../../contract/roles.ts";
import { createChannel } from "../../features/channels/manage/create.ts";
import { archiveChannel } from "../../features/channels/manage/archive.ts";
import { setProperties } from "../../features/channels/subscriptions/properties.ts";
import { subscribe } from "../../features/channels/subscriptions/subscribe.ts";
import { describeChannel } from "../../features/channels/manage/update.ts";
import { addDrafts } from "../../features/drafts/actions.ts";
import { emojiNamed } from "../../features/emoji/access.ts";
import { createFolder } from "../../features/folders/actions.ts";
import { encryptedKey } from "../../features/secrets/encrypted.ts";
import { checkpointPresence, pingPresence } from "../../features/presence/actions.ts";
import { createOrganization } from "../../features/organization/actions.ts";
import { changeSetting } from "../../features/settings/change/actions.ts";
import { changeStatus } from "../../features/status/actions.ts";
import { setTopicPolicy } from "../../features/topics/actions.ts";
import { createUser } from "../../features/accounts/actions.ts";
import { isGuest } from "../../features/rights/rules.ts";
import type { Clock, Reader, Realm, Writer } from "../../realm.ts";
import type { Channel, User } from "../../schema/records.ts";
import { BOTS, ORGANIZATION, PEOPLE, type Person, VISITOR } from "./people.ts";
import {
  FOLDERS,
  FOLLOWED_TOPICS,
  GENERAL,
  GUEST_CHANNELS,
  MUTED_CHANNELS,
  type SampleChannel,
  CHANNELS,
} from "./channels.ts";
import { keepPictures } from "./uploads.ts";
import { createPastMessages } from "./history.ts";
import { foldedAddress } from "../../text/email-address.ts";

const FOUNDED_DAYS = 40;

/** A clock that is set explicitly and never runs backwards. */
export class PastClock implements Clock {
  readonly start = Date.now();
  private time = this.start - FOUNDED_DAYS * DAY_MS;

  now(): number {
    return this.time;
  }

  /** Returns 0, because the demo does not depend on how long the process has run. */
  awake(): number {
    return 0;
  }

  goTo(time: number): void {
    this.time = Math.max(this.time, time);
  }
}

export async function makeOrganization(realm: Realm, clock: PastClock): Promise<void> {
  const keys = new Map(Object.keys(BOTS).map((name) => [name, encryptedKey(realm)]));
  await realm.write((tx) => {
    makePeople(tx);
    for (const [name, { full_name, short_name, owner }] of Object.entries(BOTS)) {
      const bot = { full_name, short_name, bot_type: GENERIC_BOT, payload_url: "" };
      const rest = { interface_type: 1, default_all_public_streams: false };
      createBot(tx, userOf(tx, ownValue(PEOPLE, owner)!), { ...bot, ...rest }, keys.get(name)!);
    }
    makeChannels(tx);
  });
  const files = await keepPictures(realm);
  await realm.write((tx) => {
    createPastMessages(tx, clock, files);
    setUpVisitor(tx);
  });
  await createPresence(realm, clock);
}

function makePeople(tx: Writer): void {
  const [first, ...others] = Object.values(PEOPLE);
  // The default of other new organizations.
  tx.setting_defaults.put({ name: "enter_sends", value: true });
  createOrganization(tx, { name: ORGANIZATION, owner: first! });
  for (const { email, full_name, role } of others) createUser(tx, { email, full_name, role });
  for (const person of Object.values(PEOPLE)) {
    const { user_id } = userOf(tx, person);
    if (person.timezone) changeSetting(tx, user_id, "timezone", person.timezone);
    if (!person.status) continue;
    const [emoji_name, status_text] = person.status;
    changeStatus(tx, user_id, { status_text, ...emojiNamed(tx, emoji_name) });
  }
}

function makeChannels(tx: Writer): void {
  const owner = tx.users.findBy("email", foldedAddress(VISITOR))!;
  const folders = new Map(
    Object.entries(FOLDERS).map(([name, text]) => [name, createFolder(tx, owner, name, text).id]),
  );
  for (const channel of [...tx.channels.range()]) {
    if (channel.name !== GENERAL.name) archiveChannel(tx, owner, channel.stream_id);
  }
  const general = channelOf(tx, GENERAL.name);
  describeChannel(tx, owner, general.stream_id, GENERAL.description);
  for (const channelPlan of CHANNELS) {
    const { name, description, folder, invite_only } = channelPlan;
    const folder_id = folder === undefined ? null : folders.get(folder)!;
    createChannel(
      tx,
      owner,
      { name, description, folder_id, invite_only },
      peopleIn(tx, channelPlan),
    );
  }
  for (const [guest, names] of Object.entries(GUEST_CHANNELS)) {
    const channels = names.map((name) => channelOf(tx, name));
    subscribe(tx, owner, [userOf(tx, ownValue(PEOPLE, guest)!)], channels);
  }
}

function peopleIn(tx: Writer, { people }: SampleChannel): User[] {
  if (people) return people.map((name) => userOf(tx, ownValue(PEOPLE, name)!));
  return Object.values(PEOPLE)
    .map((person) => userOf(tx, person))
    .filter((user) => !isGuest(user));
}

/** Settings and a draft of the visitor. */
function setUpVisitor(tx: Writer): void {
  const visitor = tx.users.findBy("email", foldedAddress(VISITOR))!;
  const muted = MUTED_CHANNELS.map((name) => {
    return { stream_id: channelOf(tx, name).stream_id, property: "is_muted", value: true };
  });
  setProperties(tx, visitor, muted);
  for (const [path, topic] of FOLLOWED_TOPICS) {
    setTopicPolicy(tx, visitor, channelOf(tx, path), topic, FOLLOWED);
  }
  const { stream_id } = channelOf(tx, "release");
  const content = "Larkspur 0.2 wakes you nine minutes sooner. What that took:\n\n* ";
  addDrafts(tx, visitor, [{ type: "stream", to: [stream_id], topic: "Note for 0.2", content }]);
}

/** In the order of the last activity, because the clock only moves forward. */
async function createPresence(realm: Realm, clock: PastClock): Promise<void> {
  const people = Object.values(PEOPLE).filter(({ email }) => email !== VISITOR);
  for (const person of people.sort((a, b) => b.away_minutes - a.away_minutes)) {
    clock.goTo(clock.start - person.away_minutes * MINUTE_MS);
    await pingPresence(realm, userOf(realm.read, person), true);
  }
  await checkpointPresence(realm);
}

function userOf(reader: Pick<Reader, "users">, { email }: Pick<Person, "email">): User {
  return reader.users.findBy("email", foldedAddress(email))!;
}

function channelOf(tx: Writer, name: string): Channel {
  return tx.channels.findBy("name", name)!;
}
