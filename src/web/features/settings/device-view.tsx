// Settings of this device alone, and what it keeps of the organization.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { say, type Word } from "../../words/words.ts";
import { DENSITIES, density, type Density } from "./density.ts";
import { install, type Installing, installing } from "../share/install.ts";
import { keptBytes } from "./device.ts";

const WORDS: Readonly<Record<Density, Word>> = {
  comfortable: "settings-comfortable",
  compact: "settings-compact",
};
const MEGABYTE = 1_000_000;

const INSTALLING: Readonly<Record<Installing, Word>> = {
  ask: "install-hint",
  menu: "install-by-menu",
  is: "install-is",
  none: "install-none",
};

function InstallRow() {
  const state = installing();
  return (
    <section>
      <h3>{say("install")}</h3>
      <p class="settings-fact">{say(INSTALLING[state])}</p>
      {state === "ask" && (
        <p class="settings-fact">
          <Button onClick={() => void install()}>{say("install-now")}</Button>
        </p>
      )}
    </section>
  );
}

export function DevicePage() {
  const bytes = useSignal<number | undefined>(undefined);
  useEffect(() => {
    void keptBytes().then((found) => (bytes.value = found));
  }, []);
  return (
    <>
      <section>
        <h3>{say("settings-look")}</h3>
        <div class="settings-row">
          <span class="settings-name" id="setting-density">
            {say("settings-density")}
          </span>
          <p>{say("settings-density-hint")}</p>
          <span class="settings-ctl">
            <span class="seg" role="group" aria-labelledby="setting-density">
              {DENSITIES.map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={density.value === one}
                  onClick={() => (density.value = one)}
                >
                  {say(WORDS[one])}
                </button>
              ))}
            </span>
          </span>
        </div>
      </section>
      <InstallRow />
      <section>
        <h3>{say("settings-kept-here")}</h3>
        {bytes.value !== undefined && (
          <p class="settings-fact">
            {say("settings-kept-bytes", { megabytes: (bytes.value / MEGABYTE).toFixed(1) })}
          </p>
        )}
        {!isSecureContext && <p class="settings-fact">{say("settings-insecure")}</p>}
      </section>
    </>
  );
}
