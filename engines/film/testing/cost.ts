/** Measures the CPU time of one film, divided into composition, drawing and encoder. `node
 *  engines/film/testing/cost.ts [WIDTHxHEIGHT] [frames] [prompt]`. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ffmpegPath } from '@generation-gateway/kit/audio/ffmpeg.ts'
import { encodeArguments } from '@generation-gateway/kit/video/encode.ts'
import { studioArt } from '@generation-gateway/studio/subjects/drawable.ts'
import { drawShots } from '../film.ts'
import { planShots } from '../shots.ts'
import { requested } from './frames.ts'

const [size = '1280x720', count = '48', ...given] = process.argv.slice(2)
const [width = 1280, height = 720] = size.split('x').map(Number)
const frames = Number(count)
const usual = [
  'a small sailing boat on the sea at sunset',
  'a dog running in a park',
  'a rainy city street at night, push in',
  'a bird flying over mountains, pan left',
  'a village in the snow',
]
const framesPerSecond = 24
studioArt()

for (const prompt of given.length > 0 ? [given.join(' ')] : usual) {
  const folder = mkdtempSync(join(tmpdir(), 'film-cost-'))
  const raw = join(folder, 'raw')
  const plan = planShots({ ...requested, prompt, seconds: frames / framesPerSecond }, '7')
  const draw = drawShots(plan.shots, { picture: { width, height }, seed: '7', framesPerSecond, pictures: {}, palette: undefined })
  const file = openSync(raw, 'w')
  const start = process.cpuUsage()
  writeSync(file, await draw(0))
  const laid = process.cpuUsage(start)
  const from = process.cpuUsage()
  let own = 0
  for (let frame = 1; frame < frames; frame++) {
    const pixels = await draw(frame)
    const before = process.cpuUsage()
    writeSync(file, pixels)
    own += total(process.cpuUsage(before))
  }
  const drawn = total(process.cpuUsage(from)) - own
  closeSync(file)
  const out = join(folder, 'out.mp4')
  const encoder = ['-benchmark', ...encodeArguments({ width, height, framesPerSecond, frames: { path: raw }, pixels: 'i420', path: out })]
  const said = spawnSync(await ffmpegPath(), encoder, { encoding: 'utf8' }).stderr
  const [, user = 0, system = 0] = /utime=([\d.]+)s(?: stime=([\d.]+)s)?/.exec(said)?.map(Number) ?? []
  const encoded = (user + (system || 0)) * 1000
  process.stdout.write(
    `${prompt}: layers ${ms(total(laid))}, drawing ${ms(drawn / (frames - 1))}, encoder ${ms(encoded / frames)} a frame; ${(statSync(out).size / 1024).toFixed(0)} kB; RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB\n`,
  )
  rmSync(folder, { recursive: true })
}

/** Returns the total CPU time in milliseconds. */
function total({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}
