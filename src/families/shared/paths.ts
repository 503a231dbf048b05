/** Returns the two paths of an operation: one that contains the endpoint, and the path of the
 *  operation in the vendor's API, which stands for the endpoint `default`. */
export const atEndpoint = (rest: string) => ({ path: `/v1/ai/{endpoint}/${rest}`, aliases: [`/v1/${rest}`] })
