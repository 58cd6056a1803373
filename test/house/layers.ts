/** The order of feature folders: imports go to a lower one, or stay in the folder. */
import { importsOf, type Source } from "./source.ts";

/** From bottom to top. Folders of one layer do not import each other: shared code moves down. */
const featureLayers: readonly (readonly string[])[] = [
  // Foundations: permissions, the organization's settings, and public profiles of users.
  ["audit", "rights", "secrets", "settings", "security-log", "push/queue"],
  ["realm", "devices", "previews"],
  ["i18n"],
  ["channels", "keys", "linkifiers", "pages", "profile"],
  ["bots", "mail", "sessions", "channels/default-groups"],
  ["people", "passwords"],

  // The features of the chat.
  ["messages", "presence", "two-factor"],
  ["messages/sets", "alert-words", "files", "topics", "webhooks"],
  ["messages/unread", "external-content", "files/upload", "search"],
  ["avatars", "mutes", "notifications", "receipts"],
  ["emoji", "push"],
  ["messages/content"],
  ["messages/read", "messages/send", "drafts", "folders", "snippets"],
  [
    "messages/flags",
    "pins",
    "topic-notes",
    "channels/subscriptions",
    "settings/change",
    "submessages",
  ],
  ["messages/edit", "channels/manage", "reactions", "reminders", "reports", "scheduled", "status"],
  ["messages/delete", "channels/api", "groups", "navigation", "playgrounds", "typing"],
  ["messages/move", "webhooks/calls", "webhooks/incoming"],
  ["messages/patch"],

  // Actions that affect everything.
  ["accounts", "backup/work", "calls", "public-pages"],
  ["backup"],
  ["accounts/administration", "accounts/bots", "doctor", "invitations", "organization", "moving"],
  ["email-delivery", "register", "insight", "moving/archive", "moving/jsonl"],
  ["moving/html"],
  ["moving/person"],
  ["moving/zulip/read"],
  ["moving/source"],
  ["moving/import", "moving/zulip", "moving/zulip/write"],
  [
    "moving/slack",
    "moving/campfire",
    "moving/teams",
    "moving/realm-export",
    "moving/mattermost",
    "moving/discord",
    "moving/rocketchat",
  ],
  ["moving/products"],
  ["moving/uploaded"],
  ["sign-in"],
  ["oidc", "reference", "shell"],
];

/** Exceptions that import upward, each with its reason. This list only gets shorter. */
export const upward: Readonly<Record<string, string>> = {
  "accounts/activation.ts invitations/revoke.ts":
    "deactivating a user revokes their invitations in the same transaction",
  "keys/actions.ts passwords/confirm.ts": "users confirm their password to get a new API key",
  "messages/delete/topic.ts messages/move/unfinished.ts":
    "an unfinished move of a topic is completed before the topic is deleted",
  "pages/form.ts passwords/confirm.ts": "a form asks users who have a password to confirm it",
  "profile/data.ts organization/setting-rules.ts":
    "the default sites of external accounts are among the server's constants",
};
export const UPWARD_MAX = 5;

const levels = new Map(
  featureLayers.flatMap((folders, level) => folders.map((name) => [name, level])),
);

/** Folders inside of features that are in no layer. */
export function withoutLevel(files: readonly Source[]): string[] {
  const folders = new Set(files.flatMap(({ path }) => folderOf(path) ?? []));
  return [...folders].filter((folder) => !levels.has(folder));
}

/** Imports of another folder in the same layer, or in a higher one. */
export function upwardFeatureImports(files: readonly Source[]): string[] {
  return files.flatMap((file) => {
    const own = folderOf(file.path);
    if (own === undefined) return [];
    const violations = importsOf(file).flatMap(({ path }) => {
      const other = folderOf(path);
      if (other === undefined || other === own) return [];
      const isDownward = (levels.get(other) ?? 0) < (levels.get(own) ?? 0);
      return isDownward ? [] : [`${inFeatures(file.path)} ${inFeatures(path)}`];
    });
    return [...new Set(violations)];
  });
}

/** `channels/api` for `src/features/channels/api/list.ts`; undefined outside of features. */
function folderOf(path: string): string | undefined {
  return path.match(/^src\/features\/(.+)\/[^/]+$/)?.[1];
}

function inFeatures(path: string) {
  return path.slice("src/features/".length);
}
