// Presence of users who share it, by the last report of their clients.
import { expect, test } from "bun:test";
import { hydrate } from "../../src/web/store/state.ts";
import { presenceOf } from "../../src/web/features/presence/selectors.ts";
import { snapshotOf } from "./snapshot-of.ts";

const NOW = 1_000_000;
const person = (user_id: number, is_bot = false) => ({ user_id, full_name: `P${user_id}`, is_bot });
const read = (active_timestamp: number, idle_timestamp: number) => {
  return { active_timestamp, idle_timestamp };
};

test("shows no presence of deactivated users and bots", () => {
  const state = hydrate(
    snapshotOf({
      user_id: 1,
      max_message_id: 1,
      user_settings: { presence_enabled: true },
      realm_users: [person(1), person(2), person(3), person(4), person(5, true)],
      realm_non_active_users: [person(6)],
      presences: {
        2: read(NOW - 10, NOW - 10),
        3: read(NOW - 9_000, NOW - 10),
        4: read(NOW - 9_000, NOW - 9_000),
        5: read(NOW - 10, NOW - 10),
        6: read(NOW - 10, NOW - 10),
      },
    }),
  );
  expect([1, 2, 3, 4, 5, 6, 7].map((id) => presenceOf(state, id, NOW))).toEqual([
    ...(["active", "active", "idle", "away"] as const),
    ...[undefined, undefined, undefined],
  ]);
});
