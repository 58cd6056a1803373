// Random actions on messages: sending, editing, moving, deleting, reacting, reading.
import type { Name } from "../users.ts";
import { type Act, type Game, PEOPLE, type Told, TOPICS, WORDS } from "./game.ts";
import { call, marksFor, textOf } from "./mentions.ts";
import * as rights from "./permissions.ts";
import { hasContent, audienceOf, isHere, mayOpen, mayRead, subscribersOf } from "./visibility.ts";
import { type Channel, lateRow, pairOf, type Row, type Said, type World } from "./model.ts";

type Maker = (game: Game) => Act | undefined;

function keep(game: Game, said: Omit<Said, "era" | "reactions" | "rows">, have: readonly Name[]) {
  const rows = have.map((who): [Name, Row] => [
    who,
    {
      read: who === said.sender,
      historical: false,
      starred: false,
      marks: marksFor(game.world, who, said.call),
    },
  ]);
  const { era } = game.world;
  game.world.said.set(said.id, { ...said, era, reactions: new Set(), rows: new Map(rows) });
  return [{ event: `message ${said.id}`, must: have }];
}

export const send: Maker = (game) => {
  const { world } = game;
  const who = game.person();
  const channel = game.channelWhere((one) => hasContent(world, who, one));
  const [topic, word] = [game.pick(TOPICS), game.pick(WORDS)];
  const file = game.roll(4) === 0 ? game.pick([...world.files.keys()]) : undefined;
  const people = subscribersOf(world, channel);
  const called = call(game, who, people);
  const shown = `${word} tree${textOf(called)}`;
  const content = file === undefined ? shown : `${shown} [leaf](${file})`;
  const to = { type: "stream", to: channel.id, topic, content };
  return {
    who,
    line: "POST /messages",
    params: { ...to, read_by_sender: true },
    isAllowed: rights.maySend(world, who, channel, topic),
    does: ({ id }) => {
      const shared = file !== undefined && mayOpen(world, who, file) ? file : undefined;
      const said = {
        id,
        sender: who,
        channel: channel.id,
        topic,
        word,
        call: called,
        file: shared,
      };
      return keep(game, said, people);
    },
  };
};

export const write: Maker = (game) => {
  const who = game.person();
  const others = PEOPLE.filter((name) => name !== who && game.roll(4) === 0);
  const people = [who, ...others];
  const word = game.pick(WORDS);
  const called = call(game, who, people);
  const content = `${word} tree${textOf(called)}`;
  const to = { type: "direct", to: game.ids(people), content };
  return {
    who,
    line: "POST /messages",
    params: { ...to, read_by_sender: true },
    isAllowed: rights.mayWriteTo(game.world, who, people),
    does: ({ id }) => {
      for (const one of people) for (const other of people) game.world.met.add(pairOf(one, other));
      const said = { id, sender: who, channel: undefined, topic: "", word, call: called };
      return keep(game, { ...said, file: undefined }, people);
    },
  };
};

export const react: Maker = (game) => {
  const who = game.person();
  const said = game.said(who);
  if (said === undefined) return undefined;
  const isTakenBack = said.reactions.has(who) && game.roll(2) === 0;
  const may = isTakenBack ? rights.mayUnreact : rights.mayReact;
  return {
    who,
    line: `${isTakenBack ? "DELETE" : "POST"} /messages/${said.id}/reactions`,
    params: { emoji_name: "tada" },
    isAllowed: may(game.world, who, said),
    does: () => {
      if (isTakenBack) said.reactions.delete(who);
      else {
        said.reactions.add(who);
        if (!said.rows.has(who)) said.rows.set(who, lateRow());
      }
      const op = isTakenBack ? "remove" : "add";
      return [{ event: `reaction ${op} ${said.id}`, must: audienceOf(game.world, said) }];
    },
  };
};

export const edit: Maker = (game) => {
  const anyone = game.person();
  const said = game.said(anyone);
  if (said === undefined) return undefined;
  const isOwn = game.roll(3) > 0 && isHere(game.world, said.sender);
  const who = isOwn ? said.sender : anyone;
  const word = game.pick(WORDS.filter((other) => other !== said.word));
  const called = call(game, who, [...said.rows.keys()]);
  return {
    who,
    line: `PATCH /messages/${said.id}`,
    params: { content: `${word} tree${textOf(called)}` },
    isAllowed: rights.mayEdit(game.world, who, said),
    does: () => {
      said.word = word;
      said.call = called;
      said.file = undefined;
      for (const [name, row] of said.rows) row.marks = marksFor(game.world, name, called);
      const event = `update_message ${said.id} of ${said.id}`;
      return [{ event, must: audienceOf(game.world, said) }];
    },
  };
};

export const remove: Maker = (game) => {
  const who = game.person();
  const said = game.said(who);
  if (said === undefined) return undefined;
  return {
    who,
    line: `DELETE /messages/${said.id}`,
    params: {},
    isAllowed: rights.mayDelete(game.world, who, said),
    does: () => {
      const must = [...new Set([...audienceOf(game.world, said), who])];
      game.world.said.delete(said.id);
      game.gone.add(said.id);
      return [{ event: `delete_message ${said.id}`, must }];
    },
  };
};

