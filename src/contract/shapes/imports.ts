// Schemas of an import in the browser.
import Type, { type Static } from "typebox";
import { choice, dict, list, nullable, seconds } from "./value-types.ts";

const importReportShape = Type.Object({
  outcome: choice("planned", "imported", "exported", "undone", "refused", "broken"),
  /** Exit code of the command that does the same. */
  exit: Type.Integer(),
  product: Type.String(),
  /** Name of the archive. */
  path: Type.String(),
  import_id: Type.Optional(Type.Integer()),
  /** Number of records in the archive, by table. */
  found: dict(Type.Integer()),
  /** Number of rows that were written or deleted, by table. */
  written: dict(Type.Integer()),
  /** Times of the oldest and newest message. */
  oldest: nullable(Type.Number()),
  newest: nullable(Type.Number()),
  losses: list(
    Type.Object({
      kind: Type.String(),
      count: Type.Integer(),
      examples: list(Type.String()),
    }),
  ),
  faults: list(Type.String()),
  more_faults: Type.Integer(),
  /** The archive creates an organization: only these commands on the server can import it. */
  instead: Type.Optional(
    Type.Object({
      product: choice("zulip", "skein-jsonl"),
      commands: list(Type.String()),
    }),
  ),
});

export const importUserShape = Type.Object({
  /** Id in the archive. */
  source: Type.String(),
  full_name: Type.String(),
  /** null: the account becomes a placeholder. */
  email: nullable(Type.String()),
  role: Type.Integer(),
  is_bot: Type.Boolean(),
  is_active: Type.Boolean(),
});

/** The choices of owners for a user of the archive. */
export const mappedUserShape = Type.Object({
  /** Id in the archive. */
  source: Type.String(),
  /** "": the address in the archive. */
  email: Type.String(),
  /** "": the role of the plan. */
  role: choice("", "owner", "administrator", "moderator", "member", "guest"),
});

export const importStateShape = Type.Object({
  /** null: no archive is on the server. */
  upload: nullable(
    Type.Object({
      /** Differs for each uploaded archive. */
      archive: Type.String(),
      name: Type.String(),
      size: Type.Integer(),
      received: Type.Integer(),
      /** When the server deletes it. */
      expires: seconds,
    }),
  ),
  /** null: the server does nothing with the archive. */
  task: nullable(
    Type.Object({
      kind: choice("plan", "run", "undo"),
      /** The server was stopped meanwhile: the same request resumes the task. */
      is_interrupted: Type.Boolean(),
      /** Rows. null until they are known. */
      written: nullable(Type.Integer()),
      found: nullable(Type.Integer()),
      /** null if it is too early to tell. */
      seconds_left: nullable(Type.Integer()),
    }),
  ),
  plan: nullable(importReportShape),
  /** The choices of the plan. They also apply to the import. */
  choices: nullable(
    Type.Object({
      roles: choice("keep", "members"),
      channels: choice("public", "private"),
      /** URL of the old server. Missing: the archive's. */
      old_url: Type.Optional(Type.String()),
    }),
  ),
  /** The report of the newest task that failed, imported or undid something. */
  report: nullable(importReportShape),
  imports: list(
    Type.Object({
      import_id: Type.Integer(),
      product: Type.String(),
      state: choice("running", "done", "undone"),
      started: seconds,
      finished: nullable(seconds),
      counts: dict(Type.Integer()),
    }),
  ),
});

export type ImportReport = Static<typeof importReportShape>;
export type ImportUser = Static<typeof importUserShape>;
export type MappedUser = Static<typeof mappedUserShape>;
export type ImportState = Static<typeof importStateShape>;
