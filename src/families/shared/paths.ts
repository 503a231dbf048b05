/** The path of an operation at any endpoint, and the shorter one, which means the endpoint
 *  `default`: clients of the dialect's vendor look for it there. */
export const atEndpoint = (rest: string) => ({ path: `/v1/ai/{endpoint}/${rest}`, aliases: [`/v1/${rest}`] })
