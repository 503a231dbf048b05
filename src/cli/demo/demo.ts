import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** What a family's demo is: calls that are made through the public interface only. */
export interface Demo {
  family: string
  calls: DemoCall[]
}

export interface DemoContext {
  /** Origin of the running gateway. */
  url: string
  accessKey: string
  /** Folder the files go to. */
  output: string
  /** Results so far, by call id. */
  made: ReadonlyMap<string, DemoResult>
}

export interface DemoCall {
  id: string
  family: string
  /** What is shown beside the result: the prompt. */
  title: string
  /** Id of the call whose result this one starts from. */
  uses?: string
  make(context: DemoContext): Promise<Made>
  /** Says what is wrong with what was made. */
  judge: Judge
}

/** Resolves with one sentence that says what is wrong with the result, or undefined when it is what the call asked for.
 *  Files are decoded by child processes (ffmpeg) or by sharp's own threads. Rejects when the judge itself could not work. */
export type Judge = (made: Made, context: DemoContext) => Promise<string | undefined>

export interface Made {
  /** Name within the output folder. */
  file: string
  bytes: number
  /** One line: size, seed, words not drawn. */
  facts: string
  /** What was said, for results that are text. */
  text?: string
  /** The pictures of a file that shows several, for the judge. */
  pictures?: readonly Uint8Array[]
}

export interface DemoResult extends Omit<Made, 'pictures'> {
  family: string
  title: string
  seconds: number
  /** What would make it possible on this machine: an engine or a pack that is not there. */
  missing?: string
  /** Why nothing was made. */
  error?: string
  /** What is wrong with what was made. */
  bad?: string
}

/** The file that an earlier call made, in base64. Throws why there is none. */
export async function madeFile({ made, output }: DemoContext, id: string): Promise<string> {
  const { file, missing } = made.get(id) ?? {}
  if (missing !== undefined) throw new GatewayError('capability_unavailable', missing)
  if (!file) throw new GatewayError('conflict', `The picture ${id} that it starts from was not made.`)
  return (await readFile(join(output, file))).toString('base64')
}
