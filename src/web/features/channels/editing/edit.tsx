// A channel's own page: what it is, who sees it, who may what, who is in it; each saved alone.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { go } from "../../../address.ts";
import { editChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, known } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { SaveRow } from "../../../ui/form/save-row.tsx";
import { useRight, useSaving } from "../../../ui/saving.ts";
import { say } from "../../../words/words.ts";
import { PageHead } from "../../frame/page-head.tsx";
import { join, leave } from "../actions.ts";
import {
  isAdministrator,
  isOwner,
  kindOf,
  mayAdministerChannel,
  mayJoin,
  maySetTopics,
} from "../asker.ts";
import { Archive } from "./archive.tsx";
import { ChannelAddress } from "./mail-address.tsx";
import { Facts, Purpose } from "../detail.tsx";
import {
  DescriptionField,
  FolderField,
  NameField,
  RetentionField,
  Saved,
  SwitchField,
  TopicsField,
} from "./fields.tsx";
import { channelHome } from "../home.ts";
import { useChannelKeys } from "../keys.ts";
import { Members } from "./members.tsx";
import { RightsPart } from "./rights.tsx";
import { Visibility } from "./visibility.tsx";
import { OwnSettings } from "../panel.tsx";
import { retentionAsked } from "../retention.ts";
import { listView, type Section } from "../route.ts";
import type { KnownChannel } from "../state.ts";
import { loadSubscribers } from "../subscribers.ts";

export function ChannelEditor({ stream_id, section }: { stream_id: number; section: Section }) {
  keyed(`channel:${stream_id}`, "channels", "groups", "folders", "users", "realm");
  const state = known()!;
  const channel = state.channels.channels.get(stream_id);
  const may = channel !== undefined && mayAdministerChannel(state, channel);
  useRight(channel !== undefined, () => go(listView()));
  useRight(may, () => undefined);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (section === "general") return;
    const part = body.current?.querySelector<HTMLElement>(`[data-part="${section}"]`);
    part?.scrollIntoView({ block: "start" });
    part?.focus({ preventScroll: true });
  }, [section, stream_id]);
  useChannelKeys(stream_id);
  useEffect(() => void loadSubscribers(stream_id).catch(() => undefined), [stream_id]);
  if (!channel) {
    return (
      <>
        <PageHead title={say("channel")} list={listView()} />
        <p class="empty-note">{say("no-such-channel")}</p>
      </>
    );
  }
  return (
    <>
      <PageHead title={channel.row.name} list={listView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={channel.row.name} ref={body}>
        <div class="in">
          <Top channel={channel} />
          {may ? <General channel={channel} /> : <About channel={channel} />}
          {may && <Choices channel={channel} />}
          <RightsPart channel={channel} may={may} />
          <section data-part="subscribers" tabIndex={-1}>
            <Members channel={channel} />
          </section>
          {channel.standing === "subscribed" && (
            <section data-part="personal" tabIndex={-1}>
              <h2>{say("for-you")}</h2>
              <OwnSettings stream_id={stream_id} />
              <ChannelAddress stream_id={stream_id} />
            </section>
          )}
          {may && <Archive channel={channel} />}
        </div>
      </div>
    </>
  );
}

function Top({ channel }: { channel: KnownChannel }) {
  keyed(`channel:${channel.row.stream_id}`);
  const { stream_id, is_archived } = channel.row;
  return (
    <div class="save-row page-top">
      {is_archived && (
        <span class="tag" data-kind="warn">
          {say("archived")}
        </span>
      )}
      <Button icon="forward" onClick={() => go(channelHome(stream_id))}>
        {say("open")}
      </Button>
      {mayJoin(known()!, channel) && (
        <Button icon="plus" onClick={() => void join(stream_id)}>
          {say("join-channel")}
        </Button>
      )}
      {channel.standing === "subscribed" && (
        <Button kind="quiet" onClick={() => void leave(stream_id)}>
          {say("leave")}
        </Button>
      )}
    </div>
  );
}

function About({ channel }: { channel: KnownChannel }) {
  return (
    <>
      <Purpose channel={channel} />
      <Facts channel={channel} />
    </>
  );
}

/** Input stays until it is saved, also after an error. */
function General({ channel: { row } }: { channel: KnownChannel }) {
  keyed(`channel:${row.stream_id}`);
  const saving = useSaving();
  const name = useSignal<string | undefined>(undefined);
  const description = useSignal<string | undefined>(undefined);
  const { stream_id } = row;
  const save = async (part: "name" | "description", typed: Signal<string | undefined>) => {
    const value = (typed.value ?? "").trim();
    if (typed.value === undefined || value === row[part]) {
      typed.value = undefined;
      return;
    }
    const change = part === "name" ? { new_name: value } : { description: value };
    const isDone = await saving.save(part, () => editChannel(sync, { stream_id, ...change }));
    if (isDone) typed.value = undefined;
  };
  const isDirty = name.value !== undefined || description.value !== undefined;
  const drop = () => {
    name.value = description.value = undefined;
    saving.wrong.value = {};
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save("name", name).then(() => save("description", description));
      }}
    >
      <NameField
        value={name.value ?? row.name}
        icon={kindOf(row).icon}
        wrong={saving.wrong.value["name"]}
        onInput={(value) => {
          name.value = value;
          saving.forget("name");
        }}
      />
      <DescriptionField
        value={description.value ?? row.description}
        wrong={saving.wrong.value["description"]}
        onInput={(value) => {
          description.value = value;
          saving.forget("description");
        }}
      />
      {isDirty && <SaveRow onCancel={drop} isBusy={saving.busy.value !== undefined} />}
      {!isDirty && saving.saved.value !== undefined && <Saved />}
    </form>
  );
}

/** Each choice is saved at once, except visibility, which asks for confirmation. */
function Choices({ channel: { row } }: { channel: KnownChannel }) {
  keyed(`channel:${row.stream_id}`, "channels", "folders");
  const saving = useSaving();
  const state = known()!;
  const { stream_id } = row;
  const save = (part: string, change: object) =>
    void saving.save(part, () => editChannel(sync, { stream_id, ...change }));
  const of = (part: string) => ({
    wrong: saving.wrong.value[part],
    isSaved: saving.saved.value === part,
  });
  return (
    <section>
      <Visibility channel={row} />
      <div>
        <FolderField
          value={row.folder_id}
          {...of("folder")}
          onChange={(folder_id) => save("folder", { folder_id })}
        />
        <TopicsField
          value={row.topics_policy}
          may={maySetTopics(state)}
          {...of("topics")}
          onChange={(topics_policy) => save("topics", { topics_policy })}
        />
        <RetentionField
          value={row.message_retention_days}
          why={isOwner(state) ? undefined : say("org-owners-only")}
          {...of("retention")}
          onChange={(days) => save("retention", { message_retention_days: retentionAsked(days) })}
        />
        {isAdministrator(state) && (
          <SwitchField
            label={say("default-channel")}
            value={state.channels.defaults.includes(stream_id)}
            why={row.invite_only ? say("private-is-closed") : undefined}
            {...of("default")}
            onChange={(is_default_stream) => save("default", { is_default_stream })}
          />
        )}
      </div>
    </section>
  );
}
