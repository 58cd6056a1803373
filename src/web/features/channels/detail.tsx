// Details of a channel beside the list: description, visibility, subscribers and own settings.
import { useEffect } from "preact/hooks";
import { addressOf, go } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { formatDay } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { Content } from "../page/content.tsx";
import { sentence } from "../picker/permission.tsx";
import { personOf } from "../people/state.ts";
import { PersonRow } from "../people/row.tsx";
import { channelIcon } from "../typeahead/names.ts";
import { joinChannel, leaveChannel } from "./actions.ts";
import { kindOf, canJoin } from "./permissions.ts";
import { channelHome } from "./home-selectors.ts";
import { OwnSettings } from "./panel.tsx";
import { retentionText } from "./retention.ts";
import { channelPageView } from "./route-rules.ts";
import { loadSubscribers, firstSubscribers } from "./subscriber-actions.ts";
import type { KnownChannel } from "./state.ts";

const SUBSCRIBERS_SHOWN_MAX = 12;

export function ChannelDetail({ channel: initialChannel }: { channel: KnownChannel }) {
  const { stream_id } = initialChannel.row;
  subscribe(`channel:${stream_id}`, "groups", "users");
  const channel = getState().channels.channels.get(stream_id) ?? initialChannel;
  const { row, membership } = channel;
  const settings = channelPageView(stream_id, row.name, "general");
  return (
    <aside class="detail" aria-label={t("about-channel", { name: row.name })} tabIndex={0}>
      <h2>
        <Colored color={row.color} class="ch">
          <Icon name={channelIcon(row)} />
        </Colored>
        <bdi>{row.name}</bdi>
      </h2>
      <ChannelDescription channel={channel} />
      <div class="acts">
        <Button icon="forward" onClick={() => go(channelHome(stream_id))}>
          {t("open")}
        </Button>
        {canJoin(getState(), channel) && (
          <Button icon="plus" onClick={() => void joinChannel(stream_id)}>
            {t("join-channel")}
          </Button>
        )}
        <a class="btn" data-kind="quiet" href={addressOf(settings)}>
          {t("channel-all")}
        </a>
        {membership === "subscribed" && (
          <Button kind="quiet" onClick={() => void leaveChannel(stream_id)}>
            {t("leave")}
          </Button>
        )}
      </div>
      <ChannelFacts channel={channel} />
      {membership === "subscribed" && (
        <>
          <h3>{t("for-you")}</h3>
          <OwnSettings stream_id={stream_id} />
        </>
      )}
      <Members channel={channel} />
    </aside>
  );
}

export function ChannelDescription({ channel: { row } }: { channel: KnownChannel }) {
  subscribe(`channel:${row.stream_id}`);
  return (
    <div class="desc">
      {row.description === "" ? t("no-description") : <Content html={row.rendered_description} />}
    </div>
  );
}

export function ChannelFacts({ channel: { row } }: { channel: KnownChannel }) {
  subscribe(`channel:${row.stream_id}`, "groups", "users");
  const { people } = getState();
  const maker = row.creator_id === null ? undefined : personOf(people, row.creator_id);
  const since = formatDay(row.date_created, Date.now() / 1000);
  return (
    <dl>
      <dt>{t("channel-privacy")}</dt>
      <dd>{t(`kind-${kindOf(row).name}`)}</dd>
      <dt>{t("who-can-post")}</dt>
      <dd>
        {sentence(row.can_send_message_group, t("channel-action-can_send_message_group"), true)}
      </dd>
      <dt>{t("retention")}</dt>
      <dd>{retentionText(row.message_retention_days)}</dd>
      <dt>{t("since")}</dt>
      <dd>{maker ? t("since-by", { since, name: maker.full_name }) : since}</dd>
    </dl>
  );
}

function Members({ channel }: { channel: KnownChannel }) {
  const { stream_id, name, subscriber_count } = channel.row;
  subscribe(`channel:${stream_id}`, `subscribers:${stream_id}`);
  useEffect(() => void loadSubscribers(stream_id).catch(() => undefined), [stream_id]);
  if (!channel.subscribers) return null;
  const subscribers = firstSubscribers(channel.subscribers, SUBSCRIBERS_SHOWN_MAX);
  const count = channel.isPartial ? subscriber_count : channel.subscribers.size;
  return (
    <>
      <h3>{t("members", { count })}</h3>
      <ul>
        {subscribers.map((user_id) => (
          <li key={user_id}>
            <PersonRow user_id={user_id} />
          </li>
        ))}
      </ul>
      {count > subscribers.length && (
        <a
          class="btn"
          data-kind="quiet"
          href={addressOf(channelPageView(stream_id, name, "subscribers"))}
        >
          {t("all-members")}
        </a>
      )}
    </>
  );
}
