/** Versions of the protocol between gateways (docs/decisions/0044), newest first. A node
 *  supports the newest version that it knows and the one before it. */
export const gatewayVersions = [1] as const

/** Value of `service` in the objects `{ service, id }` by which gateways tell each other where a
 *  file or sound was created. It means that `id` is the id of a run of the gateway that receives or
 *  sends the object. */
export const runService = 'run'
