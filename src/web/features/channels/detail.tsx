// A channel beside the list of all: what it is for, who sees it, who is in it, what it is to one.
import { useEffect } from "preact/hooks";
import { addressOf, go } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { formatDay } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { Content } from "../messages/dialogs/history.tsx";
import { sentence } from "../picker/permission.tsx";
import { personOf } from "../people/state.ts";
import { PersonRow } from "../people/row.tsx";
import { channelIcon } from "../typeahead/names.ts";
import { join, leave } from "./actions.ts";
import { kindOf, mayAdministerChannel, mayJoin } from "./asker.ts";
import { channelHome } from "./home.ts";
import { OwnSettings } from "./panel.tsx";
import { retentionWords } from "./retention.ts";
import { channelPageView } from "./route.ts";
import { loadSubscribers, shownFirst } from "./subscribers.ts";
import type { KnownChannel } from "./state.ts";

const SHOWN_MAX = 12;

export function ChannelDetail({ channel: given }: { channel: KnownChannel }) {
  const { stream_id } = given.row;
  keyed(`channel:${stream_id}`, "groups", "users");
  const channel = known()!.channels.channels.get(stream_id) ?? given;
  const { row, standing } = channel;
  const settings = channelPageView(stream_id, row.name, "general");
  return (
    <aside class="detail" aria-label={say("about-channel", { name: row.name })} tabIndex={0}>
      <h2>
        <Colored color={row.color} class="ch">
          <Icon name={channelIcon(row)} />
        </Colored>
        <bdi>{row.name}</bdi>
      </h2>
      <Purpose channel={channel} />
      <div class="acts">
        <Button icon="forward" onClick={() => go(channelHome(stream_id))}>
          {say("open")}
        </Button>
        {mayJoin(known()!, channel) && (
          <Button icon="plus" onClick={() => void join(stream_id)}>
            {say("join-channel")}
          </Button>
        )}
        <a class="btn" data-kind="quiet" href={addressOf(settings)}>
          {say(mayAdministerChannel(known()!, channel) ? "edit-channel" : "channel-all")}
        </a>
        {standing === "subscribed" && (
          <Button kind="quiet" onClick={() => void leave(stream_id)}>
            {say("leave")}
          </Button>
        )}
      </div>
      <Facts channel={channel} />
      {standing === "subscribed" && (
        <>
          <h3>{say("for-you")}</h3>
          <OwnSettings stream_id={stream_id} />
        </>
      )}
      <Members channel={channel} />
    </aside>
  );
}

export function Purpose({ channel: { row } }: { channel: KnownChannel }) {
  keyed(`channel:${row.stream_id}`);
  return (
    <div class="desc">
      {row.description === "" ? say("no-description") : <Content html={row.rendered_description} />}
    </div>
  );
}

export function Facts({ channel: { row } }: { channel: KnownChannel }) {
  keyed(`channel:${row.stream_id}`, "groups", "users");
  const { people } = known()!;
  const maker = row.creator_id === null ? undefined : personOf(people, row.creator_id);
  const since = formatDay(row.date_created, Date.now() / 1000);
  return (
    <dl>
      <dt>{say("who-sees")}</dt>
      <dd>{say(`kind-${kindOf(row).name}`)}</dd>
      <dt>{say("who-writes")}</dt>
      <dd>{sentence(row.can_send_message_group, say("deed-can_send_message_group"), true)}</dd>
      <dt>{say("kept")}</dt>
      <dd>{retentionWords(row.message_retention_days)}</dd>
      <dt>{say("since")}</dt>
      <dd>{maker ? say("since-by", { since, name: maker.full_name }) : since}</dd>
    </dl>
  );
}

function Members({ channel }: { channel: KnownChannel }) {
  const { stream_id, name, subscriber_count } = channel.row;
  keyed(`channel:${stream_id}`, `subscribers:${stream_id}`);
  useEffect(() => void loadSubscribers(stream_id).catch(() => undefined), [stream_id]);
  if (!channel.subscribers) return null;
  const shown = shownFirst(channel.subscribers, SHOWN_MAX);
  const count = channel.isPartial ? subscriber_count : channel.subscribers.size;
  return (
    <>
      <h3>{say("members", { count })}</h3>
      <ul>
        {shown.map((user_id) => (
          <li key={user_id}>
            <PersonRow user_id={user_id} />
          </li>
        ))}
      </ul>
      {count > shown.length && (
        <a
          class="btn"
          data-kind="quiet"
          href={addressOf(channelPageView(stream_id, name, "subscribers"))}
        >
          {say("all-members")}
        </a>
      )}
    </>
  );
}
