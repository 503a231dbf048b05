/** Checks that a short recording of one account does not wait for long recordings of another
 *  account. A program that recognises the same word in every window stands in for whisper.cpp:
 *  only the order of its runs matters here. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import engine from './driver.ts'
import { recognitionPacks } from './packs.ts'
import { ask, noise, reading, recording, sampleRate, writeSound } from './testing/ask.ts'

const folder = await mkdtemp(join(tmpdir(), 'recognition-fairness-'))
// With one whisper.cpp process at a time, the windows are recognised in the order of the queue.
const opened = openEngine(engine, { folder, cores: 1 })
after(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})
/** The stand-in notes each run in the file `runs`: its task and its window. While there is a file
 *  `hold`, no run ends. */
const program = join(folder, 'whisper-stand-in')
const [hold, runs] = [join(folder, 'hold'), join(folder, 'runs')]
const recognised = {
  model: { vocab: 51_865 },
  result: { language: 'en' },
  transcription: [{ offsets: { from: 0, to: 900 }, tokens: [{ text: ' Dashwood', id: 1, p: 0.9, offsets: { from: 100, to: 900 } }] }],
}
await writeFile(
  program,
  `#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --help) echo '--output-json-full --audio-ctx --prompt'; exit ;;
    --file) window=$2 ;;
    --output-file) base=$2 ;;
    --detect-language) task=detect; echo 'auto-detected language: en (p = 0.9)' >&2 ;;
  esac
  shift
done
echo "\${task:-transcribe} $window" >> '${runs}'
sleep 0.2
while [ -e '${hold}' ]; do sleep 0.1; done
[ -z "$base" ] || echo '${JSON.stringify(recognised)}' > "$base.json"
`,
  { mode: 0o755 },
)
const settings = { program }
const needs = recognitionPacks.map(needPack).find(({ skip }) => skip) ?? {}

interface Running {
  isOver(): boolean
  leave(): Promise<void>
}

/** Starts transcribing a long recording for account `a`. The test cancels it with `leave` after
 *  measuring how it affects another account. */
async function start(path: string, languages: string[] = ['en']): Promise<Running> {
  const stop = new AbortController()
  let isOver = false
  const options = { account: 'a', settings, signal: stop.signal }
  const run = opened.run('audio.transcribe', ask({ languages }), { inputs: [await recording(path)], ...options })
  const ended = run.then(
    () => {
      isOver = true
    },
    () => undefined,
  )
  return {
    isOver: () => isOver,
    leave: () => {
      stop.abort(new Error('seen enough'))
      return ended
    },
  }
}

const short = async (path: string, changes = {}) =>
  opened.run('audio.transcribe', ask(changes), { inputs: [await recording(path)], account: 'b', settings })

async function readingSamples(): Promise<Float32Array> {
  const decoding = { scratch: folder, sampleRate, channels: 'mixed', signal: new AbortController().signal } as const
  const { channels } = await decodeSound(reading, decoding)
  return readSamples(channels[0]?.path ?? '', { from: 0, count: 30 * sampleRate })
}

test('a short recording waits only for the current window of a long one, not for all of its windows', needs, async () => {
  const samples = await readingSamples()
  const long = new Float32Array(samples.length * 4)
  for (let at = 0; at < 4; at++) long.set(samples, at * samples.length)
  const path = await writeSound(join(folder, 'long.wav'), long)
  const clip = await writeSound(join(folder, 'clip.wav'), samples.subarray(0, 4 * sampleRate))
  await writeFile(hold, '')
  const running = [await start(path), await start(path)]
  await until(() => readFile(runs).catch(() => undefined), 'the first window')
  // The request names no language. So whisper.cpp runs twice for the clip: once to detect the
  // language, once to transcribe.
  const ended = short(clip, { languages: [] })
  // A recording waits for whisper.cpp as soon as its first window has been written.
  const queued = async () => (await readdir(folder, { recursive: true })).filter(name => basename(name) === 'window-0.wav')
  await until(async () => (await queued()).length === 3, 'the clip in the queue')
  await rm(hold)
  assert.match(String((await ended).report.text), /Dashwood/)
  assert.ok(running.every(each => !each.isOver()))
  await Promise.all(running.map(each => each.leave()))
  const order = (await readFile(runs, 'utf8')).trim().split('\n')
  const clipFolder = dirname(order.find(line => line.startsWith('detect '))?.slice('detect '.length) ?? '')
  const isOfClip = (line: string): boolean => line.includes(clipFolder)
  assert.equal(order.filter(isOfClip).length, 2, order.join('\n'))
  // While the clip waits, at most two windows of the long recordings are recognised: the one that
  // runs when the clip arrives, and one that starts when the language of the clip is known.
  const before = order.slice(0, order.findLastIndex(isOfClip)).filter(line => !isOfClip(line))
  assert.ok(before.length <= 2, order.join('\n'))
})

test('hours of silence delay nobody, and end when their caller disconnects', needs, async () => {
  const path = await writeSound(join(folder, 'hours.wav'), new Float32Array(900 * sampleRate))
  const running = await Promise.all([start(path), start(path), start(path)])
  const clip = await writeSound(
    join(folder, 'noise.wav'),
    noise(sampleRate).map(value => value * 0.1),
  )
  // The first run only makes sure that the child process has loaded the model for speech detection,
  // so that the second run does not wait for the model.
  await short(clip)
  const { report } = await short(clip)
  assert.equal(report.text, '')
  assert.ok(
    running.every(each => !each.isOver()),
    'the hours were over first',
  )
  await Promise.all(running.map(each => each.leave()))
  assert.equal((await short(clip)).report.text, '')
})

test('a reader that stops in the middle of an answer does not delay another account', { ...needs, timeout: 480_000 }, async () => {
  const clip = await writeSound(join(folder, 'read-slowly.wav'), (await readingSamples()).subarray(0, 4 * sampleRate))
  const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const onEvent = (): Promise<void> => {
    begun.resolve()
    return goesOn.promise
  }
  const slow = opened.run('audio.transcribe', ask(), { inputs: [await recording(clip)], account: 'a', settings, onEvent })
  await begun.promise
  assert.match(String((await short(clip)).report.text), /Dashwood/)
  goesOn.resolve()
  assert.match(String((await slow).report.text), /Dashwood/)
})
