// The About dialog: version, API level and license of the server.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { getServerSettings } from "../../features/organization/server-settings.ts";
import type { AnswerOf } from "../api/call.ts";
import { Dialog } from "../ui/dialog.tsx";
import { openLayer } from "../ui/layers.ts";
import { t } from "../words/words.ts";

type Facts = AnswerOf<typeof getServerSettings>;

export function openAbout(onClose: () => void): void {
  openLayer("about", <About />, onClose);
}

function About() {
  const text = useSignal(t("settings-loading"));
  useEffect(() => {
    const show = (result: string) => (text.value = result);
    fetchFacts().then(
      (facts) => show(factsIn(facts)),
      () => show(t("load-failed")),
    );
  }, []);
  return (
    <Dialog id="about" title={t("about-skein")}>
      <div class="form">
        <p role="status">{text.value}</p>
        <p>{t("about-license")}</p>
      </div>
    </Dialog>
  );
}

/** Requested again, because the server may have been updated since the page was loaded. */
async function fetchFacts(): Promise<Facts> {
  const response = await fetch("/api/v1/server_settings");
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

const factsIn = ({ skein_version, zulip_version, zulip_feature_level }: Facts) =>
  t("about-version", {
    version: skein_version,
    protocol: zulip_version,
    level: `${zulip_feature_level}`,
  });
