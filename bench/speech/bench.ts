/** `npm run bench -- speech [--voices=nova,onyx] [--only=voices|languages|human|speed]`: speaks
 *  texts through the public interface, recognizes the speech again, and prints word error rates
 *  and speeds. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessKey } from '../measure.ts'
import { descendantsOf, residentBytesOf, type Server, startServer, unlessEnded } from '../process.ts'
import { isMet, lineOf, print } from '../report.ts'
import type { Figure } from '../scenarios.ts'
import { noisy, speak, transcribe, type Voice, voices } from './calls.ts'
import { spokenWords } from './spoken-words.ts'
import { foreign, hard, human, longText, prose } from './texts.ts'
import { charactersIn, type Errors, sumOf, wordErrors, wordsIn } from './word-errors.ts'

/** Goals: the largest share of words that may be recognized wrong, in percent; for Chinese, of
 *  characters. */
const most = { prose: 5, hard: 12, human: 5, noise: 20, foreign: 10, zh: 20 }
const parts = ['voices', 'languages', 'human', 'speed'] as const

/** Prints each figure as soon as it is measured. A run of all parts also writes `speech.json` into
 *  `bench/results/`. Sets the exit code when a goal is missed. */
export async function benchSpeech(args: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => args.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const only = option('only')
  const named = option('voices')?.split(',')
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'))
  const gateway = await startServer('src/cli/gateway.ts', {
    args: ['serve'],
    port: 18_101,
    env: { GATEWAY_DATA_DIR: folder, GATEWAY_ACCESS_KEY: accessKey, GATEWAY_LOG_LEVEL: 'warn' },
  })
  const figures: Figure[] = []
  const runs = {
    voices: () => byVoice(gateway, named),
    languages: () => byLanguage(gateway),
    human: () => ofPeople(gateway),
    speed: () => speeds(gateway),
  }
  try {
    for (const part of parts) {
      if (only !== undefined && only !== part) continue
      for await (const figure of runs[part]()) {
        figures.push(figure)
        print(lineOf(figure))
      }
    }
  } finally {
    await gateway.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  if (only === undefined && named === undefined) {
    const report = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model, load: loadavg(), figures }
    writeFileSync('bench/results/speech.json', `${JSON.stringify(report, null, 2)}\n`)
  }
  if (!figures.every(isMet)) process.exitCode = 1
}

/** Measures every English voice with the plain prose and with the difficult sentences. */
async function* byVoice(gateway: Server, named: readonly string[] | undefined): AsyncGenerator<Figure> {
  const all = (await voices(gateway)).filter(({ language }) => language.startsWith('en'))
  for (const voice of named ? all.filter(({ id }) => named.includes(id)) : all) {
    const read = async (sentences: readonly string[]): Promise<Errors> => {
      const { sound } = await speak(gateway, { voice: voice.id, text: sentences.join(' ') })
      const { text } = await transcribe(gateway, sound, { language: 'en' })
      return wordErrors(await spokenWords(sentences.join(' ')), await spokenWords(text))
    }
    yield rate(`${nameOf(voice)}: prose`, await read(prose), most.prose)
    yield rate(`${nameOf(voice)}: numbers and names`, await read(hard), most.hard)
  }
}

/** Measures one voice of each language except English. */
async function* byLanguage(gateway: Server): AsyncGenerator<Figure> {
  const all = await voices(gateway)
  for (const [language, sentences] of Object.entries(foreign)) {
    const voice = all.find(each => each.language.split('-')[0] === language)
    if (!voice) throw new Error(`there is no voice for ${language}`)
    const errors: Errors[] = []
    for (const sentence of sentences) {
      const { sound } = await speak(gateway, { voice: voice.id, text: sentence })
      const { text } = await transcribe(gateway, sound, {})
      const units = language === 'zh' ? charactersIn : wordsIn
      errors.push(wordErrors(units(sentence), units(text)))
    }
    yield rate(`${nameOf(voice)}`, sumOf(errors), language === 'zh' ? most.zh : most.foreign)
  }
}

async function* ofPeople(gateway: Server): AsyncGenerator<Figure> {
  const clean: Errors[] = []
  const noise: Errors[] = []
  for (const { file, said } of human) {
    const sound = readFileSync(new URL(`human/${file}`, import.meta.url))
    const heard = async (bytes: Buffer) => wordErrors(wordsIn(said), wordsIn((await transcribe(gateway, bytes, {})).text))
    clean.push(await heard(sound))
    noise.push(await heard(await noisy(sound, 15)))
  }
  yield rate('a person reading aloud', sumOf(clean), most.human)
  yield rate('the same with white noise, 15 dB', sumOf(noise), most.noise)
}

async function* speeds(gateway: Server): AsyncGenerator<Figure> {
  const seconds = (name: string, value: number, goal: number, note = ''): Figure => ({
    name,
    value,
    unit: 's',
    goal: { bound: 'at most', value: goal },
    note,
  })
  const ratio = (name: string, value: number, goal: number): Figure => ({ name, value, unit: 'x', goal: { bound: 'at most', value: goal } })
  let long: Buffer = Buffer.alloc(0)
  for (const [voice, first, factor] of [
    ['shimmer', 0.5, 0.05],
    ['nova', 2, 1],
  ] as const) {
    await speak(gateway, { voice, text: 'Ready.' })
    const spoken = await speak(gateway, { voice, text: longText })
    yield seconds(`${voice}: first sound of 1,200 characters`, spoken.firstSeconds, first)
    yield seconds(`${voice}: silence while it plays as it comes`, spoken.waitSeconds, 0.5)
    yield ratio(`${voice}: time per time spoken`, spoken.allSeconds / spoken.seconds, factor)
    long = spoken.sound
  }
  const heard = await transcribe(gateway, long, { language: 'en' })
  yield ratio('recognition of a long text: time per time heard', heard.allSeconds / heard.seconds, 0.35)
  const clip = await speak(gateway, { voice: 'nova', text: 'The train leaves the station at noon every day.' })
  const short = await transcribe(gateway, clip.sound, { language: 'en' })
  yield seconds('recognition of a short clip', short.allSeconds, 2, `${clip.seconds.toFixed(1)} s long`)
  const bytes = residentBytesOf(descendantsOf(gateway.pid).filter(isForSound))
  yield { name: 'processes of speech and recognition, resident', value: bytes / 1e9, unit: 'GB', goal: { bound: 'at most', value: 1.2 } }
}

/** Returns true for processes of the speech and recognition engines. Other engines have
 *  processes as well. */
function isForSound(pid: number): boolean {
  return /engines\/(?:speech|recognition)\/|whisper|espeak/.test(unlessEnded(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'), ''))
}

function rate(name: string, { errors, of }: Errors, goal: number): Figure {
  return { name, value: (errors / of) * 100, unit: '%', goal: { bound: 'at most', value: goal }, note: `${errors} of ${of}` }
}

function nameOf({ id, title, language }: Voice): string {
  return `${title} (${id}, ${language})`
}
