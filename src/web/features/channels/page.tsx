// Channel pages by URL: the list, a new channel, folders, and single channels.
import { channelPageOf } from "./route-rules.ts";
import { ChannelBrowser } from "./browser.tsx";
import { ChannelEditor } from "./editing/edit.tsx";
import { Folders } from "./editing/folders.tsx";
import { NewChannel } from "./editing/new.tsx";

export function ChannelsPage({ path }: { path: readonly string[] }) {
  const page = channelPageOf(path);
  switch (page.kind) {
    case "list":
      return <ChannelBrowser filter={page.filter} />;
    case "new":
      return <NewChannel />;
    case "folders":
      return <Folders />;
    default:
      return <ChannelEditor key={page.stream_id} {...page} />;
  }
}
