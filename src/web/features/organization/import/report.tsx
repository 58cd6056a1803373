// The counts, losses and errors of a plan, an import or an undo.
import type { ImportReport } from "../../../../contract/shapes/imports.ts";
import { REPORT_FILE } from "../../../api/import-calls.ts";
import { formatDay } from "../../../words/dates.ts";
import { formatCount } from "../../../words/numbers.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { sentence } from "./sentences.ts";

/** Tables that most archives have. The names of the others are translated like sentences. */
const TABLES = new Map<string, TextKey>([
  ["users", "import-table-users"],
  ["channels", "import-table-channels"],
  ["messages", "import-table-messages"],
  ["direct conversations", "import-table-conversations"],
  ["files", "import-table-files"],
]);

function tableWords(table: string): string {
  const textKey = TABLES.get(table);
  return textKey ? t(textKey) : sentence(table.replaceAll("_", " "));
}

export function ReportCounts({ report }: { report: ImportReport }) {
  const { outcome, found, written, losses, faults, oldest, newest, more_faults } = report;
  if (report.instead) {
    return (
      <>
        <p class="settings-fact">{t("import-instead")}</p>
        <Commands lines={report.instead.commands} />
      </>
    );
  }
  const isPlan = outcome === "planned" || outcome === "refused";
  const counts = Object.entries(isPlan ? found : written);
  return (
    <>
      {counts.length > 0 && (
        <table class="import-counts">
          <caption class="vh">{t("import-counts")}</caption>
          <tbody>
            {counts.map(([table, count]) => (
              <tr key={table}>
                <th scope="row">{tableWords(table)}</th>
                <td>{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {oldest !== null && newest !== null && (
        <p class="settings-fact">
          {t("import-dates", { oldest: dayOf(oldest), newest: dayOf(newest) })}
        </p>
      )}
      {losses.length > 0 && (
        <>
          <h4 class="import-heading">{t("import-losses")}</h4>
          <ul class="org-follows">
            {losses.map(({ kind, count, examples }) => (
              <li key={kind}>
                {t("import-loss", { kind: sentence(kind), count })}
                {examples.length > 0 && <small class="import-places">{examples.join(", ")}</small>}
              </li>
            ))}
          </ul>
        </>
      )}
      {faults.length > 0 && (
        <ul class="org-follows">
          {faults.map((fault) => (
            <li key={fault}>{sentence(fault)}</li>
          ))}
          {more_faults > 0 && <li>{t("import-more", { count: more_faults })}</li>}
        </ul>
      )}
    </>
  );
}

/** Commands for a shell on the server. */
export function Commands({ lines }: { lines: readonly string[] }) {
  return (
    <pre class="import-commands">
      <code>{lines.join("\n")}</code>
    </pre>
  );
}

const dayOf = (seconds: number) => formatDay(Math.floor(seconds), Math.floor(Date.now() / 1000));

const OUTCOMES: Readonly<Record<ImportReport["outcome"], TextKey>> = {
  planned: "import-checked-done",
  imported: "import-done",
  exported: "import-done",
  undone: "import-undone",
  refused: "import-refused",
  broken: "import-broken",
};

export function LastReport({ report }: { report: ImportReport }) {
  return (
    <section>
      <h3>{t("import-report")}</h3>
      <p class="settings-fact" role="status">
        {t(OUTCOMES[report.outcome])}
      </p>
      <ReportCounts report={report} />
      <a class="btn" href={REPORT_FILE} download>
        {t("import-report-download")}
      </a>
    </section>
  );
}
