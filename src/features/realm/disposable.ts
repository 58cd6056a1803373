// Domains that give mailboxes to throw away: the ones that are met most.

export const DISPOSABLE_DOMAINS: ReadonlySet<string> = new Set([
  ...["10minutemail.com", "10minutemail.net", "33mail.com", "anonbox.net", "burnermail.io"],
  ...["discard.email", "discardmail.com", "dispostable.com", "dropmail.me", "emailondeck.com"],
  ...["fakeinbox.com", "fakemail.net", "getairmail.com", "getnada.com", "grr.la"],
  ...["guerrillamail.com", "guerrillamail.net", "guerrillamail.org", "inboxbear.com"],
  ...["inboxkitten.com", "jetable.org", "linshiyouxiang.net", "mail-temp.com", "mail.tm"],
  ...["mailcatch.com", "maildrop.cc", "mailforspam.com", "mailinator.com", "mailnesia.com"],
  ...["mailnull.com", "mailsac.com", "mintemail.com", "moakt.com", "mohmal.com", "mytemp.email"],
  ...["mytrashmail.com", "nada.email", "sharklasers.com", "spam4.me", "spamgourmet.com"],
  ...["temp-mail.io", "temp-mail.org", "tempail.com", "tempinbox.com", "tempmail.dev"],
  ...["tempmail.plus", "tempr.email", "throwawaymail.com", "trash-mail.com", "trashmail.com"],
  ...["trashmail.de", "trashmail.net", "wegwerfmail.de", "yopmail.com", "yopmail.fr"],
]);
