/** The fairness case of speech: one sentence, while nine long texts are spoken in the same
 *  voice. */
import engine from '../../engines/speech/driver.ts'
import { prose } from '../../engines/speech/testing/texts.ts'
import type { FairnessCase, Run } from './case.ts'

const sentence = 'One night a storm came up, and the bell rang until the morning.'
const narrations = 9

export async function speechCases(): Promise<FairnessCase[]> {
  return ['heart', 'onyx'].map(voice => ({
    name: `speech: a sentence beside ${narrations} narrations, voice ${voice}`,
    engine,
    long: Array.from({ length: narrations }, () => speaking(voice, `${prose} `.repeat(200))),
    short: speaking(voice, sentence),
  }))
}

function speaking(voice: string, text: string): Run {
  const request = { text, voice, speed: 1, volume: 0, format: { container: 'pcm' } } as const
  return (opened, options) => opened.run('speech.synthesize', request, options)
}
