// Test notifications to phones, which need an unsupported push service.
import {
  deviceNotFound,
  noActivePushDevice,
  pushDeviceNotRecognized,
  pushServiceNotConfigured,
} from "../../contract/errors/people.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, optional, text } from "../../endpoint.ts";

/** Tests one of the user's app tokens, or all of them. */
export const testToken = endpoint({
  summary: "Send a test push to a token. Not available on this server",
  tag: "Devices",
  params: { token: optional(text) },
  answer: nothing,
  refuses: ["INVALID_PUSH_DEVICE_TOKEN", "NO_ACTIVE_PUSH_DEVICE", "PUSH_SERVICE_NOT_CONFIGURED"],
  run({ realm: { read }, user }, { token }) {
    const own = read.push_tokens.listBy("user", user.user_id);
    const matching = own.filter((row) => token === undefined || row.token === token);
    if (matching.length > 0) throw pushServiceNotConfigured();
    throw token === undefined ? noActivePushDevice() : pushDeviceNotRecognized();
  },
});

/** Tests devices with a token for encrypted pushes. No service has ever issued such a token. */
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
