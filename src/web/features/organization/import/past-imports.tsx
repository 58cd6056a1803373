// Earlier imports of the organization, each of which can be undone.
import type { ImportState } from "../../../../contract/shapes/imports.ts";
import { undoImport } from "../../../api/import-calls.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { formatMoment } from "../../../words/dates.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { openIdentityDialog } from "../../settings/identity-dialog.tsx";
import { ListRow } from "../content/list-parts.tsx";
import { isOwner } from "../permissions.ts";
import { load } from "./page-data.ts";

type PastImport = ImportState["imports"][number];

const STATES: Readonly<Record<PastImport["state"], TextKey>> = {
  running: "import-state-incomplete",
  done: "import-state-done",
  undone: "import-state-undone",
};

const PRODUCTS = new Map([
  ["campfire", "Campfire"],
  ["discord", "Discord"],
  ["mattermost", "Mattermost"],
  ["rocketchat", "Rocket.Chat"],
  ["skein-jsonl", "Skein"],
  ["slack", "Slack"],
  ["teams", "Microsoft Teams"],
  ["zulip", "Zulip"],
]);

interface PastProps {
  imports: readonly PastImport[];
  isRunning: boolean;
}

export function PastImports({ imports, isRunning }: PastProps) {
  if (imports.length === 0) return null;
  const undo = (import_id: number) =>
    openIdentityDialog({
      title: t("import-undo-confirm"),
      about: [t("import-undo-about")],
      button: t("import-undo"),
      kind: "danger",
      isAllowed: isOwner,
      action: (proof) => undoImport(sync, { import_id, ...proof }),
      onDone: load,
    });
  return (
    <section>
      <h3>{t("import-past")}</h3>
      <ul class="settings-list">
        {imports.toReversed().map(({ import_id, product, state, started }) => (
          <ListRow
            key={import_id}
            name={t("import-past-name", {
              product: PRODUCTS.get(product) ?? product,
              moment: formatMoment(started),
            })}
            note={t(STATES[state])}
          >
            {() =>
              state !== "undone" && (
                <Button disabled={isRunning} onClick={() => undo(import_id)}>
                  {t("import-undo")}
                </Button>
              )
            }
          </ListRow>
        ))}
      </ul>
    </section>
  );
}
