// Exports that users request of their own data, in a browser: request, state, download, deletion.
import { rmSync, statSync } from "node:fs";
import Type from "typebox";
import {
  personExportNotReady,
  personExportPending,
  personExportTooSoon,
} from "../../../contract/errors/realm.ts";
import { choice, nothing, nullable, seconds } from "../../../contract/shapes/value-types.ts";
import { endpoint } from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { PersonExport } from "../../../schema/records-moving.ts";
import type { User } from "../../../schema/records.ts";
import { recordAct } from "../../audit/record.ts";
import { secret } from "../../files/blob-names.ts";
import { serveBytes } from "../../files/response.ts";
import { personArchivePath } from "../../realm/export-paths.ts";
import { confirmationParams, confirmIdentity } from "../../two-factor/confirm.ts";
import { PERSON_EXPORT_INTERVAL_SECONDS, PERSON_EXPORT_KEPT_SECONDS } from "./rules.ts";

export const WRITE_PERSON_EXPORT = "write person export";

/** Enqueues a job that writes the export. Returns the export that it replaces. */
function requestPersonExport(tx: Writer, { user_id }: User): PersonExport | undefined {
  const before = tx.person_exports.get(user_id);
  checkCanRequest(tx, before);
  tx.person_exports.put({
    ...{ user_id, state: "requested", requested: tx.now, key: secret(), ended: null },
  });
  recordAct(tx, { act: "own_data_exported", on: "user", on_id: user_id });
  tx.enqueue(WRITE_PERSON_EXPORT, tx.now * 1000, { user_id });
  return before;
}

function checkCanRequest(reader: Reader, before: PersonExport | undefined): void {
  if (!before || before.state === "failed") return;
  if (before.state !== "ready") throw personExportPending();
  const next = before.requested + PERSON_EXPORT_INTERVAL_SECONDS;
  if (reader.now < next) throw personExportTooSoon();
}

const shape = Type.Object({
  export: nullable(
    Type.Object({
      state: choice("pending", "ready", "failed"),
      requested: seconds,
      /** Bytes; null unless it is ready. */
      size: nullable(Type.Integer()),
      /** When the server deletes it; null unless it is ready. */
      expires: nullable(seconds),
    }),
  ),
});

export const getPersonExport = endpoint({
  summary: "Show the newest export of your own data",
  tag: "People",
  params: {},
  answer: shape,
  run: ({ realm, user }) => {
    const row = realm.read.person_exports.get(user.user_id);
    if (!row) return { export: null };
    const { requested, ended, state } = row;
    const isPending = state === "requested" || state === "started";
    const size = state === "ready" ? sizeOf(personArchivePath(realm, row)) : undefined;
    if (size === undefined || ended === null) {
      const shownState = isPending ? ("pending" as const) : ("failed" as const);
      return { export: { state: shownState, requested, size: null, expires: null } };
    }
    const expires = ended + PERSON_EXPORT_KEPT_SECONDS;
    return { export: { state: "ready" as const, requested, size, expires } };
  },
});

export const postPersonExport = endpoint({
  summary: "Request an export of your own data",
  tag: "People",
  params: confirmationParams,
  answer: nothing,
  run: async (context, confirmation) => {
    const { realm, user } = context;
    checkCanRequest(realm.read, realm.read.person_exports.get(user.user_id));
    const actor = await confirmIdentity(context, confirmation);
    const before = await realm.write((tx) => requestPersonExport(tx, actor(tx)));
    if (before) rmSync(personArchivePath(realm, before), { force: true });
    return {};
  },
});

/**
 * Always sends the signed-in user's export, so there is no URL with which others could download it.
 */
export const downloadPersonExport = endpoint({
  summary: "Download the export of your own data",
  tag: "People",
  params: {},
  async run({ realm, user, request }) {
    const row = realm.read.person_exports.get(user.user_id);
    const path = row?.state === "ready" ? personArchivePath(realm, row) : undefined;
    const size = path === undefined ? undefined : sizeOf(path);
    if (path === undefined || size === undefined) throw personExportNotReady();
    const bytes = Bun.file(path);
    const archive = {
      ...{ size, path },
      body: async (span?: { from: number; to: number }) =>
        span ? bytes.slice(span.from, span.to) : bytes,
      content: async () => bytes,
    };
    const servedAs = { name: "skein-my-data.zip", content_type: "application/zip" };
    return serveBytes(request, archive, servedAs, "attachment", "private, no-store");
  },
});

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
