/** Versions of the protocol between gateways (docs/decisions/0044), newest first. A node
 *  supports the newest version that it knows and the one before it. */
export const gatewayVersions = [1] as const

/** The service name in an `origin` or a sound that is sent between gateways. The `id` next to
 *  the service name is that of the run that created the file or the sound. */
export const runService = 'run'
