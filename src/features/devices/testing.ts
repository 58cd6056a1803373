// The test of pushes to phones, which need a push service of the phones' makers, and there is none.
import {
  deviceNotFound,
  noActivePushDevice,
  pushDeviceNotRecognized,
  pushServiceNotConfigured,
} from "../../contract/errors/people.ts";
import { nothing } from "../../contract/shapes/kinds.ts";
import { endpoint, int, optional, text } from "../../endpoint.ts";

/** To the tokens that apps give of themselves: one, or all of the person's. */
export const testToken = endpoint({
  summary: "Send a test push to a token. Not available on this server",
  tag: "Devices",
  params: { token: optional(text) },
  answer: nothing,
  refuses: ["INVALID_PUSH_DEVICE_TOKEN", "NO_ACTIVE_PUSH_DEVICE", "PUSH_SERVICE_NOT_CONFIGURED"],
  run({ realm: { read }, user }, { token }) {
    const own = read.push_tokens.by("user", user.user_id);
    const meant = own.filter((row) => token === undefined || row.token === token);
    if (meant.length > 0) throw pushServiceNotConfigured();
    throw token === undefined ? noActivePushDevice() : pushDeviceNotRecognized();
  },
});

/** To devices that have a token for sealed pushes: no service has ever given one. */
export const testDevice = endpoint({
  summary: "Send an encrypted test push to a device. Not available on this server",
  tag: "Devices",
  params: { device_id: optional(int) },
  answer: nothing,
  refuses: ["NO_ACTIVE_PUSH_DEVICE", "PUSH_SERVICE_NOT_CONFIGURED"],
  run({ realm: { read }, user }, { device_id }) {
    if (device_id !== undefined && !read.devices.has(user.user_id, device_id)) {
      throw deviceNotFound();
    }
    throw noActivePushDevice();
  },
});
