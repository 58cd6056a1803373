// The pages of the settings: how each is called, what is on it, and who draws it.
import type { ComponentType } from "preact";
import type { IconName } from "../../ui/icon.tsx";
import { say, type Word } from "../../words/words.ts";
import { NotificationsHere, QuietRows } from "../notifications/here-view.tsx";
import { PushPlaces } from "../notifications/places-view.tsx";
import { AccountPage } from "./account/account-view.tsx";
import { SecurityPage } from "./account/security-view.tsx";
import { DevicePage } from "./device-view.tsx";
import { ChannelExceptions, NotificationGrid } from "./grid-view.tsx";
import { NOTIFICATIONS } from "./notifications.ts";
import { PREFERENCES } from "./preferences.ts";
import { PRIVACY } from "./privacy.ts";
import { BotsPage } from "./own/bots-view.tsx";
import { FilesPage } from "./own/files-view.tsx";
import { ListsPage } from "./own/lists-view.tsx";
import { ProfilePage } from "./own/profile-view.tsx";
import { Rows } from "./row-view.tsx";
import { finder } from "./rows.ts";

export interface SettingsPart {
  readonly name: string;
  /** Its names in addresses of other clients of the protocol. */
  readonly also?: readonly string[];
  readonly words: Word;
  /** Describes the content in the first sentence. Searches match it. */
  readonly about: Word;
  readonly icon: IconName;
  /** Whether the user sees the page. If absent, everyone does. */
  readonly sees?: () => boolean;
  /** `at`: what on it the address names. */
  readonly Body: ComponentType<{ at?: string | undefined }>;
}

export const PARTS: readonly SettingsPart[] = [
  {
    name: "profile",
    also: ["your-account"],
    words: "settings-profile",
    about: "settings-profile-about",
    icon: "person",
    Body: ProfilePage,
  },
  {
    name: "preferences",
    also: ["display-settings"],
    words: "settings-preferences",
    about: "settings-intro",
    icon: "sliders",
    Body: () => <Rows sections={PREFERENCES} />,
  },
  {
    name: "notifications",
    words: "settings-notifications",
    about: "settings-notifications-about",
    icon: "bell",
    Body: () => (
      <>
        <NotificationsHere />
        <QuietRows />
        <NotificationGrid />
        <Rows sections={NOTIFICATIONS} />
        <ChannelExceptions />
        <PushPlaces />
      </>
    ),
  },
  {
    name: "privacy",
    words: "settings-privacy",
    about: "settings-privacy-about",
    icon: "eyeoff",
    Body: () => <Rows sections={PRIVACY} />,
  },
  {
    name: "account",
    also: ["account-and-privacy"],
    words: "settings-account",
    about: "settings-account-about",
    icon: "key",
    Body: AccountPage,
  },
  {
    name: "security",
    words: "settings-security",
    about: "settings-security-about",
    icon: "shield",
    Body: SecurityPage,
  },
  {
    name: "lists",
    also: ["alert-words", "muted-users", "topics"],
    words: "settings-lists",
    about: "settings-lists-about",
    icon: "word",
    Body: ListsPage,
  },
  {
    name: "bots",
    also: ["your-bots"],
    words: "settings-bots",
    about: "settings-bots-about",
    icon: "bot",
    Body: BotsPage,
  },
  {
    name: "files",
    also: ["uploaded-files"],
    words: "settings-files",
    about: "settings-files-about",
    icon: "clip",
    Body: FilesPage,
  },
  {
    name: "device",
    words: "settings-device",
    about: "settings-device-intro",
    icon: "device",
    Body: DevicePage,
  },
];

/** The pages whose texts match the search. */
export function partsFor(parts: readonly SettingsPart[], search: string): readonly SettingsPart[] {
  const has = finder(search, say);
  return parts.filter(({ words, about }) => has(`${say(words)} ${say(about)}`));
}
