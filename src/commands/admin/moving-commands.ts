// Commands of the operator for imports and exports.
import type { ImportInput } from "../../features/moving/products/import-jobs.ts";
import { type Progress, progressNow } from "../../features/moving/import-progress.ts";
import type { MovingReport } from "../../features/moving/report.ts";
import { listRuns } from "../../features/moving/import-runs.ts";
import { FETCH_FILE, type FileToFetch } from "../../features/moving/import/linked-files.ts";
import type { ExportKind } from "../../features/moving/zulip/write/scope.ts";
import type { Realm } from "../../realm.ts";
import type { ImportRun } from "../../schema/records-moving.ts";

type ImportState = ImportRun & { files_to_fetch: number; progress?: Progress };

/** Loaded with the first import, to keep the start fast. */
const imports = () => import("../../features/moving/products/import-jobs.ts");

export const movingCommands = {
  async exportJsonl(realm: Realm, { to }: { to: string }): Promise<MovingReport> {
    const { exportJsonl } = await import("../../features/moving/jsonl/export.ts");
    return exportJsonl(realm, to);
  },

  async exportZulip(
    realm: Realm,
    { to, kind, like: reference }: { to: string; kind: ExportKind; like: string | undefined },
  ): Promise<MovingReport> {
    const { exportZulip } = await import("../../features/moving/zulip/write/export.ts");
    const { Template } = await import("../../features/moving/zulip/write/template.ts");
    const template = reference === undefined ? undefined : await Template.read(reference);
    return exportZulip(realm, to, { kind, template });
  },

  /** `user_id`: undefined for public messages only. */
  async exportHtml(
    realm: Realm,
    { to, user_id }: { to: string; user_id: number | undefined },
  ): Promise<MovingReport> {
    const { exportHtml } = await import("../../features/moving/html/export.ts");
    return exportHtml(realm, to, user_id);
  },

  async exportPerson(
    realm: Realm,
    { to, user_id }: { to: string; user_id: number },
  ): Promise<MovingReport> {
    const { exportPerson } = await import("../../features/moving/person/export.ts");
    return exportPerson(realm, to, user_id);
  },

  async planImport(realm: Realm, input: ImportInput): Promise<MovingReport> {
    return (await imports()).planImport(realm, input);
  },

  async runImport(realm: Realm, input: ImportInput, is_serving: boolean): Promise<MovingReport> {
    return (await imports()).runImport(realm, input, is_serving);
  },

  /** Includes the number of files that are yet to be fetched. */
  async importStatus({ read }: Realm, _nothing: object): Promise<ImportState[]> {
    const dueFetches = [...read.due.range()].filter(({ kind }) => kind === FETCH_FILE);
    return listRuns(read).map((run) => {
      const own = dueFetches.filter(({ payload }) => {
        return (payload as FileToFetch).import_id === run.import_id;
      });
      const progress = run.state === "running" ? progressNow() : undefined;
      return { ...run, files_to_fetch: own.length, ...(progress && { progress }) };
    });
  },

  async undoImport(
    realm: Realm,
    { id }: { id: number },
    is_serving: boolean,
  ): Promise<MovingReport> {
    return (await imports()).undoImport(realm, id, is_serving);
  },
};
