// URL schemes that links of messages may have, none of which runs scripts.

const SCHEMES = [
  ...["https?", "ftp", "bitcoin", "geo", "im", "ircs?", "magnet", "mailto", "matrix", "mms"],
  ...["news", "nntp", "openpgp4fpr", "sips?", "sms", "smsto", "ssh", "tel", "urn", "webcal"],
  ...["wtai", "xmpp"],
];

/** A URL with one of the schemes, or without any, which is relative to this server. */
export const LINKED = new RegExp(
  `^(?:(?:${SCHEMES.join("|")}):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))`,
  "i",
);
