/** `node bench/music/sung-words.ts [--alone] [--styles=pop,rock] [--language=zh] [--voices=male]
 *  [--keep=folder]`: sings songs in several styles with a female and a male voice, recognizes
 *  the words again, and prints how many are wrong. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../engines/composer/compose.ts'
import composer from '../../engines/composer/driver.ts'
import { parseLyrics } from '../../engines/composer/form/lyrics.ts'
import { sampleRate } from '../../engines/composer/render/rate.ts'
import { pronounceLines } from '../../engines/composer/sing/pronounce.ts'
import { createVocal } from '../../engines/composer/sing/vocal.ts'
import { theSpeaker } from '../../engines/composer/testing/voice.ts'
import recognition from '../../engines/recognition/driver.ts'
import { pcmBytes, wavHeader } from '../../kit/audio/pcm.ts'
import { type OpenEngine, openEngine } from '../../kit/open-engine.ts'
import { charactersIn, type Errors, sumOf, wordErrors, wordsIn } from '../speech/word-errors.ts'
import { songs } from './songs.ts'

const usualStyles = ['folk', 'pop', 'rock', 'soul', 'house', 'cinematic']
const option = (name: string): string | undefined =>
  process.argv.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

const styles = option('styles')?.split(',') ?? usualStyles
const language = option('language') === 'zh' ? 'zh' : 'en'
const isAlone = process.argv.includes('--alone')
const keep = option('keep')
const folder = mkdtempSync(join(tmpdir(), 'sung-words-'))
const sing = openEngine(composer, { folder, cores: 1 })
const listen = openEngine(recognition, { folder, cores: 2 })
try {
  for (const voice of option('voices')?.split(',') ?? ['male', 'female']) await measure(voice)
} finally {
  await sing.close()
  await listen.close()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(voice: string): Promise<void> {
  const all: Errors[] = []
  for (const [index, style] of styles.entries()) {
    const lyrics = songs[language][index % songs[language].length] ?? ''
    const prompt = `${style}, ${voice} voice`
    const { path, sung } = isAlone ? await aloneIn(prompt, lyrics) : await mixIn(prompt, lyrics)
    const heard = await heardIn(listen, path)
    const units = language === 'zh' ? charactersIn : wordsIn
    const errors = wordErrors(units(sung.join(' ')), units(heard))
    all.push(errors)
    if (keep !== undefined) copyFileSync(path, join(keep, `${style}-${voice}${isAlone ? '.wav' : '.mp3'}`))
    process.stdout.write(`${percent(errors)}  ${style}, ${voice}: ${heard}\n`)
  }
  process.stdout.write(`${percent(sumOf(all))}  ${voice}, all\n\n`)
}

function percent({ errors, of }: Errors): string {
  return `${((100 * errors) / of).toFixed(1).padStart(5)} % (${errors} of ${of})`
}

interface Sung {
  path: string
  /** The lines that were sung, in order. */
  sung: string[]
}

async function mixIn(prompt: string, lyrics: string): Promise<Sung> {
  const { files, report } = await sing.run('music.song', { prompt, lyrics, count: 1, seed: '3' })
  // The cast is safe: this is the report type of the capability (kit/requests/music.ts).
  const { pieces } = report as unknown as { pieces: { lines: { text: string }[] }[] }
  return { path: files[0]?.path ?? '', sung: (pieces[0]?.lines ?? []).map(({ text }) => text) }
}

/** Returns the same song sung without the band. */
async function aloneIn(prompt: string, words: string): Promise<Sung> {
  const lyrics = parseLyrics(words)
  const syllablesOf = await pronounceLines(lyrics.flatMap(({ lines }) => lines))
  const { score, brief } = compose({ prompt, seed: '3', lyrics, syllablesOf })
  await using speaker = await theSpeaker()
  const samples = await createVocal(score, { singer: brief.voice, speaker })(0, Math.round(score.seconds * sampleRate))
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const bytes = pcmBytes(samples.map(value => (0.8 * value) / peak))
  const path = join(folder, 'alone.wav')
  writeFileSync(path, Buffer.concat([wavHeader({ sampleRate, channels: 1, dataBytes: bytes.length }), bytes]))
  return { path, sung: score.sections.flatMap(({ lines }) => lines.map(({ text }) => text)) }
}

async function heardIn(engine: OpenEngine, path: string): Promise<string> {
  const request = { languages: [language], temperature: 0, words: false, logprobs: false, profanity: 'kept' as const }
  const { report } = await engine.run('audio.transcribe', request, {
    inputs: [{ role: 'audio', path, mediaType: path.endsWith('.mp3') ? 'audio/mpeg' : 'audio/wav', bytes: 1 }],
  })
  // The cast is safe: this is the report type of the capability (kit/requests/transcript.ts).
  return (report as unknown as { text: string }).text
}
