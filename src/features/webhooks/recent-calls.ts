// The latest calls of each bot with their results, for users who manage it.
import Type from "typebox";
import { choice, list, nullable, seconds } from "../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { BotCall } from "../../schema/records-people.ts";
import { accessBot } from "../bots/access.ts";
import { CALL_WHY_LENGTH_MAX, CALLS_KEPT_MAX } from "./rules.ts";

/** Contains no URLs, keys or payloads, which not everyone who manages the bot may see. */
export function recordCall(tx: Writer, user_id: number, call: Omit<BotCall, "timestamp">): void {
  const { calls: before = [] } = tx.bot_calls.get(user_id) ?? {};
  const reason = call.why === null ? null : call.why.slice(0, CALL_WHY_LENGTH_MAX).toWellFormed();
  const calls = [...before, { ...call, why: reason, timestamp: tx.now }].slice(-CALLS_KEPT_MAX);
  tx.bot_calls.put({ user_id, calls });
}

export const getBotCalls = endpoint({
  summary: "List the last calls of a bot",
  tag: "Bots",
  params: { bot_id: int },
  answer: Type.Object({
    calls: list(
      Type.Object({
        timestamp: seconds,
        way: choice("in", "out"),
        message_id: nullable(Type.Integer()),
        status: nullable(Type.Integer()),
        outcome: choice("said", "quiet", "put off", "failed"),
        why: nullable(Type.String()),
        duration_ms: nullable(Type.Integer()),
      }),
    ),
  }),
  run({ realm: { read }, user }, { bot_id }) {
    const { user_id } = accessBot(read, user, bot_id);
    return { calls: (read.bot_calls.get(user_id)?.calls ?? []).toReversed() };
  },
});
