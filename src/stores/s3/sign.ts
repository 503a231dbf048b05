import { AwsV4Signer } from 'aws4fetch'
import type { S3Credentials } from './bucket.ts'

/** SHA-256 of an empty body, hex. */
export const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Signable {
  method: string
  url: URL
  region: string
  credentials: S3Credentials
}

/** Keys derived from the secret, by day. */
type SigningKeys = Map<string, ArrayBuffer>

/** Returns the headers with the signature (AWS Signature Version 4). `sha256` (hex) is the hash
 *  of the body: the service refuses a body with another hash. */
export async function signedHeaders(
  { method, url, region, credentials }: Signable,
  { headers, sha256, cache }: { headers: Readonly<Record<string, string>>; sha256: string; cache: SigningKeys },
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    ...{ method, url: url.href, region, service: 's3', cache },
    ...credentials,
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
  })
  return Object.fromEntries((await signer.sign()).headers)
}

/** Returns a URL that serves the object to everyone for `seconds` (1 to 604,800). */
export async function presignedUrl({ method, url, region, credentials }: Signable, seconds: number): Promise<string> {
  const signed = new URL(url)
  signed.searchParams.set('X-Amz-Expires', String(seconds))
  const signer = new AwsV4Signer({ ...{ method, url: signed.href, region, service: 's3', signQuery: true }, ...credentials })
  return (await signer.sign()).url.href
}
