// The sync law's reducers for the organization: its settings, its domains, its defaults.
import { DOUBLED_KEYS } from "../../src/names.ts";
import type { Event, State } from "./reduce.ts";

export function realmChanged(state: State, event: Event): void {
  if (event["op"] === "deactivated") return;
  const { property, value } = event;
  const data: Event = event["op"] === "update" ? { [property]: value } : event["data"];
  for (const [name, setting] of Object.entries(data)) {
    if (name === "rendered_description") continue;
    const field = `realm_${name}`;
    state[field] = setting;
    // A client reads one of the two spellings, and is told in that one.
    const other = DOUBLED_KEYS[field];
    if (other !== undefined) state[other] = setting;
  }
}

export function domainsChanged(state: State, { op, realm_domain, domain }: Event): void {
  const name = op === "remove" ? domain : realm_domain.domain;
  const rest = state["realm_domains"].filter((row: Event) => row["domain"] !== name);
  state["realm_domains"] = op === "remove" ? rest : [...rest, realm_domain];
}

export function defaultChanged(state: State, { property, value }: Event): void {
  state["realm_user_settings_defaults"][property] = value;
}
