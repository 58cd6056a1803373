// The types of rows in the organization's settings.
import type { OrganizationSetting } from "../state.ts";
import type { TextKey } from "../../../words/words.ts";
import type { Option } from "../../settings/rows.ts";

export type Control =
  | { readonly kind: "switch" }
  | { readonly kind: "choice"; readonly options: readonly Option[] }
  | Limit
  | { readonly kind: "channel"; readonly isPrivate?: boolean }
  | { readonly kind: "text"; readonly max: number; readonly isLong?: boolean }
  | { readonly kind: "permission" };

/** A limit: a common duration, a custom number of a unit, or none. */
export interface Limit {
  readonly kind: "limit";
  readonly unit: "minutes" | "days";
  /** The number of the setting's own unit in one unit of display. */
  readonly each: number;
  /** The options, in the setting's own unit. */
  readonly options: readonly number[];
  /** The text for no limit, and its value in the API. */
  readonly none: { readonly textKey: TextKey; readonly value: number | null };
}

export interface OrganizationRow {
  readonly name: OrganizationSetting;
  readonly textKey: TextKey;
  readonly hint?: TextKey;
  readonly control: Control;
}

export interface OrganizationSection {
  readonly textKey: TextKey;
  readonly rows: readonly OrganizationRow[];
}

export const onOff: Control = { kind: "switch" };
export const permission: Control = { kind: "permission" };
export const choice = (...options: readonly Option[]): Control => ({ kind: "choice", options });
