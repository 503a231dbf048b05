import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { objectUrl, placeOf, type S3Bucket } from '../stores/s3/bucket.ts'
import { readConfig } from './settings.ts'

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the secret' }

function bucketIn(env: Record<string, string>): S3Bucket {
  const { blobs } = readConfig(env)
  assert.ok('bucket' in blobs)
  return blobs.bucket
}

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-keys-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the URL of a bucket names its service, region, style and prefix', () => {
  const cases: [url: string, object: string, env?: Record<string, string>][] = [
    ['s3://media', 'https://media.s3.us-east-1.amazonaws.com/k'],
    ['s3://media/', 'https://media.s3.us-east-1.amazonaws.com/k'],
    ['s3://media/a/b-c_d.e/?region=eu-west-3', 'https://media.s3.eu-west-3.amazonaws.com/a/b-c_d.e/k'],
    ['s3://media/a', 'https://media.s3.eu-north-1.amazonaws.com/a/k', { AWS_REGION: 'eu-north-1' }],
    ['s3://media/a', 'https://media.s3.us-east-1.amazonaws.com/a/k', { AWS_REGION: '', AWS_DEFAULT_REGION: '' }],
    ['s3://media.example/a?style=path', 'https://s3.us-east-1.amazonaws.com/media.example/a/k'],
    ['s3://media?endpoint=http://127.0.0.1:9000', 'http://127.0.0.1:9000/media/k'],
    ['s3://media?endpoint=http://127.0.0.1:9000/base/', 'http://127.0.0.1:9000/base/media/k'],
    ['s3://media/a?endpoint=https://storage.example&style=host', 'https://media.storage.example/a/k'],
    ['s3://media?endpoint=https%3A%2F%2Fstorage.example%3A8443&region=auto', 'https://storage.example:8443/media/k'],
  ]
  for (const [url, object, env] of cases) {
    const bucket = bucketIn({ GATEWAY_BLOBS_URL: url, ...keys, ...env })
    assert.equal(objectUrl(bucket, `${bucket.prefix}k`).href, object)
  }
  assert.equal(placeOf(bucketIn({ GATEWAY_BLOBS_URL: 's3://media/a/b', ...keys })), 'bucket s3://media/a/b')
})

test('a URL that names no bucket is refused with its faulty part, without showing a key', () => {
  const cases: [url: string, message: RegExp][] = [
    ['s3:media', /^GATEWAY_BLOBS_URL is "s3:media"; the name of a bucket has 3 to 63/],
    ['s3://Media', /the name of a bucket/],
    ['s3://ab', /the name of a bucket/],
    ['s3://me_dia', /the name of a bucket/],
    ['s3://AKID:secret@media', /^GATEWAY_BLOBS_URL is "s3:\/\/...@media"; keys do not belong in it/],
    ['s3://AKID:sec/re?t@media', /^GATEWAY_BLOBS_URL is "s3:\/\/\.\.\.@media"; /],
    ['s3://media/a//b', /the path after the bucket/],
    ['s3://media/a/.hidden', /the path after the bucket/],
    ['s3://media/a%20b', /the path after the bucket/],
    [`s3://media/${'a'.repeat(201)}`, /the path after the bucket/],
    ['s3://media#a', /must not contain #/],
    ['s3://media?secret=x', /it has the parameter secret; the parameters are endpoint, region and style/],
    ['s3://media?endpoint=storage.example', /endpoint must be an http or https URL/],
    ['s3://media?endpoint=https://user:p@storage.example', /endpoint must be an http or https URL/],
    ['s3://media?endpoint=https://:p@storage.example', /^GATEWAY_BLOBS_URL is "s3:\/\/...@storage\.example"; endpoint must be/],
    ['s3://media?style=virtual', /style must be path or host/],
    ['s3://media?region=EU', /the region "EU" has other characters/],
    ['s3://media.example', /a bucket with a dot in its name needs style=path/],
  ]
  for (const [GATEWAY_BLOBS_URL, message] of cases)
    assert.throws(
      () => readConfig({ GATEWAY_BLOBS_URL, ...keys }),
      { code: 'invalid_request', field: 'GATEWAY_BLOBS_URL', message },
      GATEWAY_BLOBS_URL,
    )
})

test('credentials come from the environment, from separate files or from the shared file, and are read again', context => {
  const folder = folderFor(context)
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const url = { GATEWAY_BLOBS_URL: 's3://media' }
  const expected = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'the secret' }
  assert.deepEqual(bucketIn({ ...url, ...keys }).credentials(), expected)
  const session = { ...url, ...keys, AWS_SESSION_TOKEN: 'token' }
  assert.deepEqual(bucketIn(session).credentials(), { ...expected, sessionToken: 'token' })

  const secret = file('secret', 'the secret\n')
  const inFiles = bucketIn({ ...url, AWS_ACCESS_KEY_ID_FILE: file('id', 'AKIDEXAMPLE\n'), AWS_SECRET_ACCESS_KEY_FILE: secret })
  assert.deepEqual(inFiles.credentials(), expected)
  file('secret', 'another')
  assert.equal(inFiles.credentials().secretAccessKey, 'another')

  const shared = file(
    'credentials',
    `# keys\r\n[default]\r\naws_access_key_id = one\naws_secret_access_key=s1=\n\n[ work ]\nAWS_ACCESS_KEY_ID=two\naws_secret_access_key = s2\naws_session_token = t2\n[half]\naws_access_key_id = x\n`,
  )
  const inShared = { ...url, AWS_SHARED_CREDENTIALS_FILE: shared }
  assert.deepEqual(bucketIn(inShared).credentials(), { accessKeyId: 'one', secretAccessKey: 's1=' })
  assert.deepEqual(bucketIn({ ...inShared, AWS_PROFILE: 'work' }).credentials(), {
    accessKeyId: 'two',
    secretAccessKey: 's2',
    sessionToken: 't2',
  })
  const homes = { HOME: join(folder, 'nowhere') }
  const wrong: [env: Record<string, string>, message: RegExp][] = [
    [homes, /^A bucket needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
    [{ AWS_ACCESS_KEY_ID: 'a' }, /^AWS_SECRET_ACCESS_KEY is not set, but AWS_ACCESS_KEY_ID is\.$/],
    [{ AWS_SECRET_ACCESS_KEY: 'a' }, /^AWS_ACCESS_KEY_ID is not set, but AWS_SECRET_ACCESS_KEY is\.$/],
    [{ AWS_ACCESS_KEY_ID_FILE: join(folder, 'no') }, /^AWS_ACCESS_KEY_ID_FILE names .*no, which cannot be read \(ENOENT\)\.$/],
    [{ AWS_SHARED_CREDENTIALS_FILE: join(folder, 'no') }, /^AWS_SHARED_CREDENTIALS_FILE names .*, which cannot be read/],
    [{ ...inShared, AWS_PROFILE: 'half' }, /has no aws_access_key_id and aws_secret_access_key for the profile half/],
    [{ ...inShared, AWS_PROFILE: 'none' }, /for the profile none/],
  ]
  for (const [env, message] of wrong) assert.throws(() => readConfig({ ...url, ...env }), { code: 'invalid_request', message })
})
