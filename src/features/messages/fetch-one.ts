// Fetching one message, and rendering what is not sent.
import { bool, defaulted, endpoint, int, text } from "../../endpoint.ts";
import { messageUnrenderable } from "../../errors.ts";
import { accessMessage } from "./access.ts";
import { renderedBy } from "./compose.ts";
import { flagsOf } from "./marks.ts";
import { messageObject } from "./wire.ts";
import { sightOf } from "../users/access.ts";

export const getMessage = endpoint({
  params: {
    message_id: int,
    apply_markdown: defaulted(bool, true),
    allow_empty_topic_name: defaulted(bool, false),
  },
  run({ realm, user, spelling }, { message_id, apply_markdown, allow_empty_topic_name }) {
    const message = accessMessage(realm.read, user, message_id);
    const sees = sightOf(realm.read, user);
    const form = { apply_markdown, client_gravatar: false, allow_empty_topic_name, spelling, sees };
    const object = messageObject(realm.read, message, form);
    const flags = flagsOf(realm.read, user, message);
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
