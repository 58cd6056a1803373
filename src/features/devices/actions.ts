// Devices: the phones that a user's clients run on, registered before their first queue.
import Type from "typebox";
import { deviceNotFound } from "../../contract/errors/people.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ApiKey, Device, Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { dropSubscriptions } from "../push/queue/delete.ts";
import { DEVICES_PER_USER_MAX } from "./rules.ts";
import { deviceAdded, deviceRemoved } from "./wire.ts";

interface Credentials {
  readonly key: ApiKey | undefined;
  readonly session: Session | undefined;
}

/**
 * The credential of a device: the id of an API key, or the negated id of a session. Ending the
 * credential removes the device.
 */
export function credentialOf({ key, session }: Credentials): number {
  return key?.key_id ?? -session!.session_id;
}

/** Registers a device and returns its id. */
function registerDevice(tx: Writer, { user_id }: User, key_id: number): number {
  const devices = devicesOf(tx, user_id);
  const excess = Math.max(0, devices.length - DEVICES_PER_USER_MAX + 1);
  for (const device of devices.slice(0, excess)) unregister(tx, device);
  const device_id = tx.next("devices");
  tx.devices.put({
    user_id,
    device_id,
    key_id,
    registered: tx.now,
    push_key_id: null,
    push_token_id: null,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: null,
    push_registration_error_code: null,
  });
  tx.emit(deviceAdded(device_id), { to: "people", user_ids: [user_id] });
  return device_id;
}

function removeDevice(tx: Writer, { user_id }: User, device_id: number): void {
  const device = tx.devices.get(user_id, device_id);
  if (!device) throw deviceNotFound();

  unregister(tx, device);
}

/** Deletes the devices that were registered with the key, or all devices of the user. */
export function dropDevices(tx: Writer, user_id: number, key_id?: number): void {
  const matches = (row: { key_id: number }) => key_id === undefined || row.key_id === key_id;
  for (const device of devicesOf(tx, user_id)) if (matches(device)) unregister(tx, device);
  for (const token of tx.push_tokens.listBy("user", user_id)) {
    if (matches(token)) tx.push_tokens.delete(token.hash);
  }
  dropSubscriptions(tx, user_id, key_id);
}

export const postDevice = endpoint({
  summary: "Register a device",
  tag: "Devices",
  params: {},
  answer: Type.Object({ device_id: Type.Integer() }),
  async run({ realm, user, ...params }) {
    const key_id = credentialOf(params);
    return { device_id: await realm.write((tx) => registerDevice(tx, user, key_id)) };
  },
});

export const deleteDevice = endpoint({
  summary: "Remove a device",
  tag: "Devices",
  params: { device_id: int },
  answer: nothing,
  async run({ realm, user }, { device_id }) {
    await realm.write((tx) => removeDevice(tx, user, device_id));
    return {};
  },
});

/** Ascending by id, the order of registration. */
function devicesOf(reader: Reader, user_id: number): Device[] {
  return [...reader.devices.range({ from: [user_id], to: [user_id + 1] })];
}

function unregister(tx: Writer, { user_id, device_id }: Device): void {
  tx.devices.delete(user_id, device_id);
  tx.emit(deviceRemoved(device_id), { to: "people", user_ids: [user_id] });
}
