// Random actions on messages: sending, editing, moving, deleting, reacting, reading.
import type { Name } from "../users.ts";
import { type Act, type Game, PEOPLE, type ExpectedEvent, TOPICS, WORDS } from "./game.ts";
import { call, marksFor, textOf } from "./mentions.ts";
import * as rights from "./permissions.ts";
import { hasContent, audienceOf, isHere, canOpen, canRead, subscribersOf } from "./visibility.ts";
import { type Channel, lateRow, pairOf, type Row, type ModelMessage, type World } from "./model.ts";

type Maker = (game: Game) => Act | undefined;

function keep(
  game: Game,
  details: Omit<ModelMessage, "era" | "reactions" | "rows">,
  have: readonly Name[],
) {
  const rows = have.map((name): [Name, Row] => [
    name,
    {
      read: name === details.sender,
      historical: false,
      starred: false,
      marks: marksFor(game.world, name, details.call),
    },
  ]);
  const { era } = game.world;
  game.world.said.set(details.id, { ...details, era, reactions: new Set(), rows: new Map(rows) });
  return [{ event: `message ${details.id}`, receivers: have }];
}

export const send: Maker = (game) => {
  const { world } = game;
  const name = game.person();
  const channel = game.channelWhere((channel) => hasContent(world, name, channel));
  const [topic, word] = [game.pick(TOPICS), game.pick(WORDS)];
  const file = game.roll(4) === 0 ? game.pick([...world.files.keys()]) : undefined;
  const people = subscribersOf(world, channel);
  const called = call(game, name, people);
  const shown = `${word} tree${textOf(called)}`;
  const content = file === undefined ? shown : `${shown} [leaf](${file})`;
  const to = { type: "stream", to: channel.id, topic, content };
  return {
    who: name,
    line: "POST /messages",
    params: { ...to, read_by_sender: true },
    isAllowed: rights.canSend(world, name, channel, topic),
    does: ({ id }) => {
      const shared = file !== undefined && canOpen(world, name, file) ? file : undefined;
      const fields = {
        id,
        sender: name,
        channel: channel.id,
        topic,
        word,
        call: called,
        file: shared,
      };
      return keep(game, fields, people);
    },
  };
};

export const write: Maker = (game) => {
  const userName = game.person();
  const others = PEOPLE.filter((name) => name !== userName && game.roll(4) === 0);
  const people = [userName, ...others];
  const word = game.pick(WORDS);
  const called = call(game, userName, people);
  const content = `${word} tree${textOf(called)}`;
  const to = { type: "direct", to: game.ids(people), content };
  return {
    who: userName,
    line: "POST /messages",
    params: { ...to, read_by_sender: true },
    isAllowed: rights.canWriteTo(game.world, userName, people),
    does: ({ id }) => {
      for (const name of people)
        for (const other of people) game.world.met.add(pairOf(name, other));
      const fields = { id, sender: userName, channel: undefined, topic: "", word, call: called };
      return keep(game, { ...fields, file: undefined }, people);
    },
  };
};

export const react: Maker = (game) => {
  const name = game.person();
  const message = game.said(name);
  if (message === undefined) return undefined;
  const isTakenBack = message.reactions.has(name) && game.roll(2) === 0;
  const isAllowed = isTakenBack ? rights.canUnreact : rights.canReact;
  return {
    who: name,
    line: `${isTakenBack ? "DELETE" : "POST"} /messages/${message.id}/reactions`,
    params: { emoji_name: "tada" },
    isAllowed: isAllowed(game.world, name, message),
    does: () => {
      if (isTakenBack) message.reactions.delete(name);
      else {
        message.reactions.add(name);
        if (!message.rows.has(name)) message.rows.set(name, lateRow());
      }
      const op = isTakenBack ? "remove" : "add";
      return [
        { event: `reaction ${op} ${message.id}`, receivers: audienceOf(game.world, message) },
      ];
    },
  };
};

