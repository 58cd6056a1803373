// Names of user groups, which a Slack export mentions by their ids.
import { isFields } from "../../../text/untrusted-json.ts";
import { bytesOf } from "../archive/archive.ts";
import type { Archive } from "../archive/entries.ts";
import { MovingRefused } from "../errors.ts";
import { shapeValue } from "../json-fields.ts";
import { parsed } from "../json-lines.ts";
import type { SlackElement, SourceMessage } from "../source/records-rules.ts";

/**
 * Not in exports of Slack: operators add it, with the response of the API method usergroups.list.
 */
export const GROUPS_FILE = "usergroups.json";
const TAG = /<!subteam\^([A-Z0-9]{1,30})(?:\|([^<>|\n]{1,100}))?>/g;
const UNNAMED = "A mention of a user group has no name, since the export does not have it.";

interface ListedGroup {
  id?: string;
  handle?: string;
  name?: string;
}

export async function groupNamesIn(archive: Archive, root: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (!archive.sizes.has(root + GROUPS_FILE)) return names;
  const value = parsed(await bytesOf(archive, root + GROUPS_FILE), GROUPS_FILE);
  const list = isFields(value) ? (value as { usergroups?: unknown }).usergroups : value;
  // The validated shape has the fields of the type.
  const groups = shapeValue(list, [{ id: "text", handle: "text", name: "text" }]) as
    ListedGroup[] | undefined;
  if (!groups) throw new MovingRefused("has no list of user groups", GROUPS_FILE);
  for (const { id, handle, name } of groups) {
    const label = handle || name;
    if (id && label) names.set(id, label);
  }
  return names;
}

/** Collects the names of groups from mentions, for later mentions without a name. */
export class UserGroups {
  private readonly names: Map<string, string>;

  constructor(listed: ReadonlyMap<string, string>) {
    this.names = new Map(listed);
  }

  /** Adds names to mentions of groups in the message. Returns the losses. */
  complete(message: SourceMessage): string[] {
    const texts = [message, ...(message.attachments ?? [])];
    for (const { text = "" } of texts) this.addGroups(text);
    let hasUnnamed = false;
    const nameOf = (id: string): string | undefined => {
      const name = this.names.get(id);
      hasUnnamed ||= name === undefined;
      return name;
    };
    for (const part of texts) {
      const hasBlocks = part.blocks !== undefined && part.blocks.length > 0;
      for (const block of part.blocks ?? []) completeElement(block, nameOf);
      if (part.text?.includes("<!subteam^") && !hasBlocks) {
        part.text = part.text.replaceAll(TAG, (tag, id: string) => {
          const name = nameOf(id);
          return name === undefined ? tag : `<!subteam^${id}|@${name}>`;
        });
      }
    }
    return hasUnnamed ? [UNNAMED] : [];
  }

  private addGroups(text: string): void {
    for (const [, id = "", label = ""] of text.matchAll(TAG)) {
      const name = label.replace(/^@/, "");
      if (name !== "") this.names.set(id, name);
    }
  }
}

function completeElement(element: SlackElement, nameOf: (id: string) => string | undefined): void {
  if (element.type === "usergroup") {
    const name = nameOf(element.usergroup_id ?? "");
    if (name !== undefined) element.name = name;
  }
  for (const inner of element.elements ?? []) completeElement(inner, nameOf);
}
