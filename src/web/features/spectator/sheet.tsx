// The page of spectators: public channels, their topics and messages.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { addressOf, go } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { IconButton } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { copyText } from "../../ui/copy.ts";
import { Icon } from "../../ui/icon.tsx";
import { channelView, conversationOf, topicView, type View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { topicName } from "../conversation/selectors.ts";
import { viewAtMessage } from "../conversation/move-actions.ts";
import { Messages } from "../conversation/view.tsx";
import { valueOf } from "../../content/item-at.ts";
import { SidebarButton } from "../page/sidebar-button.tsx";
import { fetchMessage } from "../../api/calls.ts";
import { sync } from "../../sync/session.ts";
import { newestTopics } from "../sidebar/selectors.ts";
import { sentenceOf } from "../search/selectors.ts";
import { isResolved, unresolved } from "../topics/rules.ts";
import { loadTopics } from "../topics/load-actions.ts";
import { isReached } from "./data.ts";
import { isSearch, openChannels, spectatorViewOf } from "./public-views.ts";
import { removeControls } from "./remove-controls.ts";
import { SpectatorSearch } from "./search.tsx";
import { SignInOffer, SignIn } from "./sign-in.tsx";
import { descriptionText } from "../channels/selectors.ts";

export function SpectatorSheet({ shown: requestedView }: { shown: View }) {
  subscribe("channels");
  const content = spectatorViewOf(requestedView);
  if (content.kind === "home") return <Home />;
  if (content.kind === "members") return <Members />;
  if (content.kind === "topics")
    return <Topics key={content.stream_id} stream_id={content.stream_id} />;
  if (isSearch(content.terms)) return <SearchView terms={content.terms} />;
  return <Conversation terms={content.terms} />;
}

interface HeadProps {
  title: ComponentChildren;
  sub?: string;
  actions?: ComponentChildren;
  /** The terms of the search, or those that it is limited to. */
  searched?: readonly NarrowTerm[];
}

function Head({ title, sub, actions, searched }: HeadProps) {
  return (
    <div>
      <header class="bar">
        <SidebarButton />
        <div class="bar-main">
          <h1>{title}</h1>
          {sub !== undefined && <p class="sub">{sub}</p>}
        </div>
        <div class="bar-acts">
          {actions}
          <SignIn isQuiet />
        </div>
      </header>
      {searched && <SpectatorSearch terms={searched} />}
      {!isReached.value && (
        <div class="status-banner" role="status">
          <Icon name="offline" size={18} />
          {t("visit-offline")}
        </div>
      )}
    </div>
  );
}

function CopyLink() {
  const copy = () => copyText(location.href, t("link-copied"));
  return <IconButton icon="link" label={t("copy-link")} onClick={copy} />;
}

function Home() {
  subscribe("realm", "channels");
  const state = getState();
  const name = String(state.organization.fields["realm_name"] ?? "");
  const channels = openChannels(state);
  return (
    <>
      <Head title={<bdi class="tp">{name}</bdi>} sub={t("visit-open")} searched={[]} />
      <div class="scroll" role="region" aria-label={t("open-channels")} tabIndex={-1}>
        <div class="col spectator-list">
          {channels.length === 0 && <p class="empty-note">{t("visit-none")}</p>}
          <ul>
            {channels.map(({ row }) => (
              <PlaceLink
                key={row.stream_id}
                name={row.name}
                line={descriptionText(row)}
                address={addressOf({ kind: "topics", stream_id: row.stream_id })}
                stream_id={row.stream_id}
              />
            ))}
          </ul>
        </div>
      </div>
      <SignInOffer />
    </>
  );
}

interface PlaceProps {
  name: string;
  line?: string;
  address: string;
  /** For channels, which show their icon. */
  stream_id?: number;
  isDone?: boolean;
}

function PlaceLink({ name, line = "", address, stream_id, isDone = false }: PlaceProps) {
  const words = stream_id === undefined ? undefined : barOf({ stream_id, topic: "" });
  return (
    <li class="list-row">
      <div class="lead">
        {words ? (
          <Colored color={words.color} class="ch">
            <Icon name={words.icon} />
          </Colored>
        ) : (
          <span />
        )}
        <div>
          <p class="top">
            {isDone && <Icon name="resolve" size={16} />}
            <b>
              <a href={address} dir="auto">
                {name}
              </a>
            </b>
            {isDone && <span class="vh">{t("resolved")}</span>}
          </p>
          {line !== "" && (
            <p class="pre" dir="auto">
              {line}
            </p>
          )}
        </div>
      </div>
    </li>
  );
}

function Topics({ stream_id }: { stream_id: number }) {
  subscribe(`channel:${stream_id}`, `topics:${stream_id}`, "channels");
  useEffect(() => {
    loadTopics(stream_id).catch(() => undefined);
  }, [stream_id]);
  const state = getState();
  const row = valueOf(state.channels.channels, stream_id).row;
  const topics = newestTopics(state, stream_id);
  const all = addressOf(channelView(stream_id));
  return (
    <>
      <Head
        title={
          <>
            <Colored color={row.color} class="ch">
              <Icon name="globe" />
            </Colored>
            <bdi class="tp">{row.name}</bdi>
          </>
        }
        sub={descriptionText(row) || t("visit-open")}
        searched={[{ operator: "channel", operand: `${stream_id}`, negated: false }]}
        actions={
          <>
            <CopyLink />
            <a class="btn spectator-all" href={all}>
              {t("messages")}
            </a>
          </>
        }
      />
      <div class="scroll" role="region" aria-label={t("topics")} tabIndex={-1}>
        <div class="col spectator-list">
          {topics.length === 0 && state.topics.completeChannels.has(stream_id) && (
            <p class="empty-note">{t("no-messages")}</p>
          )}
          <ul>
            {topics.map(({ name }) => (
              <PlaceLink
                key={name}
                name={topicName(unresolved(name))}
                address={addressOf(topicView(stream_id, name))}
                isDone={isResolved(name)}
              />
            ))}
          </ul>
        </div>
      </div>
      <SignInOffer />
    </>
  );
}

function Conversation({ terms }: { terms: readonly NarrowTerm[] }) {
  subscribe("channels", "realm");
  const state = getState();
  const { me } = state.people;
  const conversation = conversationOf(terms, me);
  const stream_id = Number(terms.find(({ operator }) => operator === "channel")?.operand);
  const row = state.channels.channels.get(stream_id)?.row;
  const topic = conversation && "topic" in conversation ? conversation.topic : undefined;
  useFollowed(terms);
  return (
    <>
      <Head
        title={
          <>
            {row && (
              <Colored color={row.color} class="ch">
                <Icon name="globe" />
              </Colored>
            )}
            {row && (
              <Colored color={row.color}>
                <a class="crumb" href={addressOf({ kind: "topics", stream_id })}>
                  <bdi>{row.name}</bdi>
                </a>
              </Colored>
            )}
            {topic !== undefined && (
              <span class="sl" aria-hidden="true">
                ›
              </span>
            )}
            {topic !== undefined && isResolved(topic) && <Icon name="resolve" size={18} />}
            {(topic !== undefined || !row) && (
              <bdi class="tp">
                {topic === undefined ? t("everything") : topicName(unresolved(topic))}
              </bdi>
            )}
          </>
        }
        sub={t("visit-open")}
        actions={<CopyLink />}
      />
      <Messages terms={terms} removeControls={removeControls} />
      <SignInOffer />
    </>
  );
}

function SearchView({ terms }: { terms: readonly NarrowTerm[] }) {
  subscribe("channels", "users");
  return (
    <>
      <Head
        title={<bdi class="tp">{t("search")}</bdi>}
        sub={sentenceOf(terms)}
        actions={<CopyLink />}
        searched={terms}
      />
      <Messages terms={terms} removeControls={removeControls} />
      <SignInOffer />
    </>
  );
}

/** A link to a message that was moved leads to its current place. */
function useFollowed(terms: readonly NarrowTerm[]): void {
  const message_id = Number(terms.find(({ operator }) => operator === "with")?.operand);
  useEffect(() => {
    if (!(message_id > 0)) return;
    fetchMessage(sync, { message_id, allow_empty_topic_name: true }).then(
      ({ message }) => go(viewAtMessage(message), { replace: true }),
      () => undefined,
    );
  }, [message_id]);
}

function Members() {
  return (
    <>
      <Head title={<bdi class="tp">{t("visit-members")}</bdi>} />
      <div class="scroll">
        <div class="col">
          <div class="empty-note">
            <p>{t("visit-members-more")}</p>
            <SignIn />
          </div>
        </div>
      </div>
    </>
  );
}
