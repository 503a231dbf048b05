import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '@generation-gateway/kit/defined.ts'
import { invalidField, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import { Base64Error, decodeBase64 } from '@generation-gateway/kit/media/base64-decoder.ts'
import type { MediaFacts } from '@generation-gateway/kit/media/inspection.ts'
import { readPictureFacts } from '@generation-gateway/kit/media/open-inspection.ts'
import type { TSchema } from 'typebox'
import type { CallFile } from '../../contract/call-file.ts'
import { fieldName, filesIn } from '../../contract/file-fields.ts'
import { type FileLimits, fileProblem, limitsFor, typeNames } from '../../contract/file-rule.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'

interface InputFileField {
  /** Path of the field, as in `images[1]`. */
  field: string
  /** The value of the field: base64, a data URL, an http(s) URL, or a placeholder for a file
   *  that was decoded while the body arrived. */
  value: string
  limits: FileLimits
  needsDataUrl: boolean
}

/** Returns the files of a valid body, each stored on disk. The header of each file was read and
 *  checked against the limits; the content was not decoded. Throws `invalid_request` with the
 *  field and the limit, `inspection_busy`, the errors of a download, and `cancelled` when the
 *  caller leaves. */
export async function readInputFiles(
  deps: HttpDeps,
  call: Call,
  { schema, body }: { schema: TSchema; body: unknown },
): Promise<CallFile[]> {
  const files: CallFile[] = []
  for (const [index, { path, rule, value }] of filesIn(schema, body).entries()) {
    const field = fieldName(path)
    const limits = limitsFor(rule, call.model?.group)
    const file = await fileOf(deps, call, { field, value, limits, index, needsDataUrl: rule.needsDataUrl === true })
    const facts = await checkedFacts(deps, call, { field, path: file.path, bytes: file.bytes, limits })
    const { duration } = limits
    files.push({
      ...facts,
      ...defined({ lengthLimits: duration }),
      role: rule.role,
      field,
      path: file.path,
      ...defined({ name: file.name }),
    })
  }
  return files
}

/** Returns what the header of a file says about it (media type, dimensions, length) and its size
 *  `bytes`, all checked against the limits. Throws `invalid_request` with the field and the limit,
 *  and `inspection_busy`. */
export async function checkedFacts(
  deps: HttpDeps,
  call: Call,
  { field, path, bytes, limits }: { field: string; path: string; bytes: number; limits: FileLimits },
): Promise<MediaFacts & { bytes: number }> {
  if (bytes === 0) throw invalidField(field, `${field} is empty; ${typeNames(limits)} are accepted.`, 'media-type')
  const header = bytes > limits.maxBytes ? { mediaType: '' } : await headerOf(deps, call, { field, path, limits })
  if (!header)
    throw invalidField(field, `${field} is not ${kindName(limits)} the gateway knows; ${typeNames(limits)} are accepted.`, 'media-type')
  const facts = { ...header, bytes }
  const problem = fileProblem(field, facts, limits)
  if (problem) throw invalidField(field, problem.message, problem.rule)
  return facts
}

async function headerOf(
  { inspection }: HttpDeps,
  call: Call,
  { field, path, limits }: { field: string; path: string; limits: FileLimits },
): Promise<MediaFacts | undefined> {
  if (limits.mediaTypes.every(type => type.startsWith('image/'))) return readPictureFacts(path)
  try {
    return await inspection.readMedia(path, { account: call.key.accountId, signal: call.signal() })
  } catch (error) {
    if (!(error instanceof UnsafeFileError)) throw error
    throw invalidField(field, `${field} is damaged: its header takes more CPU time or memory than one may take.`, 'media-type')
  }
}

async function fileOf(
  deps: HttpDeps,
  call: Call,
  { field, value, limits, index, needsDataUrl }: InputFileField & { index: number },
): Promise<{ path: string; bytes: number; name?: string }> {
  const spilled = call.body.spilled.get(value)
  if (spilled) {
    if (needsDataUrl) assertDataUrl(field, spilled.mediaTypePrefix)
    const { file: path, bytes, name } = spilled
    return name === undefined ? { path, bytes } : { path, bytes, name }
  }
  const path = join(await call.scratch(), `input-${index}`)
  const link = value.trim()
  if (/^https?:\/\//i.test(link)) {
    const { maxBytes } = limits
    const { bytes } = await deps.download(link, { account: call.key.accountId, toFile: path, maxBytes, field, signal: call.signal() })
    return { path, bytes }
  }
  const [, scheme] = /^([a-z][a-z\d+.-]{1,30}):/i.exec(link) ?? []
  if (scheme !== undefined && scheme.toLowerCase() !== 'data')
    throw invalidField(field, `${field} is a URL with the scheme ${scheme}; http, https and data are accepted.`, 'url-scheme')
  const { bytes: data, mediaType } = decoded(field, value)
  if (needsDataUrl) assertDataUrl(field, mediaType)
  await writeFile(path, data, { mode: 0o600 })
  return { path, bytes: data.length }
}

/** Decodes a small file, which is still base64 text in the body. The body reader decoded larger
 *  files while they arrived, by the same rules. */
function decoded(field: string, value: string): ReturnType<typeof decodeBase64> {
  try {
    return decodeBase64(value)
  } catch (error) {
    if (error instanceof Base64Error) throw invalidField(field, `${field} ${error.problem}`, 'base64')
    throw error
  }
}

function assertDataUrl(field: string, mediaType: string | undefined): void {
  if (mediaType !== undefined && mediaType === mediaType.toLowerCase()) return
  throw invalidField(
    field,
    `${field} has to be a URL, or a data URL with its format in lower case like data:image/png;base64,...`,
    'data-url',
  )
}

/** Returns the words for the accepted kinds of file in an error message: `an image` when only
 *  images are accepted. */
function kindName({ mediaTypes }: FileLimits): string {
  const kinds = new Set(mediaTypes.map(type => type.split('/')[0]))
  const [kind] = kinds
  return kinds.size === 1 && (kind === 'image' || kind === 'audio') ? `an ${kind}` : 'a file'
}
