// The channels that keep messages for another time than the organization.
import { addressOf } from "../../../address.ts";
import { keyed, now } from "../../../live.ts";
import { say } from "../../../words/words.ts";
import { retentionWords } from "../../channels/retention.ts";
import { channelPageView } from "../../channels/route.ts";
import { compareNames } from "../../../matching.ts";

export function KeptByChannels() {
  keyed("channels");
  const own = [...now().channels.channels.values()]
    .map(({ row }) => row)
    .filter((row) => !row.is_archived && row.message_retention_days !== null)
    .sort((a, b) => compareNames(a.name, b.name));
  return (
    <section>
      <h3>{say("org-kept-otherwise")}</h3>
      <p class="settings-intro">
        {say(own.length === 0 ? "org-kept-alike" : "org-kept-otherwise-hint")}
      </p>
      <ul class="settings-list">
        {own.map((row) => (
          <li key={row.stream_id}>
            <a href={addressOf(channelPageView(row.stream_id, row.name, "general"))}>
              <bdi>#{row.name}</bdi>
            </a>
            <span>{retentionWords(row.message_retention_days)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