export const edit: Maker = (game) => {
  const anyone = game.person();
  const message = game.said(anyone);
  if (message === undefined) return undefined;
  const isOwn = game.roll(3) > 0 && isHere(game.world, message.sender);
  const userName = isOwn ? message.sender : anyone;
  const word = game.pick(WORDS.filter((other) => other !== message.word));
  const called = call(game, userName, [...message.rows.keys()]);
  return {
    who: userName,
    line: `PATCH /messages/${message.id}`,
    params: { content: `${word} tree${textOf(called)}` },
    isAllowed: rights.canEdit(game.world, userName, message),
    does: () => {
      message.word = word;
      message.call = called;
      message.file = undefined;
      for (const [name, row] of message.rows) row.marks = marksFor(game.world, name, called);
      const event = `update_message ${message.id} of ${message.id}`;
      return [{ event, receivers: audienceOf(game.world, message) }];
    },
  };
};

export const remove: Maker = (game) => {
  const name = game.person();
  const message = game.said(name);
  if (message === undefined) return undefined;
  return {
    who: name,
    line: `DELETE /messages/${message.id}`,
    params: {},
    isAllowed: rights.canDelete(game.world, name, message),
    does: () => {
      const receivers = [...new Set([...audienceOf(game.world, message), name])];
      game.world.said.delete(message.id);
      game.gone.add(message.id);
      return [{ event: `delete_message ${message.id}`, receivers }];
    },
  };
};

/** Deletes the messages of a topic that the caller can read. */
export const clear: Maker = (game) => {
  const { world } = game;
  const [name, channel, topic] = [game.person(), game.channel(), game.pick(TOPICS)];
  return {
    who: name,
    line: `POST /streams/${channel.id}/delete_topic`,
    params: { topic_name: topic },
    isAllowed: rights.canClear(world, name, channel),
    does: () => {
      const topicOf = [...world.said.values()].filter(
        (message) => message.channel === channel.id && message.topic === topic,
      );
      const doomed = topicOf.filter((message) => canRead(world, name, message));
      // A single event covers the whole batch for all users who had any of it.
      const possibleReceivers = doomed.flatMap((message) => audienceOf(world, message));
      const payload = doomed.map((message) => ({
        event: `delete_message ${message.id}`,
        receivers: [...new Set([...audienceOf(world, message), name])],
        possibleReceivers,
      }));
      for (const { id } of doomed) {
        world.said.delete(id);
        game.gone.add(id);
      }
      return payload;
    },
  };
};

export const move: Maker = (game) => {
  const name = game.person();
  const message = game.said(name);
  if (message === undefined) return undefined;
  const topic = game.roll(3) > 0 ? game.pick(TOPICS) : undefined;
  const goes = topic === undefined || game.roll(2) === 0;
  const target = game.channelWhere((channel) => hasContent(game.world, name, channel));
  const channel = goes ? target : undefined;
  const mode = game.pick(["change_one", "change_later", "change_all"] as const);
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
    isAllowed: rights.canMove(game.world, name, message, params),
    does: () => moved(game, name, message, params),
  };
};

/** Resolves a topic and unresolves it at once, which also deletes the notice about it. */
export const resolve: Maker = (game) => {
  const name = game.person();
  const message = game.said(name);
  if (message === undefined) return undefined;
  const line = `PATCH /messages/${message.id}`;
  const [mode, before] = ["change_all" as const, message.topic];
  const named = (topic: string) => ({ topic, propagate_mode: mode });
  return {
    who: name,
    line,
    params: named(`✔ ${before}`),
    isAllowed: rights.canResolve(game.world, name, message),
    afterwards: { line, params: named(before) },
    does: () => {
      const params = { mode, channel: undefined };
      const there = moved(game, name, message, { ...params, topic: `✔ ${before}` });
      const back = moved(game, name, message, { ...params, topic: before });
      // Every subscriber received the notice, which moves with the topic.
      const alerted = subscribersOf(game.world, game.world.channels.get(message.channel!)!);
      return [
        ...there,
        ...back.map((item) => ({
          ...item,
          possibleReceivers: [...(item.possibleReceivers ?? []), ...alerted],
        })),
      ];
    },
  };
};

