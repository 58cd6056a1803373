// Video calls that a provider would have to set up: this server has none, and says so.
import { bool, defaulted, endpoint, text } from "../../endpoint.ts";
import { callsUnavailable } from "../../errors-realm.ts";

export const createBigBlueButtonCall = endpoint({
  params: { meeting_name: text, voice_only: defaulted(bool, false) },
  run() {
    throw callsUnavailable("BigBlueButton");
  },
});

export const createZoomCall = without("Zoom");
export const createWebexCall = without("Webex");
export const createConstructorCall = without("Constructor Groups");
export const createNextcloudCall = without("Nextcloud Talk");

function without(provider: string) {
  return endpoint({
    params: { is_video_call: defaulted(bool, true) },
    run() {
      throw callsUnavailable(provider);
    },
  });
}
