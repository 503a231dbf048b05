/** Returns the two paths of an operation: one that contains the endpoint, and the path of the
 *  operation in the vendor's API, which stands for the endpoint `default`. */
export const atEndpoint = (rest: string) => ({ path: `/v1/ai/{endpoint}/${rest}`, aliases: [`/v1/${rest}`] })

/** The paths of a model at Vertex AI: for clients with a project, and for clients with only an API
 *  key. */
const vertexModels = ['projects/{project}/locations/{location}/publishers/{publisher}/models', 'publishers/{publisher}/models']

/** Returns the paths of an operation on a model (`predictLongRunning`) at Vertex AI. */
export const vertexModelPaths = (verb: string) =>
  ['v1', 'v1beta1'].flatMap(version => vertexModels.map(at => `/${version}/${at}/{model}:${verb}`))

const versions = ['v1beta', 'v1']

/** Returns the paths of an operation on a model (`generateContent`) in Google's Gemini API. */
export const ofGoogleModel = (verb: string) => ({
  path: `/v1/ai/{endpoint}/models/{model}:${verb}`,
  // With the address of an endpoint as their base URL, Google's clients add the version.
  aliases: [`/v1beta/models/{model}:${verb}`, ...versions.map(version => `/v1/ai/{endpoint}/${version}/models/{model}:${verb}`)],
  vendorPaths: [`/v1/models/{model}:${verb}`],
})
