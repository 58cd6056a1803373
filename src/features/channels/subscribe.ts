// Subscribing people to channels, and ending their subscriptions.
import { channelNotAccessible, insufficientPermission } from "../../errors-channels.ts";
import type { Writer } from "../../realm.ts";
import type { Channel, Subscription, User } from "../../records.ts";
import { markChannelRead } from "../messages/unread.ts";
import { userSetting } from "../settings/rules.ts";
import {
  canReadChannel,
  canSeeChannel,
  mayAddSubscribers,
  mayRemoveSubscribers,
} from "./access.ts";
import {
  colorBit,
  INHERITED_SETTINGS,
  PERSONAL_DEFAULTS,
  type PersonalFlag,
  unusedColor,
} from "./rules.ts";
import { watchSight } from "./sight.ts";
import {
  channelObject,
  channelsAppeared,
  channelsDisappeared,
  inheritedBy,
  peersAdded,
  peersRemoved,
  subscribed,
  subscriberIds,
  subscriptionObject,
  unsubscribed,
} from "./wire.ts";

export interface SubscribeOptions {
  /** For all the channels, or by their ids; otherwise everyone gets a color that is new to them. */
  color?: string | undefined;
  colors?: ReadonlyMap<number, string>;
  /** Accounts made in this transaction: they have no subscriptions yet, and no clients. */
  areNew?: boolean;
}

/** By person: the channels concerned. */
export type ByPerson = Map<number, Channel[]>;

/** Subscribes each of the people, once each, to each of the channels. `by` null: may do all. */
export function subscribe(
  tx: Writer,
  by: User | null,
  users: readonly User[],
  channels: readonly Channel[],
  options: SubscribeOptions = {},
): { added: ByPerson; already: ByPerson } {
  if (by) checkMaySubscribe(tx, by, users, channels);
  const colorFor = (stream_id: number) => options.colors?.get(stream_id) ?? options.color;

  const [added, already]: [ByPerson, ByPerson] = [new Map(), new Map()];
  const palettes = users.map((user) => new Palette(options.areNew ? [] : ownSubs(tx, user)));
  const inOrder = users.map((user, at) => ({ user, palette: palettes[at]! }));
  inOrder.sort((a, b) => a.user.user_id - b.user.user_id);
  for (const channel of channels) {
    const { stream_id } = channel;
    const joining: Joining[] = [];
    for (const { user, palette } of inOrder) {
      const before = tx.subscriptions.get(user.user_id, stream_id);
      if (before?.active) push(already, user, channel);
      else {
        const color = before?.color ?? colorFor(stream_id) ?? palette.next();
        joining.push({ user, sub: { ...(before ?? fresh(user, stream_id)), active: true, color } });
        push(added, user, channel);
      }
    }
    if (joining.length > 0) join(tx, channel, joining, options.areNew === true);
  }
  return { added, already };
}

/** Ends the subscriptions that there are. `by` null: may do all. */
export function unsubscribe(
  tx: Writer,
  by: User | null,
  users: readonly User[],
  channels: readonly Channel[],
): { removed: ByPerson; absent: ByPerson } {
  if (by) checkMayUnsubscribe(tx, by, users, channels);

  const [removed, absent]: [ByPerson, ByPerson] = [new Map(), new Map()];
  const inOrder = users.toSorted((a, b) => a.user_id - b.user_id);
  for (const channel of channels) {
    const isIn = (user: User) => tx.subscriptions.get(user.user_id, channel.stream_id)?.active;
    const leaving = inOrder.filter(isIn);
    for (const user of inOrder) if (!isIn(user)) push(absent, user, channel);
    for (const user of leaving) push(removed, user, channel);
    if (leaving.length > 0) leave(tx, channel, leaving);
  }
  return { removed, absent };
}

interface Joining {
  user: User;
  sub: Subscription;
}

/** The same event for all whose subscription looks the same, however many they are. */
function join(tx: Writer, channel: Channel, joining: readonly Joining[], areNew: boolean): void {
  const { stream_id } = channel;
  const people = joining.map(({ user }) => user);
  const ids = people.map(idOf);
  if (areNew) {
    const seq = tx.emit(peersAdded([stream_id], ids), { to: "peers", stream_id, except: ids });
    for (const { sub } of joining) begin(tx, sub, seq);
    return;
  }
  const unaware = people.filter((user) => !canSeeChannel(tx, user, channel)).map(idOf);
  const tellOfSight = watchSight(tx, stream_id, people);
  const subscribers = merged(subscriberIds(tx, stream_id), ids);
  const object = channelObject(tx, channel, subscribers.length);
  if (unaware.length > 0) {
    tx.emit(channelsAppeared([object]), { to: "people", user_ids: unaware });
  }
  const groups = Map.groupBy(joining, ({ user, sub }) => looksOf(user, sub));
  for (const group of groups.values()) {
    const user_ids = group.map(({ user }) => user.user_id);
    const [{ user, sub: one }] = group as [Joining];
    const [own, filled] = faces(user, one).map((face) => {
      return subscribed([{ ...object, ...face, subscribers }]);
    });
    const seq = tx.emit(
      { ...own!, needs: "notification_settings_null" },
      { to: "people", user_ids },
    );
    tx.emit({ ...filled!, lacks: "notification_settings_null" }, { to: "people", user_ids });
    for (const { sub } of group) begin(tx, sub, seq);
  }
  tellOfSight();
  tx.emit(peersAdded([stream_id], ids), { to: "peers", stream_id, except: ids });
}

