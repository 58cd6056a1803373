// Names of identity providers.

/** A provider's name is part of URLs. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** The name that stands for all OpenID providers in the organization's settings. */
export const OIDC = "OpenID Connect";
