// URL schemes that links of messages may have, none of which runs scripts.

const SCHEMES = [
  ...["https?", "ftp", "bitcoin", "geo", "im", "ircs?", "magnet", "mailto", "matrix", "mms"],
  ...["news", "nntp", "openpgp4fpr", "sips?", "sms", "smsto", "ssh", "tel", "urn", "webcal"],
  ...["wtai", "xmpp"],
];

/** An address in one of the schemes, or one without any, which is ours. */
export const LINKED = new RegExp(
  `^(?:(?:${SCHEMES.join("|")}):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))`,
  "i",
);
