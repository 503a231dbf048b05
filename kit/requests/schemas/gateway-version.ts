/** Versions of the protocol between gateways (docs/decisions/0044), newest first. A node
 *  supports the newest version that it knows and the one before it. */
export const gatewayVersions = [1] as const

/** The service name that marks files and sounds created by a run of a gateway, in the `origin` of a
 *  file and in a sound sent between gateways. The `id` beside it is the id of that run. */
export const runService = 'run'
