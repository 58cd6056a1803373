// Random actions on messages: sending, editing, moving, deleting, reacting, reading.
import type { Name } from "../users.ts";
import { type Action, type Simulation, PEOPLE, TOPICS, WORDS } from "./simulation.ts";
import { call, marksFor, textOf } from "./mentions.ts";
import * as rights from "./permissions.ts";
import { hasContent, audienceOf, isActive, canOpen, canRead, subscribersOf } from "./visibility.ts";
import { type Channel, lateRow, pairOf, type Row, type ModelMessage, type Model } from "./model.ts";

type ActionMaker = (sim: Simulation) => Action | undefined;

function keep(
  sim: Simulation,
  details: Omit<ModelMessage, "era" | "reactions" | "rows">,
  rowOwners: readonly Name[],
) {
  const rows = rowOwners.map((name): [Name, Row] => [
    name,
    {
      read: name === details.sender,
      historical: false,
      starred: false,
      marks: marksFor(sim.model, name, details.call),
    },
  ]);
  const { era } = sim.model;
  sim.model.messages.set(details.id, {
    ...details,
    era,
    reactions: new Set(),
    rows: new Map(rows),
  });
  return [{ event: `message ${details.id}`, receivers: rowOwners }];
}

export const send: ActionMaker = (sim) => {
  const { model } = sim;
  const name = sim.pickPerson();
  const channel = sim.pickChannelWhere((channel) => hasContent(model, name, channel));
  const [topic, word] = [sim.pick(TOPICS), sim.pick(WORDS)];
  const file = sim.roll(4) === 0 ? sim.pick([...model.files.keys()]) : undefined;
  const people = subscribersOf(model, channel);
  const mention = call(sim, name, people);
  const shown = `${word} tree${textOf(mention)}`;
  const content = file === undefined ? shown : `${shown} [leaf](${file})`;
  const to = { type: "stream", to: channel.id, topic, content };
  return {
    who: name,
    line: "POST /messages",
    params: { ...to, read_by_sender: true },
    isAllowed: rights.canSend(model, name, channel, topic),
    apply: ({ id }) => {
      const shared = file !== undefined && canOpen(model, name, file) ? file : undefined;
      const fields = {
        id,
        sender: name,
        channel: channel.id,
        topic,
        word,
        call: mention,
        file: shared,
      };
      return keep(sim, fields, people);
    },
  };
};

export const write: ActionMaker = (sim) => {
  const userName = sim.pickPerson();
  const others = PEOPLE.filter((name) => name !== userName && sim.roll(4) === 0);
  const people = [userName, ...others];
  const word = sim.pick(WORDS);
  const mention = call(sim, userName, people);
  const content = `${word} tree${textOf(mention)}`;
  const to = { type: "direct", to: sim.ids(people), content };
  return {
    who: userName,
    line: "POST /messages",
    params: { ...to, read_by_sender: true },
    isAllowed: rights.canWriteTo(sim.model, userName, people),
    apply: ({ id }) => {
      for (const name of people) for (const other of people) sim.model.dms.add(pairOf(name, other));
      const fields = { id, sender: userName, channel: undefined, topic: "", word, call: mention };
      return keep(sim, { ...fields, file: undefined }, people);
    },
  };
};

export const react: ActionMaker = (sim) => {
  const name = sim.pickPerson();
  const message = sim.pickMessage(name);
  if (message === undefined) return undefined;
  const isTakenBack = message.reactions.has(name) && sim.roll(2) === 0;
  const isAllowed = isTakenBack ? rights.canUnreact : rights.canReact;
  return {
    who: name,
    line: `${isTakenBack ? "DELETE" : "POST"} /messages/${message.id}/reactions`,
    params: { emoji_name: "tada" },
    isAllowed: isAllowed(sim.model, name, message),
    apply: () => {
      if (isTakenBack) message.reactions.delete(name);
      else {
        message.reactions.add(name);
        if (!message.rows.has(name)) message.rows.set(name, lateRow());
      }
      const op = isTakenBack ? "remove" : "add";
      return [{ event: `reaction ${op} ${message.id}`, receivers: audienceOf(sim.model, message) }];
    },
  };
};

