// `skein export`: an organization as JSON lines, for Zulip, or as HTML pages.
import { resolve } from "node:path";
import { executeCommand } from "../control.ts";
import { command, UsageError } from "../flags.ts";
import { data } from "../organization/org.ts";
import { printReport } from "./printed-report.ts";

const FAILED = "4 rejected or failed, for example because the disk is full; nothing is kept";

const exportAsJsonl = command({
  description: "exports the whole organization as JSON lines, even while it is in use",
  examples: ["skein export jsonl --to /mnt/export"],
  flags: {
    data,
    to: {
      value: "DIR",
      required: true,
      description: "the folder to write; it must be new or empty",
    },
    json: { description: "print the report as JSON" },
  },
  notes: `The export contains direct messages, password hashes and API keys that grant access to
accounts: protect it like the data directory. docs/moving/jsonl.md describes every file and
field. Exit codes: 0 complete, 3 some files were missing,
${FAILED}.`,
  async run({ data: directory, to, json }) {
    const report = await executeCommand(directory, "exportJsonl", { to: resolve(to) });
    return printReport(report, json);
  },
});

const KINDS = new Map([
  ["all", "full_without_consent"],
  ["consent", "full_with_consent"],
  ["public", "public"],
] as const);

const exportAsZulip = command({
  description: "exports the organization in the layout that Zulip's importer reads",
  examples: ["skein export zulip --to /mnt/export --like /mnt/empty-zulip"],
  flags: {
    data,
    to: {
      value: "DIR",
      required: true,
      description: "the folder to write, which must be new or empty",
    },
    like: {
      value: "DIR",
      description: "the unpacked export of an empty organization of the destination server",
    },
    kind: {
      value: "all|consent|public",
      default: "all",
      description: "everything, private data of users who consent, or public channels alone",
    },
    json: { description: "print the report as JSON" },
  },
  notes: `Zulip's importer accepts only archives with the database migrations of its own version:
make an export of an empty organization there, and name its folder with --like. The page
docs/moving/to-zulip.md lists what the format cannot contain.
Exit codes: 0 complete, 3 with losses, ${FAILED}.`,
  async run({ data: directory, to, like, kind, json }) {
    const scope = KINDS.get(kind as "all");
    if (!scope) throw new UsageError("--kind is all, consent or public");
    const report = await executeCommand(directory, "exportZulip", {
      to: resolve(to),
      kind: scope,
      like: like === undefined ? undefined : resolve(like),
    });
    return printReport(report, json);
  },
});

const exportAsHtml = command({
  description: "exports messages as HTML pages that work without a server",
  examples: [
    "skein export html --to /mnt/archive --public",
    "skein export html --to /mnt/archive --viewer bo@example.com",
  ],
  flags: {
    data,
    to: {
      value: "DIR",
      required: true,
      description: "the folder to write, which must be new or empty",
    },
    viewer: { value: "EMAIL", description: "export everything that this user can read" },
    public: { description: "export only channels that can be read without an account" },
    json: { description: "print the report as JSON" },
  },
  notes: `Open index.html in a browser: the pages need no server and no network.
Uploaded files that the messages link to are included.
Exit codes: 0 complete, 1 no such account, 3 some files were missing,
${FAILED}.`,
  async run({ data: directory, to, viewer, json, ...flags }) {
    if ((viewer === undefined) !== flags.public) {
      throw new UsageError("pass either --viewer EMAIL or --public");
    }
    const user =
      viewer === undefined
        ? undefined
        : await executeCommand(directory, "findUser", { email: viewer });
    const input = { to: resolve(to), user_id: user?.user_id };
    return printReport(await executeCommand(directory, "exportHtml", input), json);
  },
});

const exportAsPerson = command({
  description: "exports the data of one account: profile, settings, own messages and files",
  examples: ["skein export person --email bo@example.com --to /mnt/bo"],
  flags: {
    data,
    to: {
      value: "DIR",
      required: true,
      description: "the folder to write, which must be new or empty",
    },
    email: { value: "EMAIL", required: true, description: "email address of the account" },
    json: { description: "print the report as JSON" },
  },
  notes: `Messages of other users, passwords and keys are not included. Users can export their own
data in the client, too. Exit codes: 0 complete, 1 no such account, 3 some files were missing,
${FAILED}.`,
  async run({ data: directory, to, email, json }) {
    const { user_id } = await executeCommand(directory, "findUser", { email });
    const report = await executeCommand(directory, "exportPerson", { to: resolve(to), user_id });
    return printReport(report, json);
  },
});

export const exportCommands = {
  "export html": exportAsHtml,
  "export jsonl": exportAsJsonl,
  "export person": exportAsPerson,
  "export zulip": exportAsZulip,
};
