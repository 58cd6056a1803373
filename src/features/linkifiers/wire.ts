// The data of linkifiers for clients and for rendering.
import { CAN, type PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { LinkifierRecord } from "../../schema/records.ts";
import { inOrder } from "../realm/order-rules.ts";

/** Returns the linkifiers in the order in which they are applied. */
export function linkifiersInOrder(reader: Reader): LinkifierRecord[] {
  return inOrder(reader.linkifiers.range());
}

export function linkifierObjects(reader: Reader) {
  return linkifiersInOrder(reader).map((linkifier) => {
    const { order: _, ...payload } = linkifier;
    return payload;
  });
}

export function linkifiersSnapshot(reader: Reader, capabilities: number) {
  const isKnown = (capabilities & CAN.linkifier_url_template) !== 0;
  return { realm_linkifiers: isKnown ? linkifierObjects(reader) : [] };
}

export const linkifiersChanged = (realm_linkifiers: readonly object[]): PlainEvent => ({
  type: "realm_linkifiers",
  realm_linkifiers,
  needs: "linkifier_url_template",
});
