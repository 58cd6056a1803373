// Fetching one message, and rendering what is not sent.
import { bool, defaulted, endpoint, int, openEndpoint, text } from "../../endpoint.ts";
import { messageUnrenderable } from "../../errors-messages.ts";
import { accessAsViewer } from "../channels/access.ts";
import { accessMessage } from "./access.ts";
import { renderedBy } from "./compose.ts";
import { flagsOf } from "./marks.ts";
import { messageObject } from "./wire.ts";
import { sightOf } from "../users/access.ts";

export const getMessage = openEndpoint({
  params: {
    message_id: int,
    apply_markdown: defaulted(bool, true),
    allow_empty_topic_name: defaulted(bool, false),
  },
  run({ realm, user, spelling }, { message_id, apply_markdown, allow_empty_topic_name }) {
    const viewer = accessAsViewer(realm.read, user);
    const message = accessMessage(realm.read, viewer, message_id);
    const sees = sightOf(realm.read, viewer);
    const asked = { apply_markdown, client_gravatar: false, allow_empty_topic_name, spelling };
    const object = messageObject(realm.read, message, { ...asked, viewer, sees });
    const flags = flagsOf(realm.read, viewer, message);
    return { message: { ...object, flags }, raw_content: message.content };
  },
});

export const renderMessage = endpoint({
  params: { content: text },
  run({ realm, user }, { content }) {
    const rendered = renderedBy(realm.read, user, content);
    if (!rendered) throw messageUnrenderable();
    return { rendered: rendered.html };
  },
});
