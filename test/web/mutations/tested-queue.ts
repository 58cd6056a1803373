// The mutation queue as the model of a browser runs it.
import { MutationQueue } from "../../../src/web/sync/mutations/queue.ts";
import type { LocalEvent } from "../../../src/web/contract/snapshot.ts";
import type { Json } from "../../test-server.ts";
import type { MakeQueue } from "./browser.ts";
import { editOf } from "./server.ts";

const TARGET = { type: "channel", stream_id: 1, topic: "logo" } as const;

export const makeQueue: MakeQueue = (context) => {
  const queue = new MutationQueue({
    ...context,
    runtime: context.world,
    outbox: context.outbox as never,
    doings: context.doings as never,
    applyLocal: context.apply,
    queueId: () => "q",
    remainsIn: (ids) => [...ids],
    onRequestFailed: () => {},
  });
  return {
    async load() {
      await queue.load();
      queue.flushNow();
    },
    send: (text) => queue.send(TARGET, text).message.local_id,
    /** Works like `editing/save.ts`. */
    async edit(id, text, before) {
      const earlier = queue.changeOf(id, true);
      const optimistic = [editOf(id, text)] as unknown as LocalEvent[];
      const inverse = earlier?.inverse ?? [
        { ...editOf(id, text), rendered_content: before } as unknown as LocalEvent,
      ];
      const path = `/messages/${id}`;
      const request = {
        method: "PATCH",
        path,
        params: { content: text },
        priority: "send",
      } as const;
      const change = { message_id: id, content: text };
      const stored = queue.change(request, optimistic, inverse, { change });
      if (earlier) await queue.superseded(earlier.key);
      await stored;
    },
    change: (request, optimistic, inverse, options) =>
      queue.change(request as never, optimistic as never, inverse as never, options as never),
    discard: (key) => queue.discard(key),
    retry: (key) => queue.retry(key),
    onEvents(events) {
      queue.receiveEvents(events as never);
      void queue.onCaughtUp();
    },
    onRolledBack: (key) => queue.rolledBack(key),
    onRestart: () => queue.onRestart(),
    onCaughtUp: () => void queue.onCaughtUp(),
    flushNow: () => queue.flushNow(),
    leave: () => queue.leave(),
    starredMessages: () => starredIn(queue),
    messages: () =>
      queue
        .messages()
        .map(({ local_id, text, state }): Json => ({ key: local_id, text, state })) as never,
  };
};

function starredIn(queue: MutationQueue): ReadonlyMap<number, boolean> {
  const flags = queue.changes().filter(({ path }) => path === "/messages/flags");
  return new Map(
    flags.map(({ params }): [number, boolean] => [
      (params["messages"] as number[])[0]!,
      params["op"] === "add",
    ]),
  );
}
