// Endpoints for video call providers; this server supports none and says so.
import { callsUnavailable } from "../../contract/errors/realm.ts";
import { bool, defaulted, endpoint, type Parameters, text } from "../../endpoint.ts";

export const createBigBlueButtonCall = endpoint({
  summary: "Create a BigBlueButton call. Not available on this server",
  tag: "Organization",
  params: { meeting_name: text, voice_only: defaulted(bool, false) },
  run() {
    throw callsUnavailable("BigBlueButton");
  },
});

export const createZoomCall = unavailable("Zoom", { is_video_call: defaulted(bool, true) });
export const createWebexCall = unavailable("Webex", {});
export const createConstructorCall = unavailable("Constructor Groups", {});
export const createNextcloudCall = unavailable("Nextcloud Talk", { room_name: text });

function unavailable(provider: string, params: Parameters) {
  return endpoint({
    summary: `Create a ${provider} call. Not available on this server`,
    tag: "Organization",
    params,
    run() {
      throw callsUnavailable(provider);
    },
  });
}
