// Shows which devices can open a link, and how to make it reachable for others.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loopbackHost } from "../../../../text/input/loopback.ts";
import { fetchLocalNetwork, type LocalNetwork } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { t } from "../../../words/words.ts";

/** The addresses of the server in the local network, if the link is a loopback one. */
export function useLocalNetwork(link: string): Signal<LocalNetwork | undefined> {
  const network = useSignal<LocalNetwork | undefined>(undefined);
  const isLoopback = loopbackHost(link) !== undefined;
  useEffect(() => {
    if (!isLoopback) return;
    fetchLocalNetwork(sync, {}).then(
      (response) => (network.value = response),
      () => undefined,
    );
  }, [isLoopback]);
  return network;
}

/** The link at an address that devices of the local network open, where there is one. */
export function sharedLink(link: string, network: LocalNetwork | undefined): string {
  const [url] = network?.is_listening ? network.urls : [];
  if (url === undefined || loopbackHost(link) === undefined) return link;
  return link.replace(new URL(link).origin, url);
}

/** Below a link: who cannot open it, and the flags that change this. */
export function Reachability({
  link,
  network,
}: {
  link: string;
  network: LocalNetwork | undefined;
}) {
  const host = loopbackHost(link);
  if (host === undefined) return null;
  if (sharedLink(link, network) !== link) {
    return <p class="hint">{t("reach-in-network", { host })}</p>;
  }
  const { port, protocol } = new URL(link);
  const ownAddress = network?.urls[0] ?? `${protocol}//${t("reach-your-ip")}${port && `:${port}`}`;
  return (
    <div class="settings-reach" role="status">
      <p class="hint">{t("reach-only-here", { host })}</p>
      <dl>
        <dt>{t("reach-flags-network")}</dt>
        <dd>
          <code>{`--listen 0.0.0.0:${port || "80"} --url ${ownAddress}`}</code>
        </dd>
        <dt>{t("reach-flags-internet")}</dt>
        <dd>
          <code>--https chat.example.org</code>
        </dd>
      </dl>
    </div>
  );
}
