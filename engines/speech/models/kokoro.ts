/** Kokoro-82M: one network, and a table of numbers for each voice. */
import { open } from 'node:fs/promises'
import { Tensor } from 'onnxruntime-node'
import { kokoroVoices } from '../kokoro-voices.ts'
import { floatsOf, openSession } from './session.ts'
import type { SpeakingModel } from './speaking-model.ts'
import { tokensOf } from './tokens.ts'

/** A voice has a row of numbers for each number of phonemes. */
const rows = 510
const rowValues = 256

export interface KokoroFiles {
  model: string
  /** All voices behind each other, in the order of `kokoroVoices`. */
  voices: string
}

/** Speaks with one voice of the list, or with the middle of several (`am_michael+am_onyx`). */
export async function openKokoro({ model, voices }: KokoroFiles, threads: number): Promise<SpeakingModel> {
  const session = await openSession(model, threads)
  return {
    async speak({ phonemes, voice, pace }) {
      const tokens = tokensOf(phonemes)
      const style = await styleOf(voices, { voice, phonemes: tokens.length - 2 })
      const out = await session.run({
        tokens: new Tensor('int64', tokens, [1, tokens.length]),
        style: new Tensor('float32', style, [1, rowValues]),
        speed: new Tensor('float32', [pace], [1]),
      })
      return floatsOf(out, 'audio')
    },
    close: () => session.release(),
  }
}

async function styleOf(file: string, { voice, phonemes }: { voice: string; phonemes: number }): Promise<Float32Array> {
  const row = Math.min(Math.max(phonemes - 1, 0), rows - 1)
  const names = voice.split('+')
  const style = new Float32Array(rowValues)
  const handle = await open(file)
  try {
    for (const name of names) {
      const index = kokoroVoices.findIndex(({ id }) => id === name)
      if (index < 0) throw new RangeError(`Kokoro has no voice ${name}`)
      const bytes = new Uint8Array(rowValues * 4)
      await handle.read(bytes, 0, bytes.length, (index * rows + row) * bytes.length)
      const view = new DataView(bytes.buffer)
      for (let at = 0; at < rowValues; at++) style[at]! += view.getFloat32(at * 4, true) / names.length
    }
  } finally {
    await handle.close()
  }
  return style
}
