/** Demos of speech: a narration (T1), subtitles each at its time (T2), and a voice by its id for a telephone (T3). */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Demo, DemoCall, DemoContext } from './demo.ts'
import { poll, postForAnswer } from './post.ts'

const story =
  'The old lighthouse had not been lit since 1987. On Saturday, at 6:45 p.m., Dr. Hale climbed its 212 steps with a box of matches, and the whole coast held its breath.'

export const t1Demo: Demo = {
  family: 'T1',
  calls: [
    spoken('t1-lighthouse.mp3', 'T1', `in the voice of fable: ${story}`, context =>
      postForAnswer(context, 'audio/speech', { body: { model: 'tts-1', voice: 'fable', input: story } }),
    ),
  ],
}

const subtitles = `WEBVTT

00:00.500 --> 00:02.500
The tide goes out.

00:04.000 --> 00:06.000
A fox walks along the beach.

00:07.500 --> 00:09.500
Nobody sees it but the gulls.
`

export const t2Demo: Demo = {
  family: 'T2',
  calls: [
    spoken('t2-fox.wav', 'T2', 'subtitles, each cue at its time: the tide goes out, a fox walks along the beach', async context => {
      const begun = await postForAnswer(context, 'tts-n/text-to-speech/wav?voice=nova', { text: subtitles, type: 'text/vtt' })
      const { statusUrl } = (await begun.json()) as { statusUrl: string }
      return fetch(await poll(context, statusUrl, resultOf))
    }),
  ],
}

interface Status {
  finished: boolean
  message: string
  result?: string
}

function resultOf({ finished, message, result }: Status): string | undefined {
  if (!finished || result !== undefined) return result
  throw new Error(message)
}

const josh = 'TxGEqnHWrfWFTfGW9XjX'
const rachel = '21m00Tcm4TlvDq8ikWAM'
const call = 'Your call is important to us. You are number 3 in the queue.'

export const t3Demo: Demo = {
  family: 'T3',
  calls: [
    spoken('t3-queue.mp3', 'T3', `in the voice of Josh: ${call}`, context =>
      postForAnswer(context, `tts-e/text-to-speech/${josh}`, { body: { text: call, model_id: 'tts_turbo_v2' } }),
    ),
    spoken('t3-hello.wav', 'T3', 'in the voice of Rachel, as WAV', context =>
      postForAnswer(context, `tts-e/text-to-speech/${rachel}?output_format=wav_24000`, {
        body: { text: 'Hello. It is nice to hear you.' },
      }),
    ),
  ],
}

/** The sound of an answer, as a file of this name. */
function spoken(file: string, family: string, title: string, ask: (context: DemoContext) => Promise<Response>): DemoCall {
  return {
    id: file,
    family,
    title,
    make: async context => {
      const answer = await ask(context)
      const bytes = Buffer.from(await answer.arrayBuffer())
      await writeFile(join(context.output, file), bytes)
      return { file, bytes: bytes.length, facts: answer.headers.get('content-type') ?? '' }
    },
  }
}
