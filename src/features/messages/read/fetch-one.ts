// Returns one message, and renders Markdown without sending it.
import Type from "typebox";
import { messageUnrenderable } from "../../../contract/errors/messages.ts";
import { fetchedMessageShape } from "../../../contract/shapes/messages.ts";
import { bool, defaulted, endpoint, int, openEndpoint, text } from "../../../endpoint.ts";
import { accessAsViewer, channelAccessOf } from "../../channels/access.ts";
import { visibilityTo } from "../../people/access.ts";
import { accessMessage } from "../access.ts";
import { renderedBy } from "../content/compose.ts";
import { shownHtml } from "../foreign-media-wire.ts";
import { flagsOf } from "../unread/personal-flags.ts";
import { messageObject } from "../wire.ts";

export const getMessage = openEndpoint({
  summary: "Fetch a message",
  tag: "Messages",
  params: {
    message_id: int,
    apply_markdown: defaulted(bool, true),
    allow_empty_topic_name: defaulted(bool, false),
  },
  answer: Type.Object({ message: fetchedMessageShape, raw_content: Type.String() }),
  run({ realm, user, spelling }, { message_id, apply_markdown, allow_empty_topic_name }) {
    const viewer = accessAsViewer(realm.read, user);
    const message = accessMessage(realm.read, viewer, message_id);
    const canSee = visibilityTo(realm.read, viewer);
    const channelAccess = channelAccessOf(realm.read, viewer);
    const params = { apply_markdown, client_gravatar: false, allow_empty_topic_name, spelling };
    const object = messageObject(realm.read, message, {
      ...params,
      viewer,
      canSee,
      channelAccess,
    });
    const flags = flagsOf(realm.read, viewer, message);
    return { message: { ...object, flags }, raw_content: message.content };
  },
});

export const renderMessage = endpoint({
  summary: "Render Markdown as in a message",
  tag: "Messages",
  params: { content: text },
  answer: Type.Object({ rendered: Type.String() }),
  run({ realm, user }, { content }) {
    const rendered = renderedBy(realm.read, user, content);
    if (!rendered) throw messageUnrenderable();
    return { rendered: shownHtml(realm.read, rendered.html) };
  },
});
