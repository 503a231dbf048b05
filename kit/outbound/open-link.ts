/** Hosts at which Google's services keep files of their customers, whatever stands before the
 *  name: `us-central1-aiplatform`, `bucket.storage`. */
const customerFiles = /(^|[.-])(generativelanguage|storage|aiplatform)\.googleapis\.com\.?$/

/** Returns true for an http or https URL whose file does not depend on who reads it. False for a
 *  file that an upstream may read with the operator's credential: any other URL (`gs://`), and a
 *  link to one of Google's stores. Such a file belongs to no account of the gateway. */
export function isOpenLink(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {}
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return !customerFiles.test(hostname ?? '')
}
