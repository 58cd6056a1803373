// Notification settings of this device: on screen and by push, and Do Not Disturb.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../content/icon-names.ts";
import { t, type TextKey } from "../../words/words.ts";
import { runWithToast } from "../../ui/form/save-errors.ts";
import { OWN_SETTINGS_SCOPE } from "../settings/actions.ts";
import { ErrorNote, SettingFrame } from "../settings/setting-frame.tsx";
import { canPush, disablePush, fetchPushState, pushes, enablePush } from "./push.ts";
import {
  setDoNotDisturb,
  chooseDoNotDisturb,
  doNotDisturb,
  doNotDisturbClock,
} from "./do-not-disturb.ts";
import { doNotDisturbEnd } from "./do-not-disturb-end.ts";
import { DO_NOT_DISTURB_CHOICES } from "./do-not-disturb-choices.ts";
import { isTime, type DoNotDisturb } from "./do-not-disturb-rules.ts";
import { doNotDisturbText } from "./do-not-disturb-indicator.tsx";
import { playSound } from "./sound.ts";
import { type TryOutStep, tryOut } from "./try-out.ts";

export function DeviceNotifications() {
  const permission = useSignal(permissionNow());
  const explanation = useSignal("");
  useEffect(() => {
    const loadPermission = () => {
      permission.value = permissionNow();
      void runWithToast(fetchPushState);
    };
    loadPermission();
    addEventListener("focus", loadPermission);
    // The permission may change in the browser's settings meanwhile.
    let status: PermissionStatus | undefined;
    void navigator.permissions?.query({ name: "notifications" }).then((permissionStatus) => {
      status = permissionStatus;
      status.addEventListener("change", loadPermission);
    });
    return () => {
      removeEventListener("focus", loadPermission);
      status?.removeEventListener("change", loadPermission);
    };
  }, []);
  useEffect(playSelectedSound, []);
  const ask = async () => {
    permission.value = await Notification.requestPermission();
  };
  return (
    <section>
      <h3>{t("notify-here")}</h3>
      <div class="settings-row">
        <span class="settings-name">{t("notify-screen")}</span>
        <p>{t(SCREEN[permission.value])}</p>
        {permission.value === "default" && (
          <span class="settings-ctl">
            <Button onClick={() => void ask()}>{t("notify-turn-on")}</Button>
          </span>
        )}
      </div>
      <PushRow permission={permission} why={explanation} />
      <TryOut />
    </section>
  );
}

/** Plays a sound when the user selects it, but not when it changes elsewhere. */
function playSelectedSound(): () => void {
  const playChosenSound = ({ target }: Event) => {
    if (!(target instanceof HTMLSelectElement) || target.id !== "setting-notification_sound")
      return;
    if (target.value !== "none") void playSound(target.value);
  };
  document.addEventListener("change", playChosenSound);
  return () => document.removeEventListener("change", playChosenSound);
}

type Permission = NotificationPermission | "none";

const SCREEN: Readonly<Record<Permission, TextKey>> = {
  granted: "notify-allowed",
  default: "notify-not-asked",
  denied: "notify-denied",
  none: "notify-insecure",
};

const permissionNow = (): Permission =>
  "Notification" in globalThis && isSecureContext ? Notification.permission : "none";

