/** Stores subjects (persons or things that videos show), an extension of the gateway that makes
 *  `element_list` usable (docs/interface/videos.md#k). A subject is stored as one file per
 *  picture. */
import { randomInt } from 'node:crypto'
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, hourMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import type { AccountFile, CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import { namedObject } from '../../contract/schemas.ts'
import type { StoredFile } from '../../core/ports/files.ts'
import { notBlank } from '../shared/common-fields.ts'
import { envelopeHead } from './envelope.ts'
import { listedPictureLimits } from './fields.ts'

const purpose = 'subject'
const lifetimeMs = 10 * 365 * dayMs
const pageSize = 200
/** Largest number of subjects of an account. All of them may have to be read for one request, and
 *  each may have 40 MB of pictures. */
export const mostElements = 500
/** Age in milliseconds from which a subject with missing pictures counts as incomplete: an earlier
 *  call failed to create or remove it. A younger subject may still be in the course of its
 *  creation. */
const leftoverMs = hourMs
/** Number of possible values of the random part of an id. An id consists of the millisecond of
 *  its creation and a random part. The time in the id limits the search for the subject to few
 *  files, and the id is small enough to be exact as a JSON number. */
const randomParts = 4096

export const elementBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 20, ...notBlank, description: 'What the subject is called.' }),
  description: Type.String({ maxLength: 100, default: '', description: 'What it looks like.' }),
  images: Type.Array(
    Type.String({ minLength: 1, file: { role: 'subject', ...listedPictureLimits }, description: 'Base64 or an http(s) URL.' }),
    { minItems: 1, maxItems: 4, description: 'From the front, then from other sides.' },
  ),
})

const element = namedObject('SubjectFacts', {
  element_id: Type.Integer({ description: 'What `element_list` takes.' }),
  name: Type.String(),
  description: Type.String(),
  images: Type.Integer({ description: 'Number of its pictures.' }),
  created_at: Type.Integer({ unit: 'ms', description: 'Unix milliseconds.' }),
})
export type Element = Type.Static<typeof element>

export const elementReply = namedObject('Subject', { ...envelopeHead, data: element })
export const elementsReply = namedObject('Subjects', { ...envelopeHead, data: Type.Array(element) })

/** Stores the pictures of a new subject. Throws `invalid_request` for too many subjects, and the
 *  errors of the file store. */
export async function makeElement(
  context: CallContext<'files'>,
  { name, description }: { name: string; description: string },
  pictures: readonly CallFile[],
): Promise<Element> {
  assertRoom(await withoutLeftovers(context))
  const created_at = context.now()
  const made = { element_id: created_at * randomParts + randomInt(randomParts), name, description, images: pictures.length, created_at }
  const kept: StoredFile[] = []
  try {
    for (const [index, picture] of pictures.entries()) {
      const file = await context.files.keep(picture, { purpose, name, detail: { ...made, index }, lifetimeMs })
      kept.push(file)
      // The number of subjects is checked again, because concurrent calls may have added some; the
      // earlier ones stay.
      if (index === 0) assertRoom(await readElements(context, { before: file.id }))
    }
  } catch (error) {
    // Pictures that cannot be removed now are removed by a later call (`withoutLeftovers`).
    for (const { id } of kept) await context.files.remove(id).catch(() => false)
    throw error
  }
  return made
}

function assertRoom({ length }: readonly StoredElement[]): void {
  if (length < mostElements) return
  throw new GatewayError('invalid_request', `The account has ${length} subjects; at most ${mostElements}. Delete one first.`)
}

/** Removes the subjects that an interrupted call has left incomplete, and returns the others. */
async function withoutLeftovers(context: CallContext<'files'>): Promise<StoredElement[]> {
  const before = context.now() - leftoverMs
  const isLeftover = (subject: StoredElement) => !isComplete(subject) && subject.facts.created_at < before
  const { left = [], others = [] } = Object.groupBy(await readElements(context), each => (isLeftover(each) ? 'left' : 'others'))
  for (const subject of left) await removePictures(context, subject)
  return others
}

async function removePictures(context: CallContext<'files'>, { pictures }: StoredElement): Promise<void> {
  for (const { id } of pictures) await context.files.remove(id)
}

