/** Versions of what gateways say to each other (docs/decisions/0044). A node speaks its own
 *  version and the one before, newest first. */
export const gatewayVersions = [1] as const

/** The service name of an `origin` or a sound between gateways: the id beside it is that of the run
 *  that made the thing. */
export const runService = 'run'
