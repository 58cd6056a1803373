// Limits of exports that administrators request.

export const EXPORTS_MAX = 5;
export const EXPORTS_WITHIN_DAYS = 7;
export const EXPORTED_MESSAGES_MAX = 250_000;
export const EXPORTED_FILES_BYTES_MAX = 20 * 1_073_741_824;
/** Days after which a finished export is deleted. */
export const EXPORT_KEPT_DAYS = 14;
/** Maximum of listed requests; older ones are deleted. */
export const EXPORTS_LISTED_MAX = 100;
