/** Returns two paths of an operation: the one with an endpoint, and a shorter one for the endpoint
 *  `default`, at which clients of the dialect's vendor look for the operation. */
export const atEndpoint = (rest: string) => ({ path: `/v1/ai/{endpoint}/${rest}`, aliases: [`/v1/${rest}`] })
