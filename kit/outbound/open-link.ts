/** Matches the hosts at which Google's services keep files of their customers, also with a region
 *  or a bucket before the name: `us-central1-aiplatform`, `bucket.storage`. */
const customerFiles = /(^|[.-])(generativelanguage|storage|aiplatform)\.googleapis\.com\.?$/

/** Returns true for an http or https URL that is not on one of Google's file stores. Returns false
 *  for other URLs (`gs://`) and for links to those stores: an upstream may open such a link with
 *  the operator's credential, and so reveal files that do not belong to the caller. */
export function isOpenLink(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {}
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return !customerFiles.test(hostname ?? '')
}
