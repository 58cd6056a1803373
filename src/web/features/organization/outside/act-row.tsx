// An act of the audit log: when, who, what and to what; its details when they are wanted.
import { fetchAudit } from "../../../api/organization-calls.ts";
import { now } from "../../../live.ts";
import { formatMoment } from "../../../words/dates.ts";
import { say } from "../../../words/words.ts";
import { groupName } from "../../groups/names.ts";
import { personOf } from "../../people/state.ts";
import { actWords, keyWords } from "./act-words.ts";

type Act = Awaited<ReturnType<typeof fetchAudit>>["acts"][number];

export function ActRow({ act: shown }: { act: Act }) {
  const { time, act, actor_id, via, on, on_id, facts, words, where } = shown;
  const who = actor_id === null ? say("audit-nobody") : nameOf("user", actor_id);
  const target = on_id === null || isSaid(on) ? "" : (namedIn(words) ?? nameOf(on, on_id));
  const lines = [...linesOf(facts), ...linesOf(words ?? {}), ...linesOf(where ?? {})];
  const isEmptied = words === null || where === null;
  return (
    <li class="org-act">
      <p>
        <b>{actWords(act)}</b>
        {target !== "" && target !== who && (
          <>
            : <bdi>{target}</bdi>
          </>
        )}
      </p>
      <time dateTime={new Date(time * 1000).toISOString()}>{formatMoment(time)}</time>
      <small>
        <bdi>{who}</bdi>, {say(`audit-via-${via}`)}
      </small>
      {(lines.length > 0 || isEmptied) && (
        <details>
          <summary>{say("audit-details")}</summary>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
            {isEmptied && <li>{say("audit-emptied")}</li>}
          </ul>
        </details>
      )}
    </li>
  );
}

/** With a single organization, its name is omitted. */
const isSaid = (on: string) => on === "organization";

/** The name that the domain or field had at the time of the action. */
function namedIn(words: Act["words"]): string | undefined {
  const named = ["domain", "pattern", "name"]
    .flatMap((key) => [words?.[key]].flat().toReversed())
    .find((one) => typeof one === "string");
  return named;
}

/** The current name. For deleted objects, the id. */
function nameOf(on: string, id: number | string): string {
  const { people, channels, groups } = now();
  const key = Number(id);
  const group = on === "group" ? groups.groups.get(key) : undefined;
  const name =
    on === "user" || on === "bot"
      ? personOf(people, key)?.full_name
      : on === "channel"
        ? channels.channels.get(key)?.row.name
        : group && groupName(group);
  return name ?? (Number.isNaN(key) ? `${id}` : say("audit-number", { id }));
}

function linesOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).map(([key, value]) => {
    const name = keyWords(key);
    const textOf = (one: unknown) => textOfKey(key, one);
    if (key === "user_ids" && Array.isArray(value)) {
      const names = (value as number[]).map((id) => nameOf("user", id));
      return say("audit-fact", { name: say("people"), value: names.join(", ") });
    }
    const isChange = Array.isArray(value) && value.length === 2;
    if (!isChange) return say("audit-fact", { name, value: textOf(value) });
    const [before, after] = value as [unknown, unknown];
    return say("audit-change", { name, before: textOf(before), after: textOf(after) });
  });
}

/** A group that may do something is told by its number. */
function textOfKey(key: string, value: unknown): string {
  if (typeof value === "boolean") return say(value ? "audit-yes" : "audit-no");
  const isGroup = key.endsWith("_group") && typeof value === "number";
  return isGroup ? nameOf("group", value) : textOf(value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number);
}
