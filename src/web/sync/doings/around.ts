// Dependencies of a user's actions.
import type { World } from "../../api/ask.ts";
import type { Able } from "../../api/call.ts";
import type { Deed } from "../../snapshot.ts";
import type { Doing, Refusal } from "../kept.ts";
import type { Line, Order } from "../line.ts";
import type { Rows } from "../rows.ts";
import type { Spot } from "./heard.ts";

export interface Around {
  readonly able: Able;
  readonly user_id: number;
  readonly rows: Rows<Doing>;
  readonly world: World;
  /** Actions on messages run in the order of sending, others in their own. */
  readonly lines: { readonly send: Line; readonly other: Line };
  readonly order: Order;
  uniqueName(): string;
  /** Makes events part of the state. */
  take(deeds: readonly Deed[]): void;
  /** The ids of the list that are in this place. */
  stillIn(ids: readonly number[], spot: Spot): number[];
  changed(): void;
  /** To the other tabs that see it. */
  tellTakenBack(key: string): void;
  refused(refusal: Refusal): void;
}
