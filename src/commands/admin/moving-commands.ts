// Commands of the operator for imports and exports.
import { notSetUp } from "../../contract/errors/realm.ts";
import { exportJsonl } from "../../features/moving/jsonl/export.ts";
import { FORMAT, isJsonlExport } from "../../features/moving/jsonl/format.ts";
import { importJsonl, planJsonl } from "../../features/moving/jsonl/import-later.ts";
import { undoJsonl } from "../../features/moving/jsonl/undo.ts";
import { MovingRefused } from "../../features/moving/refused.ts";
import type { MovingReport } from "../../features/moving/report.ts";
import { listRuns } from "../../features/moving/runs.ts";
import { FETCH_FILE, type FileToFetch } from "../../features/moving/slack/fetching.ts";
import { importSlack, planSlack } from "../../features/moving/slack/import-later.ts";
import { undoRows } from "../../features/moving/undo-later.ts";
import type { Realm } from "../../realm.ts";
import type { ImportRun } from "../../schema/records-moving.ts";

export type ImportState = ImportRun & { files_to_fetch: number };

export const movingCommands = {
  async exportJsonl(realm: Realm, { to }: { to: string }): Promise<MovingReport> {
    if (!realm.read.realm.has(1)) throw notSetUp();
    return exportJsonl(realm, to);
  },

  async planImport(realm: Realm, { from }: { from: string }): Promise<MovingReport> {
    if (isJsonlExport(from)) return planJsonl(realm, from);
    if (!realm.read.realm.has(1)) throw new MovingRefused(NEEDS_ORGANIZATION);
    return planSlack(realm, from);
  },

  async runImport(
    realm: Realm,
    { from }: { from: string },
    is_serving: boolean,
  ): Promise<MovingReport> {
    if (isJsonlExport(from)) {
      if (is_serving) throw new MovingRefused(NEEDS_NEW_DIRECTORY);
      return importJsonl(realm, from);
    }
    if (!realm.read.realm.has(1)) throw new MovingRefused(NEEDS_ORGANIZATION);
    return importSlack(realm, from, is_serving);
  },

  /** With the number of files that are yet to be fetched. */
  async importStatus({ read }: Realm, _nothing: object): Promise<ImportState[]> {
    const waiting = [...read.due.range()].filter(({ kind }) => kind === FETCH_FILE);
    return listRuns(read).map((run) => {
      const own = waiting.filter(({ payload }) => {
        return (payload as FileToFetch).import_id === run.import_id;
      });
      return { ...run, files_to_fetch: own.length };
    });
  },

  async undoImport(
    realm: Realm,
    { id }: { id: number },
    is_serving: boolean,
  ): Promise<MovingReport> {
    const run = realm.read.imports.get(id);
    if (!run) throw new MovingRefused(`There is no import ${id}. See: skein import status`);
    if (run.state === "undone") throw new MovingRefused(`Import ${id} is undone already.`);
    if (run.product !== FORMAT) return undoRows(realm, run);
    if (is_serving)
      throw new MovingRefused("A server is running on this directory: stop it first.");
    return undoJsonl(realm, run);
  },
};

const NEEDS_NEW_DIRECTORY =
  "A server is running on this directory, and a JSONL export founds an organization. " +
  "Stop the server first, or give a new directory with --data.";
const NEEDS_ORGANIZATION =
  "The directory has no organization to import into. Set one up first: skein init";
