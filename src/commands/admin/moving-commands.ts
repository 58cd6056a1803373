// What the operator may ask about imports and exports of an organization.
import { notSetUp } from "../../contract/errors/realm.ts";
import { exportJsonl } from "../../features/moving/jsonl/export.ts";
import { FORMAT } from "../../features/moving/jsonl/format.ts";
import { importJsonl, planJsonl } from "../../features/moving/jsonl/import-later.ts";
import { undoJsonl } from "../../features/moving/jsonl/undo.ts";
import { MovingRefused } from "../../features/moving/refused.ts";
import type { MovingReport } from "../../features/moving/report.ts";
import { listRuns } from "../../features/moving/runs.ts";
import type { Realm } from "../../realm.ts";
import type { ImportRun } from "../../schema/records-moving.ts";

export const movingCommands = {
  async exportJsonl(realm: Realm, { to }: { to: string }): Promise<MovingReport> {
    if (!realm.read.realm.has(1)) throw notSetUp();
    return exportJsonl(realm, to);
  },

  async planImport(realm: Realm, { from }: { from: string }): Promise<MovingReport> {
    return planJsonl(realm, from);
  },

  async runImport(
    realm: Realm,
    { from }: { from: string },
    is_serving: boolean,
  ): Promise<MovingReport> {
    if (is_serving) {
      throw new MovingRefused(
        "A server is running on this directory, and a JSONL export founds an organization. " +
          "Stop the server first, or give a new directory with --data.",
      );
    }
    return importJsonl(realm, from);
  },

  async importStatus({ read }: Realm, _nothing: object): Promise<ImportRun[]> {
    return listRuns(read);
  },

  async undoImport(
    realm: Realm,
    { id }: { id: number },
    is_serving: boolean,
  ): Promise<MovingReport> {
    const run = realm.read.imports.get(id);
    if (!run) throw new MovingRefused(`There is no import ${id}. See: skein import status`);
    if (run.state === "undone") throw new MovingRefused(`Import ${id} is undone already.`);
    if (run.product !== FORMAT) throw new MovingRefused(`${run.product} is not known here.`);
    if (is_serving) {
      throw new MovingRefused("A server is running on this directory. Stop the server first.");
    }
    return undoJsonl(realm, run);
  },
};
