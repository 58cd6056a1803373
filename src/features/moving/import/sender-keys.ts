// Finds the account of a sender: apps and webhooks choose names for each message.
import type { Reader } from "../../../realm.ts";
import { plainName } from "../plain-name.ts";
import { senderKeyOf, type SourceMessage, USER_KEY_LENGTH_MAX } from "../source/records-rules.ts";
import type { Workspace } from "../source/workspace.ts";
import { nameOf, PEOPLE_STEP } from "./users.ts";

/** Gives the same keys to the survey and the import of an archive. */
export class SenderKeys {
  /** The name of the account that has the key of the bot itself. */
  private readonly ownNames = new Map<string, string>();
  private readonly listedNames: ReadonlyMap<string, string>;

  constructor(
    private readonly reader: Reader,
    /** An earlier import of the workspace, or 0. */
    private readonly import_id: number,
    { users }: Workspace,
  ) {
    this.listedNames = new Map(users.map((user) => [user.id, nameOf(user)]));
  }

  /** The first name of a bot gets its own key, as in earlier versions. */
  keyOf(message: SourceMessage): string {
    const key = senderKeyOf(message);
    const name = typeof message.username === "string" ? plainName(message.username) : "";
    if (message.user || !message.bot_id || name === "") return key;
    if (this.ownNameOf(key, name) === name) return key;
    return `bot:${key} ${name}`.slice(0, USER_KEY_LENGTH_MAX).toWellFormed();
  }

  private ownNameOf(key: string, firstName: string): string {
    const known = this.ownNames.get(key);
    if (known !== undefined) return known;
    const name = this.importedName(key) ?? this.listedNames.get(key) ?? firstName;
    this.ownNames.set(key, name);
    return name;
  }

  private importedName(key: string): string | undefined {
    const mark = this.reader.imported.get(this.import_id, PEOPLE_STEP, key);
    return mark && this.reader.users.get(Number(mark.row_key[0]))?.full_name;
  }
}
