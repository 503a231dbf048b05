/** Reads the address of a bucket from a URL, and the keys for the bucket from the environment
 *  and from files. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { readSecretFile, readSettingFile } from '@generation-gateway/kit/setting-file.ts'
import type { S3Bucket, S3Credentials } from '../stores/s3/bucket.ts'
import { isBaseUrl, withoutPassword } from './setting-values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const usualRegion = 'us-east-1'
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
const regionPattern = /^[a-z0-9-]{1,40}$/
const known: ReadonlySet<string> = new Set(['endpoint', 'region', 'style'])

/** Returns the bucket of `s3://bucket/prefix?endpoint=...&region=...&style=path|host`. Without
 *  `endpoint`, the bucket is one of Amazon S3. `setting` is the name of the setting for error
 *  messages. `credentials` returns the access keys, and `route` returns the direct or proxied route
 *  of the connections. Throws `invalid_request` with a sentence about the part that is wrong. */
export function bucketOf(
  setting: string,
  value: string,
  { env, credentials, route }: { env: Environment } & Required<Pick<S3Bucket, 'credentials' | 'route'>>,
): S3Bucket {
  const refuse = (reason: string) =>
    new GatewayError('invalid_request', `${setting} is ${JSON.stringify(withoutPassword(value))}; ${reason}.`, { field: setting })
  const url = URL.parse(value)
  if (url?.protocol !== 's3:') throw refuse('it must begin with s3://')
  if (url.username !== '' || url.password !== '') throw refuse('keys do not belong in it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  if (url.hash !== '') throw refuse('it must not contain #')
  for (const name of url.searchParams.keys())
    if (!known.has(name)) throw refuse(`it has the parameter ${name}; the parameters are endpoint, region and style`)
  const bucket = url.host
  if (!bucketPattern.test(bucket)) throw refuse('the name of a bucket has 3 to 63 lower-case letters, digits, dots and dashes')
  const folder = url.pathname.replace(/^\/|\/$/g, '')
  if (folder !== '' && (!prefixPattern.test(folder) || folder.length > 200))
    throw refuse(
      'the path after the bucket has at most 200 letters, digits, dots, dashes and underscores, in parts that begin with none of the dots',
    )
  const given = url.searchParams.get('endpoint')
  const region = url.searchParams.get('region') ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || usualRegion)
  if (!regionPattern.test(region))
    throw refuse(`the region ${JSON.stringify(region)} has other characters than lower-case letters, digits and dashes`)
  const endpoint = URL.parse(given ?? `https://s3.${region}.amazonaws.com`)
  if (!isBaseUrl(endpoint)) throw refuse('endpoint must be an http or https URL without query or user name')
  const style = url.searchParams.get('style') ?? (given === null ? 'host' : 'path')
  if (style !== 'path' && style !== 'host') throw refuse('style must be path or host')
  if (style === 'host' && bucket.includes('.') && endpoint.protocol === 'https:')
    throw refuse('a bucket with a dot in its name needs style=path, because no certificate covers its host name')
  return { bucket, prefix: folder === '' ? '' : `${folder}/`, endpoint, region, style, credentials, route }
}

/** Returns the credentials that the environment names: the values of AWS_ACCESS_KEY_ID,
 *  AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN (or the contents of the files whose paths are in
 *  the variables of these names followed by _FILE), else the profile AWS_PROFILE of the file
 *  AWS_SHARED_CREDENTIALS_FILE. The files are read at each call, because they may change. Throws
 *  `invalid_request` when there are no credentials, or when a part of them is missing. */
export function environmentCredentials(env: Environment): S3Credentials {
  const accessKeyId = secretOf(env, 'AWS_ACCESS_KEY_ID')
  const secretAccessKey = secretOf(env, 'AWS_SECRET_ACCESS_KEY')
  const sessionToken = secretOf(env, 'AWS_SESSION_TOKEN')
  if (accessKeyId === undefined && secretAccessKey === undefined) return profileCredentials(env)
  if (accessKeyId === undefined) throw notSet('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY')
  if (secretAccessKey === undefined) throw notSet('AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID')
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}

function notSet(missing: string, present: string): GatewayError {
  return new GatewayError('invalid_request', `${missing} is not set, but ${present} is.`, { field: missing })
}

function secretOf(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  return env[name] || (file ? readSecretFile(file, `${name}_FILE`) : undefined)
}

function profileCredentials(env: Environment): S3Credentials {
  const given = env.AWS_SHARED_CREDENTIALS_FILE
  const file = given || join(env.HOME || homedir(), '.aws/credentials')
  const profile = env.AWS_PROFILE || 'default'
  let text = ''
  try {
    text = readSettingFile(file, 'AWS_SHARED_CREDENTIALS_FILE')
  } catch (error) {
    if (given) throw error
    const sentence = `A bucket needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or the same names with _FILE), or AWS_SHARED_CREDENTIALS_FILE; ${file} cannot be read, either.`
    throw new GatewayError('invalid_request', sentence, { field: 'AWS_ACCESS_KEY_ID', cause: error })
  }
  const {
    aws_access_key_id: accessKeyId,
    aws_secret_access_key: secretAccessKey,
    aws_session_token: sessionToken,
  } = sectionOf(text, profile)
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  throw new GatewayError(
    'invalid_request',
    `${file} has no aws_access_key_id and aws_secret_access_key for the profile ${profile} (AWS_PROFILE).`,
    { field: 'AWS_PROFILE' },
  )
}

/** Returns the entries of one section in an INI file; the names are in lower case. */
function sectionOf(text: string, section: string): Record<string, string> {
  const values: Record<string, string> = {}
  let current = ''
  for (const line of text.split(/\r?\n/)) {
    const [, title] = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line) ?? []
    if (title !== undefined) current = title
    const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (current === section && name !== undefined && value !== undefined) values[name.toLowerCase()] = value
  }
  return values
}
