// An entry of the audit log: time, actor, action, object, and details on demand.
import { fetchAudit } from "../../../api/organization-calls.ts";
import { getState } from "../../../store/store.ts";
import { formatMoment } from "../../../words/dates.ts";
import { t } from "../../../words/words.ts";
import { groupName } from "../../groups/name-selectors.ts";
import { personOf } from "../../people/state.ts";
import { actionText, keyWords } from "./audit-texts.ts";

type AuditEntry = Awaited<ReturnType<typeof fetchAudit>>["acts"][number];

export function AuditEntryRow({ act: entry }: { act: AuditEntry }) {
  const { time, act, actor_id, via, on, on_id, facts, words, where } = entry;
  const actor = actor_id === null ? undefined : nameOf("user", actor_id);
  const target =
    on_id === null || hasNoObject(on) ? "" : (nameInDetails(words) ?? nameOf(on, on_id));
  const lines = [...linesOf(facts), ...linesOf(words ?? {}), ...linesOf(where ?? {})];
  const isEmptied = words === null || where === null;
  return (
    <li class="org-act">
      <p>
        <b>{actionText(act)}</b>
        {target !== "" && target !== actor && (
          <>
            : <bdi>{target}</bdi>
          </>
        )}
      </p>
      <time dateTime={new Date(time * 1000).toISOString()}>{formatMoment(time)}</time>
      <small>
        {actor !== undefined && (
          <>
            <bdi>{actor}</bdi>,{" "}
          </>
        )}
        {t(`audit-via-${via}`)}
      </small>
      {(lines.length > 0 || isEmptied) && (
        <details>
          <summary>{t("audit-details")}</summary>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
            {isEmptied && <li>{t("audit-emptied")}</li>}
          </ul>
        </details>
      )}
    </li>
  );
}

/** With a single organization, its name is omitted. */
const hasNoObject = (objectType: string) => objectType === "organization";

/** The name that the domain or field had at the time of the action. */
function nameInDetails(words: AuditEntry["words"]): string | undefined {
  const objectName = ["domain", "pattern", "name"]
    .flatMap((key) => [words?.[key]].flat().toReversed())
    .find((value) => typeof value === "string");
  return objectName;
}

/** The current name. For deleted objects, the id. */
function nameOf(objectType: string, id: number | string): string {
  const { people, channels, groups } = getState();
  const key = Number(id);
  const group = objectType === "group" ? groups.groups.get(key) : undefined;
  const name =
    objectType === "user" || objectType === "bot"
      ? personOf(people, key)?.full_name
      : objectType === "channel"
        ? channels.channels.get(key)?.row.name
        : group && groupName(group);
  return name ?? (Number.isNaN(key) ? `${id}` : t("audit-number", { id }));
}

function linesOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).map(([key, value]) => {
    const name = keyWords(key);
    const textOf = (value: unknown) => textOfKey(key, value);
    if (key === "user_ids" && Array.isArray(value)) {
      const ids: readonly number[] = value;
      const names = ids.map((id) => nameOf("user", id));
      return t("audit-fact", { name: t("people"), value: names.join(", ") });
    }
    const isChange = Array.isArray(value) && value.length === 2;
    if (!isChange) return t("audit-fact", { name, value: textOf(value) });
    const [before, after]: readonly unknown[] = value;
    return t("audit-change", { name, before: textOf(before), after: textOf(after) });
  });
}

/** Permission values contain the ids of groups, which are displayed by name. */
function textOfKey(key: string, value: unknown): string {
  if (typeof value === "boolean") return t(value ? "audit-yes" : "audit-no");
  const isGroup = key.endsWith("_group") && typeof value === "number";
  return isGroup ? nameOf("group", value) : textOf(value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