export const edit: ActionMaker = (sim) => {
  const anyone = sim.pickPerson();
  const message = sim.pickMessage(anyone);
  if (message === undefined) return undefined;
  const isOwn = sim.roll(3) > 0 && isActive(sim.model, message.sender);
  const userName = isOwn ? message.sender : anyone;
  const word = sim.pick(WORDS.filter((other) => other !== message.word));
  const mention = call(sim, userName, [...message.rows.keys()]);
  return {
    who: userName,
    line: `PATCH /messages/${message.id}`,
    params: { content: `${word} tree${textOf(mention)}` },
    isAllowed: rights.canEdit(sim.model, userName, message),
    apply: () => {
      message.word = word;
      message.call = mention;
      message.file = undefined;
      for (const [name, row] of message.rows) row.marks = marksFor(sim.model, name, mention);
      const event = `update_message ${message.id} of ${message.id}`;
      return [{ event, receivers: audienceOf(sim.model, message) }];
    },
  };
};

export const remove: ActionMaker = (sim) => {
  const name = sim.pickPerson();
  const message = sim.pickMessage(name);
  if (message === undefined) return undefined;
  return {
    who: name,
    line: `DELETE /messages/${message.id}`,
    params: {},
    isAllowed: rights.canDelete(sim.model, name, message),
    apply: () => {
      const receivers = [...new Set([...audienceOf(sim.model, message), name])];
      sim.model.messages.delete(message.id);
      sim.gone.add(message.id);
      return [{ event: `delete_message ${message.id}`, receivers }];
    },
  };
};

/** Deletes the messages of a topic that the caller can read. */
export const clear: ActionMaker = (sim) => {
  const { model } = sim;
  const [name, channel, topic] = [sim.pickPerson(), sim.pickChannel(), sim.pick(TOPICS)];
  return {
    who: name,
    line: `POST /streams/${channel.id}/delete_topic`,
    params: { topic_name: topic },
    isAllowed: rights.canClear(model, name, channel),
    apply: () => {
      const topicOf = [...model.messages.values()].filter(
        (message) => message.channel === channel.id && message.topic === topic,
      );
      const targets = topicOf.filter((message) => canRead(model, name, message));
      // A single event covers the whole batch for all users who had any of it.
      const possibleReceivers = targets.flatMap((message) => audienceOf(model, message));
      const payload = targets.map((message) => ({
        event: `delete_message ${message.id}`,
        receivers: [...new Set([...audienceOf(model, message), name])],
        possibleReceivers,
      }));
      for (const { id } of targets) {
        model.messages.delete(id);
        sim.gone.add(id);
      }
      return payload;
    },
  };
};

export const move: ActionMaker = (sim) => {
  const name = sim.pickPerson();
  const message = sim.pickMessage(name);
  if (message === undefined) return undefined;
  const topic = sim.roll(3) > 0 ? sim.pick(TOPICS) : undefined;
  const changesChannel = topic === undefined || sim.roll(2) === 0;
  const target = sim.pickChannelWhere((channel) => hasContent(sim.model, name, channel));
  const channel = changesChannel ? target : undefined;
  const mode = sim.pick(["change_one", "change_later", "change_all"] as const);
  const params = { mode, topic, channel };
  return {
    who: name,
    line: `PATCH /messages/${message.id}`,
    params: {
      topic,
      stream_id: channel?.id,
      propagate_mode: mode,
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    },
    isAllowed: rights.canMove(sim.model, name, message, params),
    apply: () => applyMove(sim, name, message, params),
  };
};

/** Resolves a topic and unresolves it at once, which also deletes the notice about it. */
export const resolve: ActionMaker = (sim) => {
  const name = sim.pickPerson();
  const message = sim.pickMessage(name);
  if (message === undefined) return undefined;
  const line = `PATCH /messages/${message.id}`;
  const [mode, before] = ["change_all" as const, message.topic];
  const moveParams = (topic: string) => ({ topic, propagate_mode: mode });
  return {
    who: name,
    line,
    params: moveParams(`✔ ${before}`),
    isAllowed: rights.canResolve(sim.model, name, message),
    afterwards: { line, params: moveParams(before) },
    apply: () => {
      const params = { mode, channel: undefined };
      const moved = applyMove(sim, name, message, { ...params, topic: `✔ ${before}` });
      const restored = applyMove(sim, name, message, { ...params, topic: before });
      // Every subscriber received the notice, which moves with the topic.
      const alerted = subscribersOf(sim.model, sim.model.channels.get(message.channel!)!);
      return [
        ...moved,
        ...restored.map((item) => ({
          ...item,
          possibleReceivers: [...(item.possibleReceivers ?? []), ...alerted],
        })),
      ];
    },
  };
};

