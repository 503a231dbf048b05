/** Matches the hosts at which Google's services keep files of their customers, also with a region
 *  or a bucket before the name: `us-central1-aiplatform`, `bucket.storage`. */
const customerFiles = /(^|[.-])(generativelanguage|storage|aiplatform)\.googleapis\.com\.?$/

/** Returns true for an http or https URL that every reader may open alike. Returns false for other
 *  URLs (`gs://`) and for links to Google's stores: an upstream may read their files with the
 *  operator's credential, although the files belong to no account of the gateway. */
export function isOpenLink(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {}
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return !customerFiles.test(hostname ?? '')
}
