// Imports of archives from other products: upload, check, import, report and undo.
import type { ImportState } from "../../../../contract/shapes/imports.ts";
import { usePolling } from "../../../ui/loading/polling.ts";
import { formatCount } from "../../../words/numbers.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { CheckedArchive } from "./check.tsx";
import { PastImports } from "./past-imports.tsx";
import { LastReport } from "./report.tsx";
import { refresh, currentImport } from "./page-data.ts";
import { Upload } from "./upload.tsx";

const ASK_AGAIN_MS = 1_000;

export function ImportPage() {
  const state = currentImport.value;
  const isRunning = state?.task?.is_interrupted === false;
  usePolling(refresh, isRunning, ASK_AGAIN_MS);
  if (!state) return <p class="settings-intro">{t("settings-loading")}</p>;
  const { upload, task, plan, choices, report } = state;
  const isWhole = upload !== null && upload.received === upload.size;
  return (
    <>
      <section aria-busy={isRunning}>
        <h3>{t("import-new")}</h3>
        {task?.is_interrupted && (
          <p class="org-note" role="status">
            {t("import-interrupted")}
          </p>
        )}
        {task && isRunning && <Running task={task} />}
        {!isRunning && !isWhole && <Upload upload={upload} />}
        {!isRunning && isWhole && (
          <CheckedArchive
            archive={upload.archive}
            name={upload.name}
            plan={plan}
            planned={choices}
          />
        )}
      </section>
      {report && !isRunning && <LastReport report={report} />}
      <PastImports imports={state.imports} isRunning={isRunning} />
    </>
  );
}

type Task = NonNullable<ImportState["task"]>;

const TASKS: Readonly<Record<Task["kind"], TextKey>> = {
  plan: "import-checking",
  run: "import-running",
  undo: "import-undoing",
};
const MINUTE_SECONDS = 60;

function Running({ task }: { task: Task }) {
  const { kind, written, found, seconds_left } = task;
  const text = t(TASKS[kind]);
  const isKnown = written !== null && found !== null;
  return (
    <div class="import-running">
      <p role="status">{text}</p>
      {isKnown ? (
        <progress aria-label={text} max={Math.max(found, 1)} value={written} />
      ) : (
        <progress aria-label={text} />
      )}
      {isKnown && (
        <p class="settings-fact">
          {t("import-rows", { written: formatCount(written), found: formatCount(found) })}
          {seconds_left !== null && (
            <>
              {" · "}
              {t("import-left", { count: Math.max(1, Math.ceil(seconds_left / MINUTE_SECONDS)) })}
            </>
          )}
        </p>
      )}
      <p class="hint">{t("import-running-hint")}</p>
    </div>
  );
}
