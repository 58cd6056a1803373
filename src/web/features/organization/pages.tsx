// The pages of the organization settings: name, content, visibility and component.
import { BlankRows } from "../../ui/loading/blank.tsx";
import { lazy } from "../../ui/loading/lazy.tsx";
import { isAdministrator, isGuest, isOwner } from "./permissions.ts";
import type { SettingsPageEntry } from "../settings/page.ts";
import type { ORGANIZATION_ROW_PAGES } from "./rows/table.ts";

type WithAnchor = { anchor?: string | undefined };

const rows = async () => (await import("./row-pages.ts")).rowPages;
const Rows = lazy<{ page: keyof typeof ORGANIZATION_ROW_PAGES } & WithAnchor>(
  async () => (await rows()).RowsPage,
  BlankRows,
);
const Methods = lazy(async () => (await rows()).MethodsPage, BlankRows);
const Defaults = lazy(async () => (await rows()).DefaultsPage, BlankRows);
const People = lazy(async () => (await import("./people/view.tsx")).PeoplePage, BlankRows);
const Invitations = lazy(
  async () => (await import("./invitations/view.tsx")).InvitationsPage,
  BlankRows,
);
const content = async () => (await import("./content/pages.ts")).contentPages;
const Emoji = lazy(async () => (await content()).EmojiPage, BlankRows);
const Linkifiers = lazy(async () => (await content()).LinkifiersPage, BlankRows);
const Playgrounds = lazy(async () => (await content()).PlaygroundsPage, BlankRows);
const Fields = lazy(async () => (await content()).FieldsPage, BlankRows);
const DefaultChannels = lazy(async () => (await content()).DefaultChannelsPage, BlankRows);
const Domains = lazy(async () => (await content()).DomainsPage, BlankRows);
const operations = async () => (await import("./operations/pages.ts")).operationsPages;
const Audit = lazy(async () => (await operations()).AuditPage, BlankRows);
const Exports = lazy(async () => (await operations()).ExportsPage, BlankRows);
const Server = lazy(async () => (await operations()).ServerPage, BlankRows);
const Webhooks = lazy(async () => (await operations()).WebhooksPage, BlankRows);
const Deactivate = lazy(async () => (await operations()).DeactivatePage, BlankRows);
const Import = lazy(async () => (await import("./import/view.tsx")).ImportPage, BlankRows);

const members = () => !isGuest();

export const ORGANIZATION_PAGES: readonly SettingsPageEntry[] = [
  {
    name: "profile",
    also: ["organization-profile"],
    textKey: "org-profile",
    about: "org-profile-about",
    icon: "org",
    Body: ({ anchor }) => <Rows page="profile" anchor={anchor} />,
  },
  {
    name: "permissions",
    also: ["organization-permissions"],
    textKey: "org-permissions",
    about: "org-permissions-about",
    icon: "shield",
    Body: ({ anchor }) => <Rows page="permissions" anchor={anchor} />,
  },
  {
    name: "people",
    also: ["users", "user-list-admin", "deactivated-users-admin", "bots", "bot-list-admin"],
    textKey: "org-people",
    about: "org-people-about",
    icon: "people",
    isVisible: members,
    Body: People,
  },
  {
    name: "invitations",
    also: ["invites-list-admin"],
    textKey: "org-invitations",
    about: "org-invitations-about",
    icon: "invite",
    isVisible: members,
    Body: Invitations,
  },
  {
    name: "messages",
    also: ["organization-settings"],
    textKey: "messages",
    about: "org-messages-about",
    icon: "pencil",
    Body: ({ anchor }) => <Rows page="messages" anchor={anchor} />,
  },
  {
    name: "retention",
    textKey: "org-retention",
    about: "org-retention-about",
    icon: "timer",
    Body: ({ anchor }) => <Rows page="retention" anchor={anchor} />,
  },
  {
    name: "moderation",
    textKey: "org-moderation",
    about: "org-moderation-about",
    icon: "alert",
    isVisible: members,
    Body: ({ anchor }) => <Rows page="moderation" anchor={anchor} />,
  },
  {
    name: "joining",
    textKey: "org-joining",
    about: "org-joining-about",
    icon: "logout",
    isVisible: members,
    Body: ({ anchor }) => <Rows page="joining" anchor={anchor} />,
  },
  {
    name: "sign-in",
    also: ["auth-methods"],
    textKey: "org-sign-in",
    about: "org-sign-in-about",
    icon: "key",
    isVisible: members,
    Body: Methods,
  },
  {
    name: "newcomers",
    also: ["organization-level-user-defaults"],
    textKey: "org-default-settings",
    about: "org-default-settings-about",
    icon: "sliders",
    isVisible: members,
    Body: Defaults,
  },
  {
    name: "channels",
    also: ["default-channels-list", "default-streams-list"],
    textKey: "org-defaults",
    about: "org-defaults-about",
    icon: "hash",
    isVisible: members,
    Body: DefaultChannels,
  },
  {
    name: "domains",
    textKey: "org-domains",
    about: "org-domains-about",
    icon: "mail",
    isVisible: members,
    Body: Domains,
  },
  {
    name: "emoji",
    also: ["emoji-settings"],
    textKey: "emoji",
    about: "org-emoji-about",
    icon: "smile",
    Body: Emoji,
  },
  {
    name: "linkifiers",
    also: ["linkifier-settings", "filter-settings"],
    textKey: "org-linkifiers",
    about: "org-linkifiers-about",
    icon: "link",
    Body: Linkifiers,
  },
  {
    name: "playgrounds",
    also: ["playground-settings"],
    textKey: "org-playgrounds",
    about: "org-playgrounds-about",
    icon: "code",
    Body: Playgrounds,
  },
  {
    name: "fields",
    also: ["profile-field-settings"],
    textKey: "org-fields",
    about: "org-fields-about",
    icon: "list",
    isVisible: members,
    Body: Fields,
  },
  {
    name: "webhooks",
    textKey: "org-webhooks",
    about: "org-webhooks-about",
    icon: "bot",
    isVisible: members,
    Body: Webhooks,
  },
  {
    name: "exports",
    also: ["data-exports-admin"],
    textKey: "org-exports",
    about: "org-exports-about",
    icon: "download",
    isVisible: isAdministrator,
    Body: Exports,
  },
  {
    name: "import",
    textKey: "org-import",
    about: "org-import-about",
    icon: "folder",
    isVisible: isOwner,
    Body: Import,
  },
  {
    name: "audit",
    textKey: "org-audit",
    about: "org-audit-about",
    icon: "clock",
    isVisible: isAdministrator,
    Body: Audit,
  },
  {
    name: "server",
    textKey: "org-server",
    about: "org-server-about",
    icon: "device",
    isVisible: isOwner,
    Body: Server,
  },
  {
    name: "deactivate",
    textKey: "org-close",
    about: "org-close-about",
    icon: "offline",
    isVisible: isOwner,
    Body: Deactivate,
  },
];
