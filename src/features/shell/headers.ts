// The Content-Security-Policy of the client's page, which allows only this server's files.

/**
 * `dompurify` sanitizes the HTML of messages; `skein` is the only other policy that may insert
 * HTML.
 */
const POLICIES = "skein dompurify";

const CONTENT = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  // Previews of PDF files.
  "frame-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${POLICIES}`,
].join("; ");

/** Browser features that Permissions-Policy allows; all others are disabled. */
const ALLOWED_FEATURES = [
  "clipboard-write",
  "fullscreen",
  "microphone",
  "publickey-credentials-create",
  "publickey-credentials-get",
];
const DISABLED_FEATURES = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "magnetometer",
  "midi",
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];
const PERMISSIONS = [
  ...ALLOWED_FEATURES.map((item) => `${item}=(self)`),
  ...DISABLED_FEATURES.map((item) => `${item}=()`),
];

export const SHELL_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-cache",
  "Content-Security-Policy": CONTENT,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": PERMISSIONS.join(", "),
  "Referrer-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};
