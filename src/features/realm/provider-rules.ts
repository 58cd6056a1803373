// What a provider of sign-ins may be called.

/** A provider's name stands in addresses. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** As organizations know all of them. */
export const OIDC = "OpenID Connect";
