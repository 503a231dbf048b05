import type { OutboundRoute } from '@generation-gateway/kit/outbound/outbound.ts'

/** A bucket at an S3-compatible service, and the access to it. */
export interface S3Bucket {
  bucket: string
  /** Beginning of every key that belongs to this gateway: empty, or ending in a slash. */
  prefix: string
  /** Base URL of the service, without the bucket. */
  endpoint: URL
  region: string
  /** `path`: the bucket is the first part of the path; `host`: it is the first label of the host
   *  name. */
  style: 'path' | 'host'
  /** Returns the credentials as the environment and its files contain them now. Throws
   *  `invalid_request` when there are none. */
  credentials(): S3Credentials
  /** Returns the outbound route of the connections to the service. When absent, they are direct. */
  route?(): OutboundRoute
}

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  /** Set for credentials that expire. */
  sessionToken?: string
}

/** Returns the name of a bucket for messages, such as `bucket s3://media/gateway`. */
export function placeOf({ bucket, prefix }: Pick<S3Bucket, 'bucket' | 'prefix'>): string {
  return `bucket s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`
}

/** Returns the URL of an object, or with the key '' that of the bucket. The key must consist of
 *  characters that a path contains unchanged. */
export function objectUrl({ bucket, endpoint, style }: S3Bucket, key: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(endpoint)
  const base = url.pathname.replace(/\/+$/, '')
  if (style === 'host') url.host = `${bucket}.${url.host}`
  url.pathname = style === 'host' ? `${base}/${key}` : `${base}/${bucket}${key === '' ? '' : `/${key}`}`
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}
