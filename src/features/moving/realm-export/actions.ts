// Exports of the organization that administrators request, list, download and delete.
import { rmSync, statSync } from "node:fs";
import Type from "typebox";
import {
  exportByOperator,
  exportDeleted,
  exportFailed,
  exportNotFound,
  exportNotReadable,
  exportPending,
  exportsTooMany,
  exportWithoutConsent,
} from "../../../contract/errors/realm.ts";
import { OWNER } from "../../../contract/roles.ts";
import { exportShape } from "../../../contract/shapes/exports.ts";
import { list, nothing } from "../../../contract/shapes/value-types.ts";
import { DAY_SECONDS } from "../../../contract/units.ts";
import { defaulted, endpoint, int, oneOf, text } from "../../../endpoint.ts";
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { RealmExport } from "../../../schema/records-moving.ts";
import type { User } from "../../../schema/records.ts";
import { recordAct } from "../../audit/record.ts";
import { secret } from "../../files/blob-names.ts";
import { serveBytes } from "../../files/response.ts";
import { spaceUsed } from "../../files/wire.ts";
import { userSetting } from "../../settings/rules.ts";
import { archivePath } from "../../realm/export-paths.ts";
import {
  EXPORTED_FILES_BYTES_MAX,
  EXPORTED_MESSAGES_MAX,
  EXPORTS_LISTED_MAX,
  EXPORTS_MAX,
  EXPORTS_WITHIN_DAYS,
} from "./rules.ts";
import { exportFile, exportObjects, exportsChanged } from "./wire.ts";

export const WRITE_EXPORT = "write export";
const ADMINISTRATORS = { to: "administrators" } as const;
const HIDDEN_FROM_ALL = 4;

type Kind = RealmExport["export_type"];

/** Enqueues a job that writes the export. Returns the export's id. */
function requestExport(tx: Writer, user: User, export_type: Kind): number {
  checkCanExport(tx, export_type);
  const export_id = tx.next("realm_exports");
  const fields = { export_id, export_type, acting_user_id: user.user_id, export_time: tx.now };
  tx.realm_exports.put({ ...fields, state: "requested", key: secret(), ended: null });
  forgetOld(tx);
  const facts = { export_type };
  recordAct(tx, { act: "export_requested", on: "export", on_id: export_id, facts });
  tx.enqueue(WRITE_EXPORT, tx.now * 1000, { export_id });
  tx.emit(exportsChanged(tx), ADMINISTRATORS);
  return export_id;
}

/** Sets the final `state`. The caller must write or delete the file first. */
export function endExport(tx: Writer, export_id: number, state: RealmExport["state"]): void {
  const row = tx.realm_exports.get(export_id);
  if (!row || row.state === state) return;
  const isOver = state !== "requested" && state !== "started";
  tx.realm_exports.put({ ...row, state, ended: isOver ? tx.now : null });
  tx.emit(exportsChanged(tx), ADMINISTRATORS);
}

function checkCanExport(reader: Reader, kind: Kind): void {
  const since = reader.now - EXPORTS_WITHIN_DAYS * DAY_SECONDS;
  const recent = [...reader.realm_exports.range()].filter((row) => row.export_time > since);
  if (recent.length >= EXPORTS_MAX) throw exportsTooMany();
  const isTooLarge =
    reader.messages.count() > EXPORTED_MESSAGES_MAX || spaceUsed(reader) > EXPORTED_FILES_BYTES_MAX;
  // Only the operator can export private data without consent.
  if (isTooLarge || kind === "full_without_consent") throw exportByOperator();
  const owners = [...reader.users.range()].filter((user) => user.role === OWNER && user.is_active);
  if (kind === "full_with_consent") {
    const consents = (user: User) => userSetting(user, "allow_private_data_export");
    if (!owners.some(consents)) throw exportWithoutConsent();
  } else {
    const isSeen = (user: User) =>
      userSetting(user, "email_address_visibility") !== HIDDEN_FROM_ALL;
    if (!owners.some(isSeen)) throw exportNotReadable();
  }
}

function forgetOld(tx: Writer): void {
  const rows = [...tx.realm_exports.range()].sort((a, b) => b.export_id - a.export_id);
  const isOver = ({ state }: RealmExport) => state === "deleted" || state === "failed";
  for (const row of rows.slice(EXPORTS_LISTED_MAX)) {
    if (isOver(row)) tx.realm_exports.delete(row.export_id);
  }
}

function accessToDelete(reader: Reader, export_id: number): RealmExport {
  const row = reader.realm_exports.get(export_id);
  if (!row) throw exportNotFound();
  if (row.state === "deleted") throw exportDeleted();
  if (row.state === "failed") throw exportFailed();
  if (row.state !== "succeeded") throw exportPending();
  return row;
}

/** Deletes the record first, so that the list never names a deleted file. */
export async function discardExport(realm: Realm, export_id: number): Promise<void> {
  const row = await realm.write((tx) => {
    const realmExport = accessToDelete(tx, export_id);
    endExport(tx, export_id, "deleted");
    return realmExport;
  });
  rmSync(archivePath(realm, row), { force: true });
}

const KINDS = oneOf("public", "full_with_consent", "full_without_consent", "1", "2");
const OLD_KINDS: Readonly<Record<"1" | "2", Kind>> = { 1: "public", 2: "full_with_consent" };

export const getExports = endpoint({
  summary: "List exports that administrators requested",
  tag: "Organization",
  params: {},
  answer: Type.Object({ exports: list(exportShape) }),
  run: ({ realm }) => ({ exports: exportObjects(realm.read) }),
});

export const postExport = endpoint({
  summary: "Request an export in Zulip's format",
  tag: "Organization",
  params: { export_type: defaulted(KINDS, "public") },
  answer: Type.Object({ id: Type.Integer() }),
  async run({ realm, user }, { export_type: exportType }) {
    const kind = exportType === "1" || exportType === "2" ? OLD_KINDS[exportType] : exportType;
    return { id: await realm.write((tx) => requestExport(tx, user, kind)) };
  },
});

export const deleteExport = endpoint({
  summary: "Delete an export",
  tag: "Organization",
  params: { export_id: int },
  answer: nothing,
  async run({ realm }, { export_id }) {
    await discardExport(realm, export_id);
    return {};
  },
});

/** Only the administrator who requested an export can download it. */
export const downloadExport = endpoint({
  summary: "Download an export that you requested",
  tag: "Organization",
  params: { key: text, file: text },
  async run({ realm, user, request }, { key, file }) {
    const row = [...realm.read.realm_exports.range()].find(
      (realmExport) => realmExport.key === key,
    );
    const isOwn = row?.acting_user_id === user.user_id && row.state === "succeeded";
    if (!row || !isOwn || file !== exportFile(row.export_id)) throw exportNotFound();
    const path = archivePath(realm, row);
    const bytes = Bun.file(path);
    if (!(await bytes.exists())) throw exportNotFound();
    const archive = {
      size: statSync(path).size,
      path,
      body: async (span?: { from: number; to: number }) =>
        span ? bytes.slice(span.from, span.to) : bytes,
      content: async () => bytes,
    };
    const servedAs = { name: file, content_type: "application/gzip" };
    return serveBytes(request, archive, servedAs, "attachment", "private, no-store");
  },
});
