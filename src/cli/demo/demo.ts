import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** The demo of a family: the calls that it makes to the family's interface. */
export interface Demo {
  family: string
  calls: DemoCall[]
}

export interface DemoContext {
  /** Origin of the running gateway, such as `http://127.0.0.1:8080`. */
  url: string
  accessKey: string
  /** Folder into which the files are written. */
  output: string
  /** The results of earlier calls, by call id. */
  made: ReadonlyMap<string, DemoResult>
}

export interface DemoCall {
  id: string
  /** Text shown with the result: the prompt. */
  title: string
  /** Id of the call whose result this call uses. */
  uses?: string
  make(context: DemoContext): Promise<DemoOutput>
  /** Checks whether the result matches the request. */
  judge: OutputJudge
}

/** Resolves with one sentence that says what is wrong with the result; with undefined when the
 *  result matches the request. Child processes (ffmpeg) or the threads of sharp decode the files.
 *  Rejects when the check itself failed. */
export type OutputJudge = (made: DemoOutput, context: DemoContext) => Promise<string | undefined>

export interface DemoOutput {
  /** File name within the output folder. */
  file: string
  bytes: number
  /** One line about the result, such as its size, its seed, and requested words that were not
   *  drawn. */
  facts: string
  /** The text itself, when the result is a text. */
  text?: string
  /** For a file that contains several pictures: each picture, so that the check can examine them
   *  one by one. */
  pictures?: readonly Uint8Array[]
}

export interface DemoResult extends Omit<DemoOutput, 'pictures'> {
  family: string
  title: string
  seconds: number
  /** The name of an engine or a pack that this machine lacks, and how to install it. Set when the
   *  call could not be made for this reason. */
  missing?: string
  /** The reason why the call produced no result. */
  error?: string
  /** The sentence in which the check says what is wrong; absent when the result matches the
   *  request. */
  bad?: string
}

/** Writes the file of a result. */
export async function saved(
  { output }: DemoContext,
  file: string,
  { bytes, ...shown }: Omit<DemoOutput, 'file' | 'bytes'> & { bytes: Uint8Array },
): Promise<DemoOutput> {
  await writeFile(join(output, file), bytes)
  return { file, bytes: bytes.length, ...shown }
}

/** Writes a text as a result, below its title. `facts` is what the page says about it; the time
 *  since `startedAt` (from `performance.now()`) follows. */
export function savedText(
  context: DemoContext,
  { id, title, text, facts, startedAt }: { id: string; title: string; text: string; facts: string; startedAt: number },
): Promise<DemoOutput> {
  const bytes = Buffer.from(`${title}\n\n${text}\n`)
  return saved(context, `${id}.txt`, { bytes, text, facts: `${facts} in ${timeSince(startedAt)}` })
}

/** Returns the time since `startedAt` (from `performance.now()`) as text, such as `1.2 s`. */
export function timeSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

/** Returns the file that an earlier call produced, in base64. When the call produced none, throws
 *  the reason. */
export async function demoOutput({ made, output }: DemoContext, id: string): Promise<string> {
  const { file, missing } = made.get(id) ?? {}
  if (missing !== undefined) throw new GatewayError('capability_unavailable', missing)
  if (!file) throw new GatewayError('conflict', `The picture ${id} that it starts from was not made.`)
  return (await readFile(join(output, file))).toString('base64')
}