/** Deletes the messages of a topic that the caller can read. */
export const clear: Maker = (game) => {
  const { world } = game;
  const [who, channel, topic] = [game.person(), game.channel(), game.pick(TOPICS)];
  return {
    who,
    line: `POST /streams/${channel.id}/delete_topic`,
    params: { topic_name: topic },
    isAllowed: rights.mayClear(world, who, channel),
    does: () => {
      const topicOf = [...world.said.values()].filter(
        (said) => said.channel === channel.id && said.topic === topic,
      );
      const doomed = topicOf.filter((said) => mayRead(world, who, said));
      // A single event covers the whole batch for all users who had any of it.
      const may = doomed.flatMap((said) => audienceOf(world, said));
      const told = doomed.map((said) => ({
        event: `delete_message ${said.id}`,
        must: [...new Set([...audienceOf(world, said), who])],
        may,
      }));
      for (const { id } of doomed) {
        world.said.delete(id);
        game.gone.add(id);
      }
      return told;
    },
  };
};

export const move: Maker = (game) => {
  const who = game.person();
  const said = game.said(who);
  if (said === undefined) return undefined;
  const topic = game.roll(3) > 0 ? game.pick(TOPICS) : undefined;
  const goes = topic === undefined || game.roll(2) === 0;
  const target = game.channelWhere((one) => hasContent(game.world, who, one));
  const channel = goes ? target : undefined;
  const mode = game.pick(["change_one", "change_later", "change_all"] as const);
  const asked = { mode, topic, channel };
  return {
    who,
    line: `PATCH /messages/${said.id}`,
    params: {
      topic,
      stream_id: channel?.id,
      propagate_mode: mode,
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    },
    isAllowed: rights.mayMove(game.world, who, said, asked),
    does: () => moved(game, who, said, asked),
  };
};

/** Resolves a topic and unresolves it at once, which also deletes the notice about it. */
export const resolve: Maker = (game) => {
  const who = game.person();
  const said = game.said(who);
  if (said === undefined) return undefined;
  const line = `PATCH /messages/${said.id}`;
  const [mode, before] = ["change_all" as const, said.topic];
  const named = (topic: string) => ({ topic, propagate_mode: mode });
  return {
    who,
    line,
    params: named(`✔ ${before}`),
    isAllowed: rights.mayResolve(game.world, who, said),
    afterwards: { line, params: named(before) },
    does: () => {
      const asked = { mode, channel: undefined };
      const there = moved(game, who, said, { ...asked, topic: `✔ ${before}` });
      const back = moved(game, who, said, { ...asked, topic: before });
      // Every subscriber received the notice, which moves with the topic.
      const alerted = subscribersOf(game.world, game.world.channels.get(said.channel!)!);
      return [...there, ...back.map((one) => ({ ...one, may: [...(one.may ?? []), ...alerted] }))];
    },
  };
};

function moved(game: Game, who: Name, said: Said, { mode, topic, channel }: rights.Move): Told[] {
  const { world } = game;
  const target = channel?.id === said.channel ? undefined : channel;
  const along = rights.movedBy(world, who, said, { mode, topic, channel: target });
  const before = along.map((one) => ({ one, had: new Set(audienceOf(world, one)) }));
  const couldRead = new Map(along.map((one) => [one, readersOf(game, one)]));
  for (const one of along) {
    if (topic !== undefined) one.topic = topic;
    if (target !== undefined) {
      // These include subscribers whose account is deactivated.
      const members = [...target.subscribers];
      one.channel = target.id;
      for (const [name, row] of one.rows)
        if (!members.includes(name)) comesAway(world, name, one, row, target);
      if (target.kind !== "protected") continue;
      for (const name of members) if (!one.rows.has(name)) one.rows.set(name, lateRow());
    }
  }
  // A single event covers all removed messages.
  const could = [...couldRead.values()].flat();
  const lost = before.map(({ one, had }) => ({
    event: `delete_message ${one.id}`,
    must: [...had].filter((name) => !mayRead(world, name, one)),
    may: could.filter((name) => !mayRead(world, name, one)),
  }));
  const stay = before.flatMap(({ one, had }) =>
    [...had].filter((name) => mayRead(world, name, one)),
  );
  const may = along.flatMap((one) => readersOf(game, one));
  const ids = along.map(({ id }) => id);
  const told = { event: `update_message ${said.id} of ${ids.join()}`, must: stay, may };
  return [...lost, { ...told, must: [...new Set(stay)] }];
}

/**
 * Users outside the channel lose messages that they received. They keep messages that they got
 * later, and starred ones that they can still read, without an unread state.
 */
function comesAway(world: World, who: Name, said: Said, row: Row, to: Channel): void {
  const stays = row.starred && to.kind !== "protected" && hasContent(world, who, to);
  if (!row.historical && !stays) {
    said.rows.delete(who);
    return;
  }
  const starred = row.starred && mayRead(world, who, said);
  said.rows.set(who, lateRow(starred));
}

const readersOf = ({ world }: Game, said: Said) =>
  PEOPLE.filter((name) => isHere(world, name) && mayRead(world, name, said));

/** Stars a message, or marks it as read or unread, for a user who has it. */
export const mark: Maker = (game) => {
  const who = game.person();
  const said = game.said(who);
  if (said === undefined) return undefined;
  const flag = game.pick(["starred", "read"]);
  const op = flag === "read" ? game.pick(["add", "remove"]) : "add";
  const isReadable = mayRead(game.world, who, said);
  if (flag === "read" && !(isReadable && said.rows.has(who))) return undefined;
  return {
    who,
    line: "POST /messages/flags",
    params: { messages: [said.id], op, flag },
    isAllowed: isReadable || said.rows.has(who),
    does: () => {
      if (!said.rows.has(who)) said.rows.set(who, lateRow());
      const row = said.rows.get(who)!;
      const channel =
        said.channel === undefined ? undefined : game.world.channels.get(said.channel);
      if (flag === "starred") row.starred = true;
      if (flag === "read" && op === "add") row.read = true;
      if (flag === "read" && op === "remove" && channel?.subscribers.has(who) !== false)
        row.read = false;
    },
  };
};
