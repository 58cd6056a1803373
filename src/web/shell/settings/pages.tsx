// The pages of the settings: title, content and component.
import { t } from "../../words/words.ts";
import {
  DeviceNotifications,
  DoNotDisturbRows,
} from "../../features/notifications/this-device-view.tsx";
import { PushSubscriptions } from "../../features/notifications/subscriptions-view.tsx";
import { AccountPage } from "../../features/settings/account/account-view.tsx";
import { SecurityPage } from "../../features/settings/account/security-view.tsx";
import { DevicePage } from "../../features/settings/device-view.tsx";
import { ChannelExceptions, NotificationGrid } from "../../features/settings/grid-view.tsx";
import { NOTIFICATIONS } from "../../features/settings/notifications.ts";
import { PREFERENCES } from "../../features/settings/preferences.ts";
import { PRIVACY } from "../../features/settings/privacy.ts";
import { BotsPage } from "../../features/settings/own/bots-view.tsx";
import { FilesPage } from "../../features/settings/own/files-view.tsx";
import { ListsPage } from "../../features/settings/own/lists-view.tsx";
import { ProfilePage } from "../../features/settings/own/profile-view.tsx";
import { Rows } from "../../features/settings/row-view.tsx";
import type { SettingsPageEntry } from "../../features/settings/page.ts";
import { finder } from "../../features/settings/rows.ts";

export const SETTINGS_PAGES: readonly SettingsPageEntry[] = [
  {
    name: "profile",
    also: ["your-account"],
    textKey: "settings-profile",
    about: "settings-profile-about",
    icon: "person",
    Body: ProfilePage,
  },
  {
    name: "preferences",
    also: ["display-settings"],
    textKey: "settings-preferences",
    about: "settings-intro",
    icon: "sliders",
    Body: () => <Rows sections={PREFERENCES} />,
  },
  {
    name: "notifications",
    textKey: "settings-notifications",
    about: "settings-notifications-about",
    icon: "bell",
    Body: () => (
      <>
        <DeviceNotifications />
        <DoNotDisturbRows />
        <NotificationGrid />
        <Rows sections={NOTIFICATIONS} />
        <ChannelExceptions />
        <PushSubscriptions />
      </>
    ),
  },
  {
    name: "privacy",
    textKey: "settings-privacy",
    about: "settings-privacy-about",
    icon: "eyeoff",
    Body: () => <Rows sections={PRIVACY} />,
  },
  {
    name: "account",
    also: ["account-and-privacy"],
    textKey: "settings-account",
    about: "settings-account-about",
    icon: "key",
    Body: AccountPage,
  },
  {
    name: "security",
    textKey: "settings-security",
    about: "settings-security-about",
    icon: "shield",
    Body: SecurityPage,
  },
  {
    name: "lists",
    also: ["alert-words", "muted-users", "topics"],
    textKey: "settings-lists",
    about: "settings-lists-about",
    icon: "word",
    Body: ListsPage,
  },
  {
    name: "bots",
    also: ["your-bots"],
    textKey: "settings-bots",
    about: "settings-bots-about",
    icon: "bot",
    Body: BotsPage,
  },
  {
    name: "files",
    also: ["uploaded-files"],
    textKey: "settings-files",
    about: "settings-files-about",
    icon: "clip",
    Body: FilesPage,
  },
  {
    name: "device",
    textKey: "settings-device",
    about: "settings-device-intro",
    icon: "device",
    Body: DevicePage,
  },
];

/** The pages whose texts match the search. */
export function pagesMatching(
  entries: readonly SettingsPageEntry[],
  search: string,
): readonly SettingsPageEntry[] {
  const matches = finder(search, t);
  return entries.filter(({ textKey, about }) => matches(`${t(textKey)} ${t(about)}`));
}
