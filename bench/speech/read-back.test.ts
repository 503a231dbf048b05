import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import recognition from '../../engines/recognition/driver.ts'
import { recognitionPacks } from '../../engines/recognition/packs.ts'
import speech from '../../engines/speech/driver.ts'
import { needsVoices } from '../../engines/speech/testing/texts.ts'
import { openEngine } from '../../kit/open-engine.ts'
import { needPack } from '../../kit/testing/need-pack.ts'
import { foreign } from './texts.ts'
import { wordErrors, wordsIn } from './word-errors.ts'

const folder = await mkdtemp(join(tmpdir(), 'read-back-'))
const speaking = openEngine(speech, { folder })
const hearing = openEngine(recognition, { folder })
after(async () => {
  await Promise.all([speaking.close(), hearing.close()])
  await rm(folder, { recursive: true, force: true })
})

const needsBoth =
  needsVoices.skip === undefined ? (recognitionPacks.map(needPack).find(({ skip }) => skip !== undefined) ?? {}) : needsVoices

for (const [language, text] of [
  ['Portuguese', foreign.pt[2]],
  ['French', foreign.fr[2]],
] as const)
  test(`a ${language} sentence is understood by a recogniser: nobody is told the language`, needsBoth, async () => {
    const { files } = await speaking.run('speech.synthesize', { text, speed: 1, volume: 0, format: { container: 'wav' } })
    const { path = '', mediaType = '' } = files[0] ?? {}
    const { report } = await hearing.run(
      'audio.transcribe',
      { languages: [], temperature: 0, words: false, logprobs: false, profanity: 'kept' },
      { inputs: [{ role: 'audio', path, mediaType, bytes: 1 }] },
    )
    const { errors, of } = wordErrors(wordsIn(text), wordsIn(String(report.text)))
    assert.ok(errors <= of / 8, `${errors} of ${of} words: ${report.text}`)
  })
