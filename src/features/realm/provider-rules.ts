// Names of identity providers.

/** A provider's name stands in addresses. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** The name of all OpenID providers together in the organization's settings. */
export const OIDC = "OpenID Connect";
