// The pages of the organization's shared content, loaded together.
import { DefaultChannelsPage } from "./defaults-view.tsx";
import { DomainsPage } from "./domains-view.tsx";
import { EmojiPage } from "./emoji-view.tsx";
import { FieldsPage } from "./fields-view.tsx";
import { LinkifiersPage } from "./linkifiers-view.tsx";
import { PlaygroundsPage } from "./playgrounds-view.tsx";

export const contentPages = {
  DefaultChannelsPage,
  DomainsPage,
  EmojiPage,
  FieldsPage,
  LinkifiersPage,
  PlaygroundsPage,
};
