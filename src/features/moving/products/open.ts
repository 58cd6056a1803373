// Finds the product that an archive is from, and opens the archive with its reader.
import type { Archive } from "../archive/entries.ts";
import { isSlackExport, SlackExport } from "../slack/export.ts";
import type { OpeningChoices, Workspace } from "../source/workspace.ts";

/** In the order in which they are tried. Loaded by the first import, not at each start. */
const PRODUCTS: readonly (() => Promise<Product>)[] = [
  async () => (await import("../mattermost/export.ts")).MattermostExport,
  async () => SLACK,
  async () => (await import("../rocketchat/export.ts")).RocketExport,
  async () => (await import("../teams/export.ts")).TeamsExport,
  async () => (await import("../campfire/export.ts")).CampfireExport,
  async () => (await import("../discord/export.ts")).DiscordExport,
];

interface Product {
  /** undefined: the archive is not from this product. */
  open(archive: Archive, choices: OpeningChoices): Promise<Workspace | undefined>;
}

const SLACK: Product = {
  async open(archive) {
    return (await isSlackExport(archive)) ? SlackExport.open(archive) : undefined;
  },
};

/** Archives of an unknown product are rejected by the reader of Slack. */
export async function openWorkspace(archive: Archive, choices: OpeningChoices): Promise<Workspace> {
  for (const product of PRODUCTS) {
    const workspace = await (await product()).open(archive, choices);
    if (workspace) return workspace;
  }
  return SlackExport.open(archive);
}
