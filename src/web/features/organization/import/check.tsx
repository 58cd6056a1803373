// An uploaded archive: checks it, shows the plan, maps users and starts the import.
import { useEffect, useId } from "preact/hooks";
import type { ImportReport } from "../../../../contract/shapes/imports.ts";
import { type ImportOptions, planImport, runImport } from "../../../api/import-calls.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Refusal, useSending } from "../../../ui/form/form.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { t } from "../../../words/words.ts";
import { openIdentityDialog } from "../../settings/identity-dialog.tsx";
import { isOwner } from "../permissions.ts";
import { ReportCounts } from "./report.tsx";
import { load, loadUsers, options, currentSaving, users } from "./page-data.ts";
import { DeleteArchive } from "./upload.tsx";
import { UserTable } from "./users.tsx";

interface CheckedProps {
  archive: string;
  name: string;
  plan: ImportReport | null;
  planned: ImportOptions | null;
}

const DEFAULTS: ImportOptions = { roles: "members", channels: "private" };

export function CheckedArchive({ archive, name, plan, planned }: CheckedProps) {
  const { refusal, isBusy, send } = useSending();
  const isPlanned = plan !== null;
  const importOptions = options.value ?? planned ?? DEFAULTS;
  const isCurrent =
    isPlanned &&
    importOptions.roles === planned?.roles &&
    importOptions.channels === planned.channels &&
    importOptions.old_url === planned.old_url;
  useEffect(() => {
    if (isPlanned) void runWithToast(loadUsers);
  }, [isPlanned, planned?.roles, archive]);
  const check = async () => {
    if (await send(() => planImport(sync, importOptions))) await load();
  };
  const confirm = () => {
    openIdentityDialog({
      title: t("import-confirm", { name }),
      about: [t("import-confirm-about")],
      button: t("import-start"),
      kind: "danger",
      isAllowed: isOwner,
      action: async (proof) => {
        await currentSaving();
        await runImport(sync, { archive, ...proof });
      },
      onDone: load,
    });
  };
  return (
    <>
      <p class="settings-fact">{t(isPlanned ? "import-checked" : "import-uploaded", { name })}</p>
      {plan && <ReportCounts report={plan} />}
      {isPlanned && users.value.length > 0 && <UserTable users={users.value} />}
      <Options options={importOptions} />
      <Refusal text={refusal.value} />
      <div class="import-acts">
        {isCurrent ? (
          <Button kind="primary" onClick={confirm}>
            {t("import-continue")}
          </Button>
        ) : (
          <Button kind="primary" disabled={isBusy.value} onClick={() => void check()}>
            {t("import-check")}
          </Button>
        )}
        <DeleteArchive refusal={refusal} />
      </div>
    </>
  );
}

function Options({ options: importOptions }: { options: ImportOptions }) {
  const id = useId();
  const { roles, channels, old_url } = importOptions;
  return (
    <div class="import-options">
      <label class="org-check">
        <input
          type="checkbox"
          checked={roles === "keep"}
          onChange={({ currentTarget: { checked } }) => {
            options.value = { ...importOptions, roles: checked ? "keep" : "members" };
          }}
        />
        {t("import-keep-roles")}
      </label>
      <label class="org-check">
        <input
          type="checkbox"
          checked={channels === "public"}
          onChange={({ currentTarget: { checked } }) => {
            options.value = { ...importOptions, channels: checked ? "public" : "private" };
          }}
        />
        {t("import-public-channels")}
      </label>
      <div class="settings-field">
        <label for={id}>{t("import-old-url")}</label>
        <span class="field">
          <input
            id={id}
            type="url"
            autocomplete="off"
            placeholder="https://chat.example.com"
            value={old_url ?? ""}
            aria-describedby={`${id}-hint`}
            onInput={({ currentTarget }) => {
              const url = currentTarget.value.trim();
              options.value = { roles, channels, ...(url !== "" && { old_url: url }) };
            }}
          />
        </span>
        <p class="hint" id={`${id}-hint`}>
          {t("import-old-url-hint")}
        </p>
      </div>
    </div>
  );
}
