// The data about a user's devices for the user's clients.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Device } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";

function deviceObject(device: Device) {
  const { user_id: _user, device_id: _device, key_id: _key, registered: _at, ...push } = device;
  return push;
}

export function devicesSnapshot(reader: Reader, { user_id }: User) {
  const devices = reader.devices.range({ from: [user_id], to: [user_id + 1] });
  const entries = [...devices].map((device) => [device.device_id, deviceObject(device)]);
  return { devices: Object.fromEntries(entries) };
}

export const deviceAdded = (device_id: number): PlainEvent => ({
  type: "device",
  op: "add",
  device_id,
});

export const deviceRemoved = (device_id: number): PlainEvent => ({
  type: "device",
  op: "remove",
  device_id,
});
