// The one emoji that is an image in every organization.

export const EXTRA_EMOJI_NAME = "zulip";
export const EXTRA_EMOJI_URL = "/static/generated/emoji/images/emoji/unicode/zulip.png";
