// Each offered setting is read by the client, or by the server alone.
import { expect, test } from "bun:test";
import { SETTING_NAMES } from "../../src/features/settings/rules.ts";
import { LEFT_OUT } from "../../src/web/features/settings/table.ts";
import { importsOf, type Source, source, sources } from "../house/source.ts";

/** Names that no client script reads but the server uses, with the reason. */
const SET_BY_SERVER: Readonly<Record<string, string>> = {
  allow_private_data_export: "it makes the exports",
  automatically_follow_topics_policy: "it changes topics as messages come, and tells of it",
  automatically_follow_topics_where_mentioned: "as above",
  automatically_unmute_topics_in_muted_streams_policy: "as above",
  email_notifications_batching_period_seconds: "it sends the mail",
  enable_login_emails: "it sends the mail",
  enable_online_push_notifications: "it sends to phones, and knows who is there",
  message_content_in_email_notifications: "it sends the mail",
  realm_name_in_email_notifications_policy: "it sends the mail",
  receives_typing_notifications: "it tells who writes, or does not",
  resolved_topic_notice_auto_read_policy: "it marks the notices that it sends",
  send_read_receipts: "it tells who has read what, or does not",
};

const names = SETTING_NAMES.filter((name) => !(name in LEFT_OUT));
const isOwn = ({ path }: Source) => /features\/settings\/|web\/features\/organization\//.test(path);
const client = sources("src/web/**/*.{ts,tsx}").filter((source) => !isOwn(source));
/** Files of rules that both the client and the server use. */
const shared = [...new Set(client.flatMap(importsOf).map(({ path }) => path))]
  .filter((path) => /^src\/features\/.*rules\.ts$/.test(path))
  .map(source)
  .filter((source) => !isOwn(source));
const server = sources("src/features/**/*.ts").filter((source) => !isOwn(source));
const lists = /settings-of-others\.ts$/;
const readsSetting = (all: readonly Source[], name: string) =>
  all.some(({ path, text }) => !lists.test(path) && new RegExp(`\\b${name}\\b`).test(text));

test("every setting on the pages is used by the client, or by the server", () => {
  const unread = names.filter((name) => !readsSetting([...client, ...shared], name));
  expect(unread.sort()).toEqual(Object.keys(SET_BY_SERVER).sort() as typeof unread);
});

test("settings left to the server are read there", () => {
  const unread = Object.keys(SET_BY_SERVER).filter((name) => !readsSetting(server, name));
  expect(unread).toEqual([]);
});
