/** Versions of what gateways say to each other (docs/decisions/0044). A node speaks its own
 *  version and the one before, newest first. */
export const gatewayVersions = [1] as const

/** What the service of an `origin` or a sound is called where gateways speak to each other: the
 *  id is that of the run that made it. */
export const runService = 'run'