export async function listElements(context: CallContext<'files'>, { page, size }: { page: number; size: number }): Promise<Element[]> {
  const all = (await storedElements(context)).map(({ facts }) => facts)
  return all.slice((page - 1) * size, page * size)
}

export async function elementOf(context: CallContext<'files'>, id: string): Promise<Element> {
  return found(await storedElements(context, { since: madeAt(id) }), id).facts
}

/** Removes a subject. Also removes the rest of a subject when an earlier call could remove only
 *  some of its pictures. Throws `not_found`, and the errors of the file store; the call can then be
 *  repeated. */
export async function removeElement(context: CallContext<'files'>, id: string): Promise<Element> {
  const subject = found(await readElements(context, { since: madeAt(id) }), id)
  await removePictures(context, subject)
  return subject.facts
}

/** The subjects that a body names: pictures of the account's own subjects, in order, and all
 *  other ids (`others`), which only an upstream may know. */
export interface NamedElements {
  subjects: { name: string; pictures: number }[]
  files: AccountFile[]
  others: string[]
}

export async function namedElements(
  context: CallContext<'files'>,
  list: readonly { element_id: number | string }[],
  role: string,
): Promise<NamedElements> {
  const named: NamedElements = { subjects: [], files: [], others: [] }
  if (list.length === 0) return named
  const ids = list.map(({ element_id }) => String(element_id))
  const own = await storedElements(context, { since: Math.min(...ids.map(madeAt)) })
  for (const id of ids) {
    const one = own.find(({ facts }) => String(facts.element_id) === id)
    if (!one) named.others.push(id)
    else {
      named.subjects.push({ name: one.facts.name, pictures: one.pictures.length })
      named.files.push(...one.pictures.map(stored => ({ stored, role })))
    }
  }
  return named
}

interface StoredElement {
  facts: Element
  /** The stored pictures of the subject, in order. */
  pictures: StoredFile[]
}

function found(subjects: readonly StoredElement[], id: string): StoredElement {
  const one = subjects.find(({ facts }) => String(facts.element_id) === id)
  if (one) return one
  throw new GatewayError('not_found', `There is no subject ${JSON.stringify(id.slice(0, 64))}.`, { field: 'element_id' })
}

interface ReadRange {
  /** Time in Unix milliseconds. Older subjects are not needed, so they may be missing in the
   *  result. */
  since?: number
  /** Only files with a lower id than this one are read. */
  before?: string
}

/** Returns the subjects of the account whose pictures are all stored, newest first. */
async function storedElements(context: CallContext<'files'>, range?: ReadRange): Promise<StoredElement[]> {
  return (await readElements(context, range)).filter(isComplete)
}

function isComplete({ facts, pictures }: StoredElement): boolean {
  return pictures.length === facts.images
}

/** Returns the subjects of the account that have a picture in the range, newest first. */
async function readElements(context: CallContext<'files'>, { since = 0, before: end }: ReadRange = {}): Promise<StoredElement[]> {
  const subjects = new Map<number, StoredElement>()
  let before = end
  for (;;) {
    const page = await context.files.list({ purpose, limit: pageSize, ...defined({ before }) })
    for (const file of page) take(subjects, file)
    const last = page.at(-1)
    if (!last || page.length < pageSize || last.createdAt < since) break
    before = last.id
  }
  return [...subjects.values()]
}

function take(subjects: Map<number, StoredElement>, file: StoredFile): void {
  const { element_id, name, description, images, created_at } = file.detail ?? {}
  const facts = {
    element_id: Number(element_id),
    name: String(name),
    description: String(description),
    images: Number(images),
    created_at: Number(created_at),
  }
  const subject = subjects.get(facts.element_id) ?? { facts, pictures: [] }
  subjects.set(facts.element_id, subject)
  // Files are listed newest first, so the first one listed is the last picture.
  subject.pictures.unshift(file)
}

/** Returns the time of creation that is encoded in an id, in Unix milliseconds. For an id that
 *  the gateway did not issue, the result is meaningless. */
function madeAt(id: string): number {
  return Math.floor(Number(id) / randomParts)
}
