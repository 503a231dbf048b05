/** Versions of the protocol between gateways (docs/decisions/0044), newest first. A node speaks its
 *  own version and the one before. */
export const gatewayVersions = [1] as const

/** The service name in an `origin` or a sound that is sent between gateways: its id is that of the
 *  run that created the thing. */
export const runService = 'run'
