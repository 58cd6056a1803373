// Settings of this device, and data of the organization stored on it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import type { View } from "../../views.ts";
import { formatSize } from "../../words/numbers.ts";
import { t, type TextKey } from "../../words/words.ts";
import { DensityRow } from "./density-view.tsx";
import { install, type InstallState, installing } from "../share/install.ts";
import { storageBytes } from "./storage-usage.ts";
import { deleteCachedMessages, type CachedMessagesInfo, cachedMessages } from "./kept-messages.ts";

const INSTALL_TEXTS: Readonly<Record<InstallState, TextKey>> = {
  ask: "install-hint",
  menu: "install-by-menu",
  is: "install-is",
  none: "install-none",
};

function InstallRow() {
  const state = installing();
  return (
    <section>
      <h3>{t("install")}</h3>
      <p class="settings-fact">{t(INSTALL_TEXTS[state])}</p>
      {state === "ask" && (
        <p class="settings-fact">
          <Button onClick={() => void install()}>{t("install-now")}</Button>
        </p>
      )}
    </section>
  );
}

const page = (name: "settings" | "keyboard-shortcuts", ...path: string[]): View => {
  return { kind: "page", page: name, path };
};
const ELSEWHERE: readonly (readonly [TextKey, View])[] = [
  ["settings-to-push", page("settings", "notifications", "push-here")],
  ["settings-to-sound", page("settings", "notifications", "notification_sound")],
  ["settings-to-keys", page("keyboard-shortcuts")],
  ["settings-to-text-size", page("settings", "preferences", "web_font_size_px")],
];

function OtherSettings() {
  return (
    <section>
      <h3>{t("settings-of-device")}</h3>
      <ul>
        {ELSEWHERE.map(([textKey, to]) => (
          <li key={textKey} class="settings-fact">
            <a href={addressOf(to)}>{t(textKey)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Cached messages, which are available without the server. */
function CachedMessagesRow() {
  const cached = useSignal<CachedMessagesInfo | undefined>(undefined);
  const isCleared = useSignal(false);
  const { me } = getState().people;
  const loadCached = async () => {
    cached.value = await cachedMessages(me);
  };
  useEffect(() => void loadCached(), []);
  const clear = async () => {
    await deleteCachedMessages(me);
    await loadCached();
    isCleared.value = true;
  };
  const { count, bytes } = cached.value ?? { count: 0, bytes: 0 };
  const emptyText = isCleared.value ? "settings-cache-cleared" : "settings-cache-none";
  return (
    <div class="settings-row">
      <span class="settings-name">{t("messages")}</span>
      <p role="status">
        {count === 0 ? t(emptyText) : t("settings-cache-count", { count, size: formatSize(bytes) })}
      </p>
      <p>{t("settings-cache-hint")}</p>
      <span class="settings-ctl">
        <Button aria-disabled={count === 0} onClick={() => count > 0 && void clear()}>
          {t("settings-cache-clear")}
        </Button>
      </span>
    </div>
  );
}

export function DevicePage() {
  const bytes = useSignal<number | undefined>(undefined);
  useEffect(() => {
    void storageBytes().then((size) => (bytes.value = size));
  }, []);
  return (
    <>
      <section>
        <h3>{t("settings-look")}</h3>
        <DensityRow />
      </section>
      <InstallRow />
      <OtherSettings />
      <section>
        <h3>{t("settings-local-data")}</h3>
        {bytes.value !== undefined && (
          <p class="settings-fact">
            {t("settings-local-data-size", { size: formatSize(bytes.value) })}
          </p>
        )}
        <CachedMessagesRow />
        {!isSecureContext && <p class="settings-fact">{t("settings-insecure")}</p>}
      </section>
    </>
  );
}
