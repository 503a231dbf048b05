import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** The demo of a family: calls that use the public interface only. */
export interface Demo {
  family: string
  calls: DemoCall[]
}

export interface DemoContext {
  /** Origin of the running gateway. */
  url: string
  accessKey: string
  /** Folder for the files. */
  output: string
  /** Results so far, by call id. */
  made: ReadonlyMap<string, DemoResult>
}

export interface DemoCall {
  id: string
  /** Shown beside the result: the prompt. */
  title: string
  /** Id of the call whose result this one uses. */
  uses?: string
  make(context: DemoContext): Promise<DemoOutput>
  /** Checks the result. */
  judge: OutputJudge
}

/** Resolves with one sentence on what is wrong with the result, or undefined when it matches the
 *  request.
 *  Files are decoded by child processes (ffmpeg) or by sharp's own threads. Rejects when the
 *  judge itself could not work. */
export type OutputJudge = (made: DemoOutput, context: DemoContext) => Promise<string | undefined>

export interface DemoOutput {
  /** File name within the output folder. */
  file: string
  bytes: number
  /** One line: size, seed, words not drawn. */
  facts: string
  /** The text itself, for results that are text. */
  text?: string
  /** The pictures of a file that contains several, for the judge. */
  pictures?: readonly Uint8Array[]
}

export interface DemoResult extends Omit<DemoOutput, 'pictures'> {
  family: string
  title: string
  seconds: number
  /** The engine or pack that this machine lacks, and how to add it. */
  missing?: string
  /** The reason why nothing was made. */
  error?: string
  /** The judge's complaint about the result. */
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

/** The time since `startedAt` (`performance.now()`): `1.2 s`. */
export function timeSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

/** Returns the file that an earlier call made, in base64. Throws the reason when there is none. */
export async function demoOutput({ made, output }: DemoContext, id: string): Promise<string> {
  const { file, missing } = made.get(id) ?? {}
  if (missing !== undefined) throw new GatewayError('capability_unavailable', missing)
  if (!file) throw new GatewayError('conflict', `The picture ${id} that it starts from was not made.`)
  return (await readFile(join(output, file))).toString('base64')
}
