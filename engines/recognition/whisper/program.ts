/** Finds whisper.cpp's program and identifies the model in a weights file. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { loadOnce } from '@generation-gateway/kit/load-once.ts'

const run = promisify(execFile)
const names = ['whisper-cli', 'whisper-cpp']
const neededOptions = ['--output-json-full', '--audio-ctx', '--prompt']

/** Returns the path of whisper.cpp's program on the PATH; undefined when there is none. */
export function programOnPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(path => existsSync(path))
}

const known = new Map<string, Promise<ReadonlySet<string>>>()

/** Returns the long options that the program supports. Throws `capability_unavailable` when the
 *  program is not whisper.cpp, or too old. */
export function optionsOf(program: string): Promise<ReadonlySet<string>> {
  return loadOnce(known, program, () => askOptions(program))
}

async function askOptions(program: string): Promise<ReadonlySet<string>> {
  const { stdout, stderr } = await run(program, ['--help'], { timeout: 20_000 }).catch((cause: unknown) => {
    throw new GatewayError('capability_unavailable', `${program} cannot be run as whisper.cpp's program.`, { cause })
  })
  const options = new Set((stdout + stderr).match(/--[a-z][a-z-]+/g))
  const missing = neededOptions.filter(option => !options.has(option))
  if (missing.length > 0)
    throw new GatewayError(
      'capability_unavailable',
      `${program} is no whisper.cpp program of 1.6 or newer: it lacks ${missing.join(', ')}.`,
    )
  return options
}

/** Returns the name of whisper.cpp's preset for the model: it selects the attention heads that
 *  align tokens with the sound. Undefined for a model without a preset in a program with these
 *  options. */
export async function alignmentPreset(weights: string, options: ReadonlySet<string>): Promise<string | undefined> {
  await using file = await open(weights, 'r')
  const head = Buffer.alloc(12 * 4)
  await file.read(head, 0, head.length, 0)
  const [tokens, encoderLayers, decoderLayers] = [head.readInt32LE(4), head.readInt32LE(5 * 4), head.readInt32LE(9 * 4)]
  const size = sizes.get(encoderLayers)
  // Distilled models have fewer layers in the decoder than in the encoder; large-v3-turbo is the
  // only one of these with a preset. Programs older than 1.7.2 lack it, and their help does not say
  // so; the option `--vad` came later.
  if (encoderLayers !== decoderLayers) return size === 'large' && decoderLayers === 4 && options.has('--vad') ? 'large.v3.turbo' : undefined
  if (size !== 'large') return size === undefined ? undefined : size + (tokens < 51_865 ? '.en' : '')
  // The first two versions of the large model have layers of the same sizes, so the file does not
  // show which of their two presets is right.
  return tokens > 51_865 ? 'large.v3' : undefined
}

/** Names of the models by the number of encoder layers. */
const sizes = new Map([
  [4, 'tiny'],
  [6, 'base'],
  [12, 'small'],
  [24, 'medium'],
  [32, 'large'],
])
