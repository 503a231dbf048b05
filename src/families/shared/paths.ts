/** Returns the two paths of an operation: one that contains the endpoint, and the operation's
 *  path in the vendor's API, which leads to the endpoint `default`. */
export const atEndpoint = (rest: string) => ({ path: `/v1/ai/{endpoint}/${rest}`, aliases: [`/v1/${rest}`] })

/** Paths of the models in Vertex AI: the first for clients with a project, the second for clients
 *  that have only an API key. */
const vertexModels = ['projects/{project}/locations/{location}/publishers/{publisher}/models', 'publishers/{publisher}/models']

/** Returns the paths in Vertex AI of an operation on a model, such as `predictLongRunning`. */
export const vertexModelPaths = (verb: string) =>
  ['v1', 'v1beta1'].flatMap(version => vertexModels.map(at => `/${version}/${at}/{model}:${verb}`))

const versions = ['v1beta', 'v1']

/** Returns the paths in Google's Gemini API of an operation on a model, such as
 *  `generateContent`. */
export const ofGoogleModel = (verb: string) => ({
  path: `/v1/ai/{endpoint}/models/{model}:${verb}`,
  // Google's clients append the version to their base URL, and that URL may already contain
  // `/v1/ai/{endpoint}`.
  aliases: [`/v1beta/models/{model}:${verb}`, ...versions.map(version => `/v1/ai/{endpoint}/${version}/models/{model}:${verb}`)],
  vendorPaths: [`/v1/models/{model}:${verb}`],
})
