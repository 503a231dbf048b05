/** Demos of R1 (a transcript with subtitles) and R5 (a translation), of a sentence of "Sense and Sensibility" read by a volunteer of LibriVox (public domain): `recording.ogg`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Demo, DemoContext } from './demo.ts'
import { post, postForText } from './post.ts'

export const r1Demo: Demo = {
  family: 'R1',
  calls: [
    {
      id: 'r1-subtitles',
      family: 'R1',
      title: 'Subtitles of a recording',
      make: async context => {
        const body = { file: await recording(), response_format: 'srt' }
        const subtitles = await postForText(context, 'audio/transcriptions', body)
        return write(context, { name: 'r1-subtitles.srt', text: subtitles, facts: `${subtitles.trimEnd().split('\n\n').length} subtitles` })
      },
    },
  ],
}

export const r5Demo: Demo = {
  family: 'R5',
  calls: [
    {
      id: 'r5-translation',
      family: 'R5',
      title: 'The same in Spanish',
      make: async context => {
        const body = { file: await recording(), recognitionLanguages: 'en-US', targetLanguages: 'es' }
        const { text, translations, durationInSeconds } = await post<Translated>(context, 'audio/realtime/translation', body)
        const said = `${text}\n\n${Object.values(translations).join('\n')}\n`
        return write(context, { name: 'r5-translation.txt', text: said, facts: `${durationInSeconds} s of speech` })
      },
    },
  ],
}

interface Translated {
  text: string
  translations: Record<string, string>
  durationInSeconds: number
}

async function recording(): Promise<string> {
  return (await readFile(join(import.meta.dirname, 'recording.ogg'))).toString('base64')
}

async function write({ output }: DemoContext, { name, text, facts }: { name: string; text: string; facts: string }) {
  await writeFile(join(output, name), text)
  return { file: name, bytes: Buffer.byteLength(text), facts, text }
}
