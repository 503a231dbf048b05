/** Prints the memory of the engine process and of the encoder over time, while one film is made:
 *  `node engines/film/testing/memory.ts [WIDTHxHEIGHT] [seconds] [prompt]`. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import film from '../driver.ts'
import { requested } from './frames.ts'

const [size = '1920x1080', length = '8', ...given] = process.argv.slice(2)
const [width = 1920, height = 1080] = size.split('x').map(Number)
const usual = [
  'a sailing boat crosses the bay at sunset, the camera pans right',
  'a dog runs through a park in autumn, leaves fall',
  'a night street in the rain, neon signs, a car drives by',
]
const folder = mkdtempSync(join(tmpdir(), 'film-memory-'))
await using engine = openEngine(film, { folder, cores: 1 })

for (const prompt of given.length > 0 ? [given.join(' ')] : usual) {
  const samples: { at: number; engine: number; encoder: number }[] = []
  const cpu = new Map<number, number>()
  const start = performance.now()
  const before = ours().map(cpuOf)
  const watch = setInterval(() => {
    const sample = { at: (performance.now() - start) / 1000, engine: 0, encoder: 0 }
    for (const pid of ours()) {
      const isEncoder = nameOf(pid).includes('ffmpeg')
      sample[isEncoder ? 'encoder' : 'engine'] += residentOf(pid)
      cpu.set(pid, cpuOf(pid))
    }
    samples.push(sample)
  }, 50)
  await engine.run('video.generate', { ...requested, prompt, width, height, seconds: Number(length), framesPerSecond: 24, sound: true })
  clearInterval(watch)
  const peak = samples.reduce((most, each) => (each.engine + each.encoder > most.engine + most.encoder ? each : most))
  const spent = [...cpu.values()].reduce((sum, each) => sum + each, 0) - before.reduce((sum, each) => sum + each, 0)
  process.stdout.write(`${prompt}: peak ${line(peak)}; CPU ${spent.toFixed(1)} s\n`)
  const stride = Math.max(1, Math.floor(samples.length / 24))
  process.stdout.write(
    `${samples
      .filter((_, index) => index % stride === 0)
      .map(line)
      .join('\n')}\n`,
  )
}
rmSync(folder, { recursive: true, force: true })

function line({ at, engine, encoder }: { at: number; engine: number; encoder: number }): string {
  return `${(engine + encoder).toFixed(0)} MiB at ${at.toFixed(1)} s (engine ${engine.toFixed(0)}, encoder ${encoder.toFixed(0)})`
}

/** Returns the ids of the processes that this script started, and of their children. */
function ours(): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(name => [Number(name), parentOf(Number(name))]),
  )
  const isOurs = (pid: number | undefined): boolean => pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)))
  return [...parents.keys()].filter(pid => pid !== process.pid && isOurs(pid))
}

function parentOf(pid: number): number | undefined {
  const fields = statOf(pid)
  return fields && Number(fields[1])
}

/** Returns the CPU time of a process in seconds. */
function cpuOf(pid: number): number {
  const fields = statOf(pid)
  return fields ? (Number(fields[11]) + Number(fields[12])) / 100 : 0
}

/** Returns the fields of `/proc/PID/stat` from the third one on; undefined when the process has
 *  ended. */
function statOf(pid: number): string[] | undefined {
  return read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
}

function nameOf(pid: number): string {
  return read(`/proc/${pid}/comm`) ?? ''
}

/** Returns the resident memory of a process in MiB. */
function residentOf(pid: number): number {
  return Number(/^VmRSS:\s*(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) / 1024
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
