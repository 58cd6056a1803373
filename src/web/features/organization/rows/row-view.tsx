// Rows of organization settings, which are saved immediately and can be undone.
import { useEffect } from "preact/hooks";
import { subscribe } from "../../../store/store.ts";
import { SavedNote } from "../../../ui/form/saved-note.tsx";
import { t } from "../../../words/words.ts";
import {
  ChoiceField,
  ErrorNote,
  SettingFrame,
  SwitchField,
} from "../../settings/setting-frame.tsx";
import { isAdministrator, disabledReason } from "../permissions.ts";
import { changeOrganizationSetting, refusals, saved, shownOf, undo } from "./actions.ts";
import type { OrganizationRow, OrganizationSection } from "./kinds.ts";
import { ChannelField } from "./channel-field.tsx";
import { LimitField } from "./limit-field.tsx";
import { PermissionRow } from "./permission-row.tsx";
import { TextSetting } from "./text-field.tsx";

/** `at`: the setting in the URL. */
export function OrganizationRows({
  sections,
  anchor,
}: {
  sections: readonly OrganizationSection[];
  anchor?: string | undefined;
}) {
  useEffect(() => {
    const row = anchor === undefined ? null : document.getElementById(`setting-${anchor}`);
    row?.focus();
    row?.scrollIntoView({ block: "center" });
  }, [anchor]);
  subscribe("realm");
  return (
    <>
      {!isAdministrator() && <p class="org-note">{t("org-not-allowed")}</p>}
      {sections.map(({ textKey, rows }) => (
        <section key={textKey}>
          <h3>{t(textKey)}</h3>
          {rows.map((row) => (
            <Row key={row.name} row={row} />
          ))}
        </section>
      ))}
    </>
  );
}

function Row({ row }: { row: OrganizationRow }) {
  const { name, textKey, hint, control } = row;
  subscribe(`realm:${name}`);
  if (control.kind === "permission") return <PermissionRow row={row} />;
  const reason = disabledReason(name);
  const isWide = control.kind === "text" || control.kind === "channel";
  return (
    <SettingFrame
      id={`setting-${name}`}
      textKey={textKey}
      hint={hint}
      isWide={isWide}
      beside={<RowAside name={name} />}
      more={<Notes name={name} />}
    >
      <Control row={row} isDisabled={reason !== undefined} />
    </SettingFrame>
  );
}

function RowAside({ name }: { name: string }) {
  if (saved.value?.name !== name) return null;
  return <SavedNote undo={() => void undo()} />;
}

/** Why the setting cannot be changed, or why a change failed. */
function Notes({ name }: { name: string }) {
  const reason = disabledReason(name);
  return (
    <>
      {reason && reason !== "org-administrators-only" && (
        <p id={`setting-${name}-why`}>{t(reason)}</p>
      )}
      <ErrorNote refusals={refusals} name={name} />
    </>
  );
}

function Control({ row, isDisabled }: { row: OrganizationRow; isDisabled: boolean }) {
  const { name, control } = row;
  // The surrounding row renders again too, but with equal properties.
  subscribe(`realm:${name}`);
  const value = shownOf(name);
  const shared = {
    name,
    value,
    isDisabled,
    change: (next: unknown) => void changeOrganizationSetting(name, next),
  };
  if (control.kind === "switch") return <SwitchField {...shared} />;
  if (control.kind === "limit") {
    return <LimitField row={row} control={control} value={value} isDisabled={isDisabled} />;
  }
  if (control.kind === "channel") {
    return <ChannelField row={row} control={control} value={value} isDisabled={isDisabled} />;
  }
  if (control.kind === "text") {
    return <TextSetting row={row} control={control} value={value} isDisabled={isDisabled} />;
  }
  if (control.kind !== "choice") return null;
  return <ChoiceField {...shared} options={control.options} refusals={refusals} />;
}