const PERSONAL_NAMES = Object.keys(PERSONAL_DEFAULTS) as PersonalFlag[];
const INHERITED_NAMES = Object.values(INHERITED_SETTINGS);

/** The same text for those whose `faces` are the same. */
function looksOf(user: User, sub: Subscription): string {
  let looks = 0;
  for (const name of PERSONAL_NAMES) looks = looks * 3 + digitOf(sub[name]);
  for (const name of INHERITED_NAMES) looks = looks * 3 + digitOf(userSetting(user, name));
  return sub.color + looks;
}

/** Each of them is true, false or null. */
const digitOf = (value: unknown) => (value === null ? 2 : Number(value === true));

/** A subscription as clients are told of it that know of inheriting, and as those that do not. */
const faces = (user: User, sub: Subscription) => {
  const own = subscriptionObject({}, sub);
  return [own, { ...own, ...inheritedBy(user, sub) }] as const;
};

/** Opens a span of being subscribed, from the event `seq` on. */
export function begin(tx: Writer, sub: Subscription, seq: number): void {
  const spans = [...sub.spans, tx.last("messages") + 1, seq, 0, 0];
  tx.subscriptions.put({ ...sub, active: true, suspended: false, is_forgotten: false, spans });
}

function leave(tx: Writer, channel: Channel, leaving: readonly User[]): void {
  const { stream_id } = channel;
  const ids = leaving.map(idOf);
  const tellOfSight = watchSight(tx, stream_id, leaving);
  const seq = tx.emit(unsubscribed(channel), { to: "people", user_ids: ids });
  for (const { user_id } of leaving) {
    end(tx, tx.subscriptions.get(user_id, stream_id)!, seq);
    markChannelRead(tx, user_id, stream_id);
  }
  const unaware = leaving.filter((user) => !canSeeChannel(tx, user, channel)).map(idOf);
  if (unaware.length > 0) {
    tx.emit(channelsDisappeared([stream_id]), { to: "people", user_ids: unaware });
  }
  // Of several, each is still to learn of the others.
  const peers = { to: "peers", stream_id, ...(ids.length === 1 && { except: ids }) } as const;
  tx.emit(peersRemoved([stream_id], ids), peers);
  tellOfSight();
}

/** Closes the open span before the event `seq`; a span without a message leaves no trace. */
export function end(tx: Writer, sub: Subscription, seq: number, suspended = false): void {
  const last_id = tx.last("messages");
  const [earlier, [first_id, first_seq]] = [sub.spans.slice(0, -4), sub.spans.slice(-4)];
  const spans = first_id! > last_id ? earlier : [...earlier, first_id!, first_seq!, last_id, seq];
  tx.subscriptions.put({ ...sub, active: false, suspended, spans });
}

function checkMaySubscribe(
  tx: Writer,
  by: User,
  users: readonly User[],
  channels: readonly Channel[],
): void {
  const others = users.some((user) => user.user_id !== by.user_id);
  for (const channel of channels) {
    const isOpen = !channel.is_archived && canReadChannel(tx, by, channel);
    if (!isOpen) throw channelNotAccessible(channel.name);
    if (others && !mayAddSubscribers(tx, by, channel)) throw insufficientPermission();
  }
}

function checkMayUnsubscribe(
  tx: Writer,
  by: User,
  users: readonly User[],
  channels: readonly Channel[],
): void {
  const isOwn = (user: User) => user.user_id === by.user_id || user.bot_owner_id === by.user_id;
  if (users.every(isOwn)) return;
  for (const channel of channels) {
    const may = canSeeChannel(tx, by, channel) && mayRemoveSubscribers(tx, by, channel);
    if (!may) throw insufficientPermission();
  }
}

/** Gives out the colors that a person does not use yet. */
class Palette {
  private used = 0;
  private count: number;

  constructor(subs: readonly Subscription[]) {
    for (const sub of subs) this.used |= colorBit(sub.color);
    this.count = subs.length;
  }

  next(): string {
    const color = unusedColor(this.used, this.count++);
    this.used |= colorBit(color);
    return color;
  }
}

const ownSubs = (tx: Writer, user: User) => tx.subscriptions.by("user", user.user_id);

const fresh = ({ user_id }: User, stream_id: number): Subscription => ({
  user_id,
  stream_id,
  active: false,
  color: "",
  ...PERSONAL_DEFAULTS,
  spans: [],
  suspended: false,
});

const idOf = ({ user_id }: User) => user_id;

const merged = (one: readonly number[], other: readonly number[]) =>
  [...one, ...other].sort((a, b) => a - b);

function push(to: ByPerson, { user_id }: User, channel: Channel): void {
  const list = to.get(user_id);
  if (list) list.push(channel);
  else to.set(user_id, [channel]);
}
