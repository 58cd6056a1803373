// The pinned messages of a channel, in the panel at the side.
import type { Pin } from "../../api/channel-extras-calls.ts";
import { addressOf } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { IconButton } from "../../ui/button.tsx";
import { topicView } from "../../views.ts";
import { formatShortDay } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { TopicName } from "../page/topic-name.tsx";
import { personOf } from "../people/state.ts";
import { unpinMessage } from "./actions.ts";
import { canPin } from "./permissions.ts";
import { usePins } from "./pins-sync.ts";

export function PinsPanel({ stream_id }: { stream_id: number }) {
  subscribe("users", "channels");
  const pins = usePins(stream_id);
  if (pins.length === 0) return null;
  return (
    <section class="panel-files panel-pins" aria-label={t("pinned-messages")}>
      <h2>{t("pinned-messages")}</h2>
      <ul>
        {pins.map((pin) => (
          <Row key={pin.message_id} pin={pin} />
        ))}
      </ul>
    </section>
  );
}

function Row({ pin }: { pin: Pin }) {
  subscribe("users", "channels");
  const { message_id, stream_id, topic, sender_id, excerpt, pinned_by, pinned_at } = pin;
  const { people } = getState();
  const nameOf = (id: number) => personOf(people, id)?.full_name ?? t("unknown-user");
  const when = formatShortDay(pinned_at, Date.now() / 1000);
  const messageLink = topicView(stream_id, topic, { operator: "near", id: message_id });
  return (
    <li>
      <a href={addressOf(messageLink)}>
        <span dir="auto">
          <b>{nameOf(sender_id)}</b> {excerpt === "" ? t("pinned-without-text") : excerpt}
        </span>
        <small>
          <TopicName topic={topic} /> · {t("pinned-by", { name: nameOf(pinned_by), when })}
        </small>
      </a>
      {canPin(stream_id) && (
        <IconButton
          icon="x"
          size="xs"
          label={t("unpin-message")}
          onClick={() => void unpinMessage({ id: message_id, stream_id })}
        />
      )}
    </li>
  );
}
