// The runs of imports: finding them by their source, starting, finishing and listing them.
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { ImportRun } from "../../schema/records-moving.ts";

export function runOf(reader: Reader, product: string, source: string): ImportRun | undefined {
  return listRuns(reader).find((run) => run.product === product && run.source === source);
}

export function listRuns(reader: Reader): ImportRun[] {
  return [...reader.imports.range()];
}

type Source = Pick<ImportRun, "product" | "source" | "path">;

/** Begins an import, or resumes the one of the same source. */
export function beginRun(
  tx: Writer,
  { product, source, path }: Source,
  before = runOf(tx, product, source),
): ImportRun {
  const isNew = before === undefined || before.state === "undone";
  const run: ImportRun = {
    import_id: before?.import_id ?? tx.next("imports"),
    product,
    source,
    path,
    state: "running",
    started: isNew ? tx.now : before.started,
    finished: null,
    after_message_id: isNew ? tx.last("messages") : before.after_message_id,
    counts: isNew ? {} : before.counts,
  };
  tx.imports.put(run);
  return run;
}

/** Makes every client register again, because imported rows have no events. */
export async function finishRun(
  realm: Realm,
  import_id: number,
  state: ImportRun["state"],
): Promise<void> {
  await realm.write((tx) => {
    const run = tx.imports.get(import_id)!;
    tx.imports.put({ ...run, state, finished: tx.now });
  });
  realm.hub.closeAll();
}
