/** Downloads the files of a presentation from the links in the vendor's answers. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Failed, Job, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { fetchOutput, type LinkedOutput } from '../../shared/output/fetch-output.ts'
import { owner } from './settings.ts'

const files = {
  deck: {
    name: 'deck.pptx',
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    begins: 'PK',
  },
  document: { name: 'document.pdf', mediaType: 'application/pdf', begins: '%PDF' },
} as const
export type PresentationRole = keyof typeof files

interface FileFetch extends Required<Pick<LinkedOutput, 'guard' | 'trustedOrigin' | 'route'>> {
  job: Pick<Job<unknown>, 'scratch' | 'signal'>
  role: PresentationRole
}

interface PresentationFile {
  file: OutputFile
  /** Number of slides; only for a file with the role `deck`. */
  slides?: number
}

const maxFileBytes = 512 * 1024 * 1024
/** Number of bytes that are read from the end of a PPTX file: more than the ZIP directory of any
 *  deck takes. */
const tailBytes = 4 * 1024 * 1024

/** Saves the file behind a link in the job's scratch folder and returns it. Returns `failed`
 *  when the file has more than 512 MiB or is of another type than its role requires. Throws as
 *  `fetchOutput` does. */
export async function fetchPresentationFile(fetching: FileFetch, url: string): Promise<PresentationFile | Failed> {
  const { guard, trustedOrigin, route, job, role } = fetching
  const { name, mediaType, begins } = files[role]
  const path = join(job.scratch, name)
  const title = `The file of ${owner}`
  const fetched = await fetchOutput({ guard, url, title, toFile: path, maxBytes: maxFileBytes, signal: job.signal, route, trustedOrigin })
  if ('state' in fetched) return fetched
  const seen = await checkContents(path)
  if (!seen.begins.startsWith(begins)) return failedAfterPay('upstream_error', `What ${owner} gave is no ${name}.`)
  return { file: { role, path, mediaType }, ...(role === 'deck' ? { slides: seen.slides } : {}) }
}

/** Returns the first bytes of the file, and the number of slides that a PPTX file lists in its ZIP
 *  directory. */
async function checkContents(path: string): Promise<{ begins: string; slides: number }> {
  await using file = await open(path)
  const { size } = await file.stat()
  const bytes = async (from: number, length: number): Promise<string> =>
    (await file.read(Buffer.alloc(length), 0, length, from)).buffer.toString('latin1')
  const tail = await bytes(Math.max(0, size - tailBytes), Math.min(size, tailBytes))
  return { begins: await bytes(0, Math.min(size, 8)), slides: new Set(tail.match(/ppt\/slides\/slide\d+\.xml/g)).size }
}