function moved(
  game: Game,
  userName: Name,
  message: ModelMessage,
  { mode, topic, channel }: rights.Move,
): ExpectedEvent[] {
  const { world } = game;
  const target = channel?.id === message.channel ? undefined : channel;
  const along = rights.movedBy(world, userName, message, { mode, topic, channel: target });
  const before = along.map((modelMessage) => ({
    one: modelMessage,
    had: new Set(audienceOf(world, modelMessage)),
  }));
  const couldRead = new Map(
    along.map((modelMessage) => [modelMessage, readersOf(game, modelMessage)]),
  );
  for (const modelMessage of along) {
    if (topic !== undefined) modelMessage.topic = topic;
    if (target !== undefined) {
      // These include subscribers whose account is deactivated.
      const members = [...target.subscribers];
      modelMessage.channel = target.id;
      for (const [name, row] of modelMessage.rows)
        if (!members.includes(name)) leavesWith(world, name, modelMessage, row, target);
      if (target.kind !== "protected") continue;
      for (const name of members)
        if (!modelMessage.rows.has(name)) modelMessage.rows.set(name, lateRow());
    }
  }
  // A single event covers all removed messages.
  const could = [...couldRead.values()].flat();
  const lost = before.map(({ one: modelMessage, had }) => ({
    event: `delete_message ${modelMessage.id}`,
    receivers: [...had].filter((name) => !canRead(world, name, modelMessage)),
    possibleReceivers: could.filter((name) => !canRead(world, name, modelMessage)),
  }));
  const stay = before.flatMap(({ one: modelMessage, had }) =>
    [...had].filter((name) => canRead(world, name, modelMessage)),
  );
  const possibleReceivers = along.flatMap((modelMessage) => readersOf(game, modelMessage));
  const ids = along.map(({ id }) => id);
  const payload = {
    event: `update_message ${message.id} of ${ids.join()}`,
    receivers: stay,
    possibleReceivers,
  };
  return [...lost, { ...payload, receivers: [...new Set(stay)] }];
}

/**
 * Users outside the channel lose messages that they received. They keep messages that they got
 * later, and starred ones that they can still read, without an unread state.
 */
function leavesWith(world: World, name: Name, message: ModelMessage, row: Row, to: Channel): void {
  const stays = row.starred && to.kind !== "protected" && hasContent(world, name, to);
  if (!row.historical && !stays) {
    message.rows.delete(name);
    return;
  }
  const starred = row.starred && canRead(world, name, message);
  message.rows.set(name, lateRow(starred));
}

const readersOf = ({ world }: Game, message: ModelMessage) =>
  PEOPLE.filter((name) => isHere(world, name) && canRead(world, name, message));

/** Stars a message, or marks it as read or unread, for a user who has it. */
export const mark: Maker = (game) => {
  const name = game.person();
  const message = game.said(name);
  if (message === undefined) return undefined;
  const flag = game.pick(["starred", "read"]);
  const op = flag === "read" ? game.pick(["add", "remove"]) : "add";
  const isReadable = canRead(game.world, name, message);
  if (flag === "read" && !(isReadable && message.rows.has(name))) return undefined;
  return {
    who: name,
    line: "POST /messages/flags",
    params: { messages: [message.id], op, flag },
    isAllowed: isReadable || message.rows.has(name),
    does: () => {
      if (!message.rows.has(name)) message.rows.set(name, lateRow());
      const row = message.rows.get(name)!;
      const channel =
        message.channel === undefined ? undefined : game.world.channels.get(message.channel);
      if (flag === "starred") row.starred = true;
      if (flag === "read" && op === "add") row.read = true;
      if (flag === "read" && op === "remove" && channel?.subscribers.has(name) !== false)
        row.read = false;
    },
  };
};
