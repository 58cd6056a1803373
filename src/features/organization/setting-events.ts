// Events about changed settings of the organization.
import type { PlainEvent } from "../../contract/events.ts";
import { inServiceSpelling } from "../../contract/names.ts";
import type { Reader } from "../../realm.ts";
import type { RealmSettings } from "../../schema/records.ts";
import { legacySettings } from "../realm/rules.ts";
import { REALM_PERMISSIONS } from "../rights/permission-rules.ts";
import { settingsTogether } from "../rights/permission-wire.ts";
import { renderedDescription, settingForClients } from "./wire.ts";

/** Returns the events for changed settings. `before`: all settings before the change. */
export function settingEvents(
  reader: Reader,
  before: RealmSettings,
  names: readonly (keyof RealmSettings)[],
): PlainEvent[] {
  const nameOf = (group_id: number) => reader.groups.get(group_id)?.name;
  const oldSettings = legacySettings(before, nameOf) as Record<string, unknown>;
  return names.map((name) => {
    const value = settingForClients(reader, name);
    const newSettings = { ...before, [name]: reader.settings[name] };
    if (!(name in REALM_PERMISSIONS) && !GROUPED_SETTINGS.has(name)) {
      return { type: "realm", op: "update", property: name, value };
    }
    const mirrors = Object.entries(legacySettings(newSettings, nameOf));
    const news = mirrors.filter(([mirror, code]) => code !== oldSettings[mirror]);
    const data: Record<string, unknown> = { [name]: value };
    for (const [mirror, code] of news) data[mirror.slice("realm_".length)] = code;
    if (name === "description") {
      data["rendered_description"] = renderedDescription(reader.config.url, newSettings);
    }
    return settingsTogether(data);
  });
}

/** Emitted in one event together with related settings, like all permissions. */
const GROUPED_SETTINGS: ReadonlySet<string> = new Set<keyof RealmSettings>([
  "allow_message_editing",
  "message_content_edit_limit_seconds",
  "topics_policy",
  "description",
  "authentication_methods",
]);

/** The event for clients that use the other spelling of settings. */
export function realmEventInServiceSpelling(event: PlainEvent): PlainEvent {
  const { property, data } = event as PlainEvent & { property?: string; data?: object };
  const renamed = Object.entries(data ?? {}).map(([name, value]) => [
    inServiceSpelling(name),
    value,
  ]);
  return {
    ...event,
    ...(property !== undefined && { property: inServiceSpelling(property) }),
    ...(data !== undefined && { data: Object.fromEntries(renamed) as object }),
  };
}