function applyMove(
  sim: Simulation,
  userName: Name,
  message: ModelMessage,
  { mode, topic, channel }: rights.Move,
) {
  const { model } = sim;
  const target = channel?.id === message.channel ? undefined : channel;
  const movedMessages = rights.movedBy(model, userName, message, { mode, topic, channel: target });
  const before = movedMessages.map((modelMessage) => ({
    one: modelMessage,
    had: new Set(audienceOf(model, modelMessage)),
  }));
  const couldRead = new Map(
    movedMessages.map((modelMessage) => [modelMessage, readersOf(sim, modelMessage)]),
  );
  for (const modelMessage of movedMessages) {
    if (topic !== undefined) modelMessage.topic = topic;
    if (target !== undefined) {
      // These include subscribers whose account is deactivated.
      const members = [...target.subscribers];
      modelMessage.channel = target.id;
      for (const [name, row] of modelMessage.rows)
        if (!members.includes(name)) applyLeave(model, name, modelMessage, row, target);
      if (target.kind !== "protected") continue;
      for (const name of members)
        if (!modelMessage.rows.has(name)) modelMessage.rows.set(name, lateRow());
    }
  }
  // A single event covers all removed messages.
  const could = [...couldRead.values()].flat();
  const lostRows = before.map(({ one: modelMessage, had }) => ({
    event: `delete_message ${modelMessage.id}`,
    receivers: [...had].filter((name) => !canRead(model, name, modelMessage)),
    possibleReceivers: could.filter((name) => !canRead(model, name, modelMessage)),
  }));
  const remaining = before.flatMap(({ one: modelMessage, had }) =>
    [...had].filter((name) => canRead(model, name, modelMessage)),
  );
  const possibleReceivers = movedMessages.flatMap((modelMessage) => readersOf(sim, modelMessage));
  const ids = movedMessages.map(({ id }) => id);
  const payload = {
    event: `update_message ${message.id} of ${ids.join()}`,
    receivers: remaining,
    possibleReceivers,
  };
  return [...lostRows, { ...payload, receivers: [...new Set(remaining)] }];
}

/**
 * Users outside the channel lose messages that they received. They keep messages that they got
 * later, and starred ones that they can still read, without an unread state.
 */
function applyLeave(model: Model, name: Name, message: ModelMessage, row: Row, to: Channel): void {
  const remainsStarred = row.starred && to.kind !== "protected" && hasContent(model, name, to);
  if (!row.historical && !remainsStarred) {
    message.rows.delete(name);
    return;
  }
  const starred = row.starred && canRead(model, name, message);
  message.rows.set(name, lateRow(starred));
}

const readersOf = ({ model }: Simulation, message: ModelMessage) =>
  PEOPLE.filter((name) => isActive(model, name) && canRead(model, name, message));

/** Stars a message, or marks it as read or unread, for a user who has it. */
export const mark: ActionMaker = (sim) => {
  const name = sim.pickPerson();
  const message = sim.pickMessage(name);
  if (message === undefined) return undefined;
  const flag = sim.pick(["starred", "read"]);
  const op = flag === "read" ? sim.pick(["add", "remove"]) : "add";
  const isReadable = canRead(sim.model, name, message);
  if (flag === "read" && !(isReadable && message.rows.has(name))) return undefined;
  return {
    who: name,
    line: "POST /messages/flags",
    params: { messages: [message.id], op, flag },
    isAllowed: isReadable || message.rows.has(name),
    apply: () => {
      if (!message.rows.has(name)) message.rows.set(name, lateRow());
      const row = message.rows.get(name)!;
      const channel =
        message.channel === undefined ? undefined : sim.model.channels.get(message.channel);
      if (flag === "starred") row.starred = true;
      if (flag === "read" && op === "add") row.read = true;
      if (flag === "read" && op === "remove" && channel?.subscribers.has(name) !== false)
        row.read = false;
    },
  };
};