function PushRow({ permission, why }: { permission: Signal<Permission>; why: Signal<string> }) {
  const isBusy = useSignal(false);
  const thisDevice = pushes.value?.thisDevice;
  if (!canPush()) {
    return (
      <div class="settings-row">
        <span class="settings-name">{t("notify-push")}</span>
        <p>{t("notify-push-none")}</p>
      </div>
    );
  }
  const turn = async (isOn: boolean) => {
    isBusy.value = true;
    why.value = "";
    try {
      if (!isOn) {
        if (thisDevice) await disablePush(thisDevice);
        return;
      }
      permission.value = await Notification.requestPermission();
      if (permission.value === "granted") await enablePush();
      else why.value = t(SCREEN[permission.value]);
    } catch (error) {
      why.value = t("notify-push-failed", { reason: reasonIn(error) });
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      <SettingFrame id="setting-push-here" textKey="notify-push" hint="notify-push-hint">
        <input
          class="switch"
          type="checkbox"
          role="switch"
          id="setting-push-here"
          checked={thisDevice !== undefined}
          disabled={isBusy.value || pushes.value === undefined}
          aria-describedby={why.value === "" ? undefined : "push-here-refusal"}
          onChange={({ currentTarget }) => {
            const isOn = currentTarget.checked;
            // The switch shows the actual state.
            currentTarget.checked = thisDevice !== undefined;
            void turn(isOn);
          }}
        />
      </SettingFrame>
      {why.value !== "" && (
        <p class="settings-refused" role="alert" id="push-here-refusal">
          {why.value}
        </p>
      )}
    </>
  );
}

const reasonIn = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Applies to all devices. */
export function DoNotDisturbRows() {
  const { until, hours } = doNotDisturb.value;
  // Includes the daily hours, and updates over time.
  const end = doNotDisturbEnd.value;
  const isSelected = until > Date.now();
  const setHours = (next: DoNotDisturb["hours"]) =>
    chooseDoNotDisturb({ ...doNotDisturb.peek(), hours: next });
  return (
    <section>
      <h3>{t("do-not-disturb")}</h3>
      <div class="settings-row" data-wide="">
        <span class="settings-name" id="setting-quiet">
          {t("do-not-disturb-while")}
        </span>
        <p>{end ? doNotDisturbText("do-not-disturb-until", end) : t("do-not-disturb-hint")}</p>
        <ErrorNote refusals={OWN_SETTINGS_SCOPE.refusals} name="do_not_disturb_until" />
        <span class="settings-ctl notifications-quiet" role="group" aria-labelledby="setting-quiet">
          {isSelected && (
            <Button onClick={() => setDoNotDisturb(0)}>{t("do-not-disturb-end")}</Button>
          )}
          {!isSelected &&
            DO_NOT_DISTURB_CHOICES.map(({ textKey, until }) => (
              <Button key={textKey} onClick={() => setDoNotDisturb(until(doNotDisturbClock()))}>
                {t(textKey)}
              </Button>
            ))}
        </span>
      </div>
      <SettingFrame
        id="setting-quiet-hours"
        textKey="do-not-disturb-hours"
        hint="do-not-disturb-hours-hint"
        more={<ErrorNote refusals={OWN_SETTINGS_SCOPE.refusals} name="do_not_disturb_hours" />}
      >
        <input
          class="switch"
          type="checkbox"
          role="switch"
          id="setting-quiet-hours"
          aria-describedby="setting-quiet-hours-hint setting-do_not_disturb_hours-refused"
          checked={hours !== null}
          onChange={({ currentTarget }) => setHours(currentTarget.checked ? NIGHT : null)}
        />
      </SettingFrame>
      {hours && <QuietHours hours={hours} setHours={setHours} />}
    </section>
  );
}

interface Hours {
  hours: NonNullable<DoNotDisturb["hours"]>;
  setHours: (next: DoNotDisturb["hours"]) => void;
}

function QuietHours({ hours, setHours }: Hours) {
  return (
    <div class="notifications-hours">
      {(["from", "to"] as const).map((end) => (
        <label key={end}>
          {t(end === "from" ? "do-not-disturb-from" : "do-not-disturb-to")}
          <span class="field">
            <input
              type="time"
              value={hours[end]}
              onChange={({ currentTarget: { value } }) =>
                isTime(value) && setHours({ ...hours, [end]: value })
              }
            />
          </span>
        </label>
      ))}
      {hours.from === hours.to && <p role="alert">{t("do-not-disturb-never")}</p>}
    </div>
  );
}

const NIGHT = { from: "22:00", to: "07:00" };

const SIGNS: Readonly<Record<TryOutStep["state"], IconName>> = {
  ok: "check",
  failed: "x",
  waiting: "clock",
  late: "clock",
  off: "bell-off",
};
function TryOut() {
  const steps = useSignal<readonly TryOutStep[]>([]);
  const isBusy = useSignal(false);
  const run = async () => {
    isBusy.value = true;
    await runWithToast(() => tryOut(steps));
    isBusy.value = false;
  };
  return (
    <div class="notifications-try">
      <Button aria-disabled={isBusy.value} onClick={() => !isBusy.value && void run()}>
        {t("try-out")}
      </Button>
      <div role="status">
        {" "}
        <ol>
          {steps.value.map(({ textKey, state, reason }) => (
            <li key={textKey} data-state={state}>
              <Icon name={SIGNS[state]} size={18} />
              <span>
                {t(textKey)}: {t(`try-is-${state}`)}
                {reason !== undefined && reason !== "" && <small>{reason}</small>}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
