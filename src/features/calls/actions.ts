// Video calls that a provider would have to set up: this server has none, and says so.
import { bool, defaulted, endpoint, type Parameters, text } from "../../endpoint.ts";
import { callsUnavailable } from "../../errors-realm.ts";

export const createBigBlueButtonCall = endpoint({
  params: { meeting_name: text, voice_only: defaulted(bool, false) },
  run() {
    throw callsUnavailable("BigBlueButton");
  },
});

export const createZoomCall = without("Zoom", { is_video_call: defaulted(bool, true) });
export const createWebexCall = without("Webex", {});
export const createConstructorCall = without("Constructor Groups", {});
export const createNextcloudCall = without("Nextcloud Talk", { room_name: text });

function without(provider: string, params: Parameters) {
  return endpoint({
    params,
    run() {
      throw callsUnavailable(provider);
    },
  });
}
