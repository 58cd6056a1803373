// The channels with their own message retention period.
import { addressOf } from "../../../store/address.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { t } from "../../../words/words.ts";
import { retentionText } from "../../channels/retention.ts";
import { channelPageView } from "../../channels/route-rules.ts";
import { compareNames } from "../../../matching.ts";

export function ChannelRetention() {
  subscribe("channels");
  const withOwnRetention = [...getState().channels.channels.values()]
    .map(({ row }) => row)
    .filter((row) => !row.is_archived && row.message_retention_days !== null)
    .sort((a, b) => compareNames(a.name, b.name));
  return (
    <section>
      <h3>{t("org-retention-overrides")}</h3>
      <p class="settings-intro">
        {t(
          withOwnRetention.length === 0
            ? "org-retention-no-overrides"
            : "org-retention-overrides-hint",
        )}
      </p>
      <ul class="settings-list">
        {withOwnRetention.map((row) => (
          <li key={row.stream_id}>
            <a href={addressOf(channelPageView(row.stream_id, row.name, "general"))}>
              <bdi>#{row.name}</bdi>
            </a>
            <span>{retentionText(row.message_retention_days)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
