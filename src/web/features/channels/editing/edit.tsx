// The settings page of a channel, whose sections are saved separately.
import { useEffect, useRef } from "preact/hooks";
import { go } from "../../../store/address.ts";
import { editChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { SavedPart } from "../../../ui/form/saved-note.tsx";
import { useSavedTexts } from "../../../ui/form/saved-texts.tsx";
import { useLeaveWithoutPermission, useSaving } from "../../../ui/saving.ts";
import { t } from "../../../words/words.ts";
import { PageHead } from "../../page/page-head.tsx";
import { joinChannel, leaveChannel } from "../actions.ts";
import { ChannelNotFound } from "../not-found.tsx";
import {
  isAdministrator,
  isOwner,
  kindOf,
  canAdministerChannel,
  canJoin,
  canSetTopics,
} from "../permissions.ts";
import { Archive } from "./archive.tsx";
import { ChannelAddress } from "./mail-address.tsx";
import { ChannelFacts, ChannelDescription } from "../detail.tsx";
import {
  DescriptionField,
  FolderField,
  NameField,
  RetentionField,
  SwitchField,
  TopicsField,
} from "./fields.tsx";
import { channelHome } from "../home-selectors.ts";
import { useChannelKeys } from "../commands.ts";
import { Members } from "./members.tsx";
import { SavedPermissions } from "./saved-permissions.tsx";
import { Visibility } from "./visibility.tsx";
import { OwnSettings } from "../panel.tsx";
import { retentionAsked } from "../retention.ts";
import { listView, type ChannelSection } from "../route-rules.ts";
import type { KnownChannel } from "../state.ts";
import { loadSubscribers } from "../subscriber-actions.ts";

export function ChannelEditor({
  stream_id,
  section,
}: {
  stream_id: number;
  section: ChannelSection;
}) {
  subscribe(`channel:${stream_id}`, "channels", "groups", "folders", "users", "realm");
  const state = getState();
  const channel = state.channels.channels.get(stream_id);
  const canChange = channel !== undefined && canAdministerChannel(state, channel);
  useLeaveWithoutPermission(channel !== undefined, () => go(listView()));
  useLeaveWithoutPermission(canChange, () => undefined);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (section === "general") return;
    const element = body.current?.querySelector<HTMLElement>(`[data-part="${section}"]`);
    element?.scrollIntoView({ block: "start" });
    element?.focus({ preventScroll: true });
  }, [section, stream_id]);
  useChannelKeys(stream_id);
  useEffect(() => void loadSubscribers(stream_id).catch(() => undefined), [stream_id]);
  if (!channel) {
    return (
      <>
        <PageHead title={t("channel")} list={listView()} />
        <ChannelNotFound />
      </>
    );
  }
  return (
    <>
      <PageHead title={channel.row.name} list={listView()} />
      <div class="page-body" role="region" aria-label={channel.row.name} ref={body}>
        <div class="in">
          <Top channel={channel} />
          {canChange ? <General channel={channel} /> : <About channel={channel} />}
          {canChange && <Choices channel={channel} />}
          <SavedPermissions channel={channel} canChange={canChange} />
          <section data-part="subscribers" tabIndex={-1}>
            <Members channel={channel} />
          </section>
          {channel.membership === "subscribed" && (
            <section data-part="personal" tabIndex={-1}>
              <h2>{t("for-you")}</h2>
              <OwnSettings stream_id={stream_id} />
              <ChannelAddress stream_id={stream_id} />
            </section>
          )}
          {canChange && <Archive channel={channel} />}
        </div>
      </div>
    </>
  );
}

function Top({ channel }: { channel: KnownChannel }) {
  subscribe(`channel:${channel.row.stream_id}`);
  const { stream_id, is_archived } = channel.row;
  return (
    <div class="save-row page-top">
      {is_archived && (
        <span class="tag" data-kind="warn">
          {t("archived")}
        </span>
      )}
      <Button icon="forward" onClick={() => go(channelHome(stream_id))}>
        {t("open")}
      </Button>
      {canJoin(getState(), channel) && (
        <Button icon="plus" onClick={() => void joinChannel(stream_id)}>
          {t("join-channel")}
        </Button>
      )}
      {channel.membership === "subscribed" && (
        <Button kind="quiet" onClick={() => void leaveChannel(stream_id)}>
          {t("leave")}
        </Button>
      )}
    </div>
  );
}

function About({ channel }: { channel: KnownChannel }) {
  return (
    <>
      <ChannelDescription channel={channel} />
      <ChannelFacts channel={channel} />
    </>
  );
}

/** Each text is saved when the user leaves its field. */
function General({ channel: { row } }: { channel: KnownChannel }) {
  subscribe(`channel:${row.stream_id}`);
  const { stream_id } = row;
  const { name, description } = useSavedTexts(row, {
    name: (new_name) => editChannel(sync, { stream_id, new_name }),
    description: (text) => editChannel(sync, { stream_id, description: text }),
  });
  return (
    <div class="form">
      <NameField {...name} icon={kindOf(row).icon} />
      <DescriptionField {...description} />
    </div>
  );
}

/** Each choice is saved at once, except visibility, which asks for confirmation. */
function Choices({ channel: { row } }: { channel: KnownChannel }) {
  subscribe(`channel:${row.stream_id}`, "channels", "folders");
  const saving = useSaving();
  const state = getState();
  const { stream_id } = row;
  const set = (change: object) => editChannel(sync, { stream_id, ...change });
  const save = (savedKey: string, change: object, before: object) =>
    void saving.save(
      savedKey,
      () => set(change),
      () => set(before),
    );
  const savedPart = (savedKey: string) => ({
    error: saving.errors.value[savedKey],
    beside: <SavedPart saving={saving} part={savedKey} />,
  });
  return (
    <section>
      <Visibility channel={row} />
      <div>
        <FolderField
          value={row.folder_id}
          {...savedPart("folder")}
          onChange={(folder_id) => save("folder", { folder_id }, { folder_id: row.folder_id })}
        />
        <TopicsField
          value={row.topics_policy}
          canChange={canSetTopics(state)}
          {...savedPart("topics")}
          onChange={(topics_policy) =>
            save("topics", { topics_policy }, { topics_policy: row.topics_policy })
          }
        />
        <RetentionField
          value={row.message_retention_days}
          why={isOwner(state) ? undefined : t("org-owners-only")}
          {...savedPart("retention")}
          onChange={(days) =>
            save(
              "retention",
              { message_retention_days: retentionAsked(days) },
              { message_retention_days: retentionAsked(row.message_retention_days) },
            )
          }
        />
        {isAdministrator(state) && (
          <SwitchField
            label={t("default-channel")}
            value={state.channels.defaults.includes(stream_id)}
            why={row.invite_only ? t("not-for-private-channels") : undefined}
            {...savedPart("default")}
            onChange={(is_default_stream) =>
              save("default", { is_default_stream }, { is_default_stream: !is_default_stream })
            }
          />
        )}
      </div>
    </section>
  );
}
