/** Piper's voices (VITS networks): eSpeak's phonemes in, sound out. */

import { readFile } from 'node:fs/promises'
import { normalNoise } from '@generation-gateway/kit/audio/noise.ts'
import { readAs } from '@generation-gateway/kit/check-json.ts'
import { floatsOf } from '@generation-gateway/kit/onnx/session.ts'
import { Tensor } from 'onnxruntime-node'
import Type, { type Static } from 'typebox'
import { inEspeakAlphabet } from './espeak-alphabet.ts'
import { noiseInput, withNoiseInputs } from './noise-inputs.ts'
import { openSession } from './session.ts'
import type { SpeakingModel } from './speaking-model.ts'

const joeRate = 22_050

/** Number of noise values for an utterance. The values last for about eight seconds of speech;
 *  in a longer utterance, the same values are repeated. */
const noiseLength = 2 ** 17

const settingsFile = Type.Object({
  audio: Type.Object({ sample_rate: Type.Literal(joeRate) }),
  inference: Type.Object({ noise_scale: Type.Number(), noise_w: Type.Number() }),
  phoneme_id_map: Type.Record(Type.String(), Type.Array(Type.Integer())),
})

interface PiperFiles {
  model: string
  settings: string
}

export async function openPiper({ model, settings }: PiperFiles, threads: number): Promise<SpeakingModel> {
  const { inference, phoneme_id_map: ids } = readAs(settingsFile, JSON.parse(await readFile(settings, 'utf8')), settings)
  const session = await openSession(withNoiseInputs(await readFile(model)), threads)
  return {
    async speak({ phonemes, pace, seed, liveliness }) {
      const tokens = tokensOf(inEspeakAlphabet(phonemes), ids)
      const free = 2 * liveliness
      const out = await session.run({
        input: new Tensor('int64', tokens, [1, tokens.length]),
        input_lengths: new Tensor('int64', BigInt64Array.from([BigInt(tokens.length)]), [1]),
        scales: new Tensor('float32', [inference.noise_scale * Math.sqrt(free), 1 / pace, inference.noise_w * free], [3]),
        [noiseInput]: new Tensor('float32', normalNoise(seed, noiseLength), [noiseLength]),
      })
      return floatsOf(out, 'output')
    },
    close: () => session.release(),
  }
}

/** Returns the tokens: a start token, each phoneme followed by a blank, and an end token; phonemes
 *  that the voice does not know are left out. */
function tokensOf(phonemes: string, ids: Static<typeof settingsFile>['phoneme_id_map']): BigInt64Array {
  const [begin = [], blank = [], end = []] = ['^', '_', '$'].map(sign => ids[sign])
  const spoken = [...phonemes].flatMap(sign => (ids[sign] ? [...ids[sign], ...blank] : []))
  return BigInt64Array.from([...begin, ...blank, ...spoken, ...end], BigInt)
}
