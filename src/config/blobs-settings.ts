import { fileURLToPath } from 'node:url'
import { Outbound, type OutboundSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import type { BlobsPlace, BucketPlace } from '../stores/open-blobs.ts'
import { bucketOf, type Environment, environmentCredentials } from './s3-settings.ts'
import { withoutPassword, wrongSetting } from './setting-values.ts'

interface BlobsSettings extends Omit<BucketPlace, 'bucket'> {
  /** The value of GATEWAY_BLOBS_URL; undefined when it is not set. */
  url: string | undefined
  /** Folder for the blobs, used when there is no URL. */
  folder: string
  /** Environment of the process; it contains the keys of a bucket. */
  env: Environment
  /** The settings for connections to other machines. */
  outbound: OutboundSettings
}

/** Returns the place of the blobs: a folder or a bucket. Throws `invalid_request` with the
 *  variable, its value and what the value must be. */
export function blobsOf({ url: value, folder, env, outbound, ...options }: BlobsSettings): BlobsPlace {
  if (value?.startsWith('s3:')) {
    const credentials = () => environmentCredentials(env)
    // Reading the credentials here makes a start without keys fail at once, and not at the first
    // request.
    credentials()
    // The outbound route (direct, or through a proxy) is created only when the first connection
    // needs it, because creating it checks further settings, whose errors must come after those of
    // the bucket.
    const route = () => new Outbound(outbound).routeOf()
    return { bucket: bucketOf('GATEWAY_BLOBS_URL', value, { env, credentials, route }), ...options }
  }
  if (options.isRedirecting) throw wrongSetting('GATEWAY_BLOBS_REDIRECT', '"1"', '0 unless GATEWAY_BLOBS_URL names a bucket')
  if (value === undefined) return { folder, isShared: false }
  const folderOfUrl = folderIn(value)
  if (folderOfUrl !== undefined) return { folder: folderOfUrl, isShared: true }
  const example = 'the URL of a folder like file:///srv/gateway-blobs, or of a bucket like s3://bucket/prefix'
  throw wrongSetting('GATEWAY_BLOBS_URL', JSON.stringify(withoutPassword(value)), example)
}

/** Returns the path of a file URL; undefined for any other text. */
function folderIn(value: string): string | undefined {
  const url = URL.parse(value)
  if (url?.protocol !== 'file:' || url.host !== '' || url.pathname.length < 2 || url.search !== '' || url.hash !== '') return undefined
  try {
    return fileURLToPath(url)
  } catch {
    // A part of the path contains an encoded slash (%2F), or is not valid UTF-8.
    return undefined
  }
}
