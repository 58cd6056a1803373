// A model of a user's client: the channels that its events mention, and the messages it received.
import { difference } from "./difference.ts";
import type { Name } from "../users.ts";
import type { Json, Listener, Params } from "../test-server.ts";
import { type Simulation, PEOPLE } from "./simulation.ts";
import { hasMetadata, canSeePerson, subscribersOf } from "./visibility.ts";

export const CLIENT: Params = {
  event_types: [
    "message",
    "update_message",
    "delete_message",
    "reaction",
    "stream",
    "subscription",
    "realm_user",
  ],
  fetch_event_types: ["realm_user", "stream", "subscription", "message", "update_message_flags"],
  include_subscribers: true,
  idle_queue_timeout: 604_800,
  client_capabilities: {
    notification_settings_null: false,
    bulk_message_deletion: true,
    archived_channels: true,
    empty_topic_name: true,
    user_list_incomplete: true,
  },
};

export class ClientModel {
  /** Known members by channel. */
  private readonly knownIds = new Map<number, Set<number>>();
  private readonly ownIds = new Set<number>();
  private readonly people = new Set<number>();
  private wrong: string[] = [];

  private constructor(
    readonly name: Name,
    private readonly own: number,
    private readonly listener: Listener,
  ) {
    const { subscriptions, unsubscribed, never_subscribed } = listener.registered;
    for (const channel of [...subscriptions, ...unsubscribed, ...never_subscribed])
      this.knownIds.set(channel.stream_id, new Set(channel.subscribers));
    for (const { stream_id } of subscriptions) this.ownIds.add(stream_id);
    const { realm_users, realm_non_active_users } = listener.registered;
    for (const { user_id } of [...realm_users, ...realm_non_active_users]) this.people.add(user_id);
  }

  static async open(sim: Simulation, name: Name): Promise<ClientModel> {
    return new ClientModel(
      name,
      sim.testServer.idOf(name),
      await sim.testServer.listen(name, CLIENT),
    );
  }

  /** Returns new message events, and applies the other events to the client's state. */
  async applyEvents(sim: Simulation): Promise<string[]> {
    const events: string[] = [];
    for (const event of await this.listener.takeAll()) {
      if (event.type === "stream") this.applyChannelEvent(event);
      else if (event.type === "subscription") this.applySubscriptionEvent(event);
      else if (event.type === "realm_user") this.applyUserEvent(event);
      else events.push(...wordsOf(event, sim));
    }
    return events;
  }

  /** Returns the differences between the client's state and the oracle. */
  check(sim: Simulation): string[] {
    const { model } = sim;
    const wrong = this.wrong.map((text) => `${this.name} heard ${text}`);
    this.wrong = [];
    const seen = sim.ids(PEOPLE.filter((name) => canSeePerson(model, this.name, name)));
    wrong.push(...difference(`${this.name} knows`, this.people, seen));
    for (const channel of model.channels.values()) {
      const { id, name } = channel;
      const canSee = hasMetadata(model, this.name, channel);
      wrong.push(...difference(`${this.name} knows of ${name}`, this.knownIds.has(id), canSee));
      const isIncluded = channel.subscribers.has(this.name);
      wrong.push(...difference(`${this.name} is in ${name}`, this.ownIds.has(id), isIncluded));
      if (!canSee || !this.knownIds.has(id)) continue;
      const people = sim.ids(subscribersOf(model, channel));
      wrong.push(
        ...difference(`${this.name} knows who is in ${name}`, this.knownIds.get(id)!, people),
      );
    }
    return wrong;
  }

  private applyUserEvent({ op, person: { user_id } }: Json): void {
    if (op === "add" && this.people.has(user_id)) this.wrong.push(`of ${user_id} a second time`);
    if (op !== "add" && !this.people.has(user_id)) this.wrong.push(`${op} of unknown ${user_id}`);
    if (op === "add") this.people.add(user_id);
    if (op === "remove") this.people.delete(user_id);
  }

  private applyChannelEvent(event: Json): void {
    if (event.op === "create") {
      for (const { stream_id } of event.streams) {
        if (this.knownIds.has(stream_id)) this.wrong.push(`of ${stream_id} a second time`);
        this.knownIds.set(stream_id, new Set());
      }
    } else if (event.op === "delete") {
      for (const stream_id of event.stream_ids) {
        if (!this.knownIds.delete(stream_id)) this.wrong.push(`the end of unknown ${stream_id}`);
        this.ownIds.delete(stream_id);
      }
    } else if (!this.knownIds.has(event.stream_id))
      this.wrong.push(`of ${event.property} of unknown ${event.stream_id}`);
  }

  private applySubscriptionEvent(event: Json): void {
    if (event.op === "add") {
      for (const { stream_id, subscribers } of event.subscriptions) {
        if (!this.knownIds.has(stream_id)) this.wrong.push(`of joining unknown ${stream_id}`);
        if (this.ownIds.has(stream_id)) this.wrong.push(`of joining ${stream_id} again`);
        this.knownIds.set(stream_id, new Set(subscribers));
        this.ownIds.add(stream_id);
      }
    } else if (event.op === "remove") {
      for (const { stream_id } of event.subscriptions) {
        if (!this.ownIds.delete(stream_id)) this.wrong.push(`of leaving ${stream_id}`);
        // A user receives no peer_remove event about themselves.
        this.knownIds.get(stream_id)?.delete(this.own);
      }
    } else if (event.op.startsWith("peer_")) this.applyPeerEvent(event);
  }

  private applyPeerEvent({ op, stream_ids, user_ids }: Json): void {
    for (const stream_id of stream_ids) {
      const people = this.knownIds.get(stream_id);
      if (people === undefined) {
        this.wrong.push(`${op} of unknown ${stream_id}`);
        continue;
      }
      for (const user_id of user_ids) {
        const isNews = people.has(user_id) === (op === "peer_remove");
        if (!isNews) this.wrong.push(`${op} of ${user_id} in ${stream_id} for nothing`);
        if (op === "peer_add") people.add(user_id);
        else people.delete(user_id);
      }
    }
  }
}

/** Ignores messages of the notification bot. */
function wordsOf(event: Json, sim: Simulation): string[] {
  const isInModel = (id: number) => sim.model.messages.has(id) || sim.gone.has(id);
  switch (event.type) {
    case "message":
      return sim.names.has(event.message.sender_id) ? [`message ${event.message.id}`] : [];
    case "update_message":
      return [
        `update_message ${event.message_id} of ${event.message_ids.filter(isInModel).join()}`,
      ];
    case "delete_message":
      return event.message_ids.filter(isInModel).map((id: number) => `delete_message ${id}`);
    default:
      return [`${event.type} ${event.op} ${event.message_id}`];
  }
}
