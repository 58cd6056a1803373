// Voice messages in the composer: the record button, and the controls during a recording.
import { withComposer } from "../compose/handle-state.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { canRecord, endRecording, record, recordedMs } from "./record.ts";

/** Attaches the recording as a file to the open composer. */
export async function recordVoice(): Promise<void> {
  try {
    const voice = await record();
    if (!voice) return;
    const { blob, ms, ending } = voice;
    const name = `${t("voice-note")} ${lengthOf(ms).replace(":", ".")}.${ending}`;
    const file = new File([blob], name, { type: blob.type });
    withComposer((open) => {
      open.attach([file]);
      open.focus();
    });
  } catch {
    showToast({ text: t("voice-denied"), isAlert: true });
  }
}

export function VoiceButton() {
  if (!canRecord()) return null;
  const isOn = recordedMs.value !== undefined;
  return (
    <IconButton
      icon="mic"
      label={t("record-voice")}
      size="s"
      tabIndex={-1}
      data-more=""
      isPressed={isOn}
      onClick={() => (isOn ? endRecording(true) : void recordVoice())}
    />
  );
}

/** Item of the `+` menu on phones. */
export const voiceItem = (): MenuItem => ({
  icon: "mic",
  label: t("record-voice"),
  run: () => void recordVoice(),
});

export function VoiceLine() {
  if (recordedMs.value === undefined) return null;
  return (
    <p class="voice">
      <span class="voice-on" aria-hidden="true" />
      <span role="status">{t("voice-recording")}</span>
      <span class="n">{lengthOf(recordedMs.value)}</span>
      <Button kind="quiet" onClick={() => endRecording(false)}>
        {t("unsent-discard")}
      </Button>
      <Button onClick={() => endRecording(true)}>{t("voice-done")}</Button>
    </p>
  );
}

const SECOND_MS = 1000;
const MINUTE_SECONDS = 60;

function lengthOf(ms: number): string {
  const seconds = Math.round(ms / SECOND_MS);
  const rest = `${seconds % MINUTE_SECONDS}`.padStart(2, "0");
  return `${Math.floor(seconds / MINUTE_SECONDS)}:${rest}`;
}
