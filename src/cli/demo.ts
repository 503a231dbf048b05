import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import { readConfig } from '../config/settings.ts'
import { startGateway } from '../main.ts'
import { contactSheet } from './demo/contact-sheet.ts'
import type { Demo, DemoCall, DemoResult } from './demo/demo.ts'
import { demos } from './demo/index.ts'
import { onStop } from './on-stop.ts'
import { runSetup } from './setup.ts'
import { exitSoon, print, table } from './terminal.ts'

const accessKey = 'sk-demo-key-of-an-empty-folder'

/** Starts a temporary gateway, requests results of every family (or of those in `--family`) through
 *  its public interface, and writes the files and an overview page. */
export async function runDemo(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string', default: 'demo-output' },
      family: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help)
    return print(
      'gateway demo [--out demo-output] [--family F1 ...]\n  Makes results with every built-in engine (or of the families named) without keys and without a network.',
    )
  const stopping = new AbortController()
  using _ = onStop(() => stopping.abort(new GatewayError('cancelled', 'Stopped. The results made so far are in the output folder.')))
  await runSetup([])
  const output = resolve(values.out)
  const wanted = demos.filter(demo => values.family === undefined || values.family.includes(demo.family))
  if (wanted.length === 0)
    throw new GatewayError(
      'invalid_request',
      `There is no demo for ${values.family?.join(', ')}; there are ${demos.map(demo => demo.family).join(', ')}.`,
    )
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-demo-'))
  const env = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_DATABASE_URL: '',
    GATEWAY_DATABASE_URL_FILE: '',
    GATEWAY_BLOBS_URL: '',
    GATEWAY_BLOBS_REDIRECT: '',
    GATEWAY_PROCESSES: '',
    GATEWAY_ACCESS_KEY: accessKey,
    GATEWAY_LOG_LEVEL: 'warn',
    GATEWAY_CONFIG: '',
    GATEWAY_PUBLIC_URL: '',
  }
  const gateway = await startGateway({ config: readConfig(env), env })
  try {
    print(`\nA gateway is running on ${gateway.url} with an empty data folder.\n`)
    await mkdir(output, { recursive: true })
    const results = await makeAll(
      wanted.flatMap(({ family, calls }) => calls.map(call => ({ ...call, family }))),
      { url: gateway.url, accessKey, output },
      stopping.signal,
    )
    await writeFile(join(output, 'index.html'), contactSheet(results))
    print(`\n${table(['family', 'result', 'file', 'size', 'seconds', 'state'], results.map(row))}`)
    print(`\nOpen ${join(output, 'index.html')}`)
    for (const missing of new Set(results.flatMap(result => result.missing ?? []))) print(`\nNot made: ${missing}`)
    for (const { family, title, bad } of results) if (bad !== undefined) print(`\nBAD: ${family}, ${title}: ${bad}`)
    throwForFailures(results)
  } finally {
    await gateway.stop(0)
    await rm(dataDir, { recursive: true, force: true })
    exitSoon()
  }
}

type FamilyCall = DemoCall & Pick<Demo, 'family'>

/** Runs all calls, two at a time, which uses both cores of a small machine. Calls that use
 *  results of other calls run in a later group. Throws the reason of `signal` as soon as it is
 *  aborted. */
async function makeAll(
  calls: readonly FamilyCall[],
  context: { url: string; accessKey: string; output: string },
  signal: AbortSignal,
): Promise<DemoResult[]> {
  signal.throwIfAborted()
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const made = new Map<string, DemoResult>()
  let done = 0
  const make = async (call: FamilyCall): Promise<void> => {
    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1000
    let result: DemoResult
    try {
      const { pictures, ...one } = await call.make({ ...context, made })
      result = { family: call.family, title: call.title, ...one, seconds: seconds() }
      const bad = await call.judge({ ...one, ...(pictures ? { pictures } : {}) }, { ...context, made })
      if (bad !== undefined) result.bad = bad
    } catch (error) {
      result = { family: call.family, title: call.title, file: '', bytes: 0, facts: '', seconds: seconds(), ...reasonOf(error) }
    }
    made.set(call.id, result)
    if (signal.aborted) return
    done += 1
    print(
      `[${String(done).padStart(2)}/${calls.length}] ${stateOf(result).padEnd(7)} ${result.seconds.toFixed(1).padStart(5)} s  ${call.family}  ${call.title}`,
    )
  }
  for (const group of groupsOf(calls)) {
    const waiting = [...group]
    const lane = async (): Promise<void> => {
      for (let call = waiting.shift(); call && !signal.aborted; call = waiting.shift()) await make(call)
    }
    await Promise.race([Promise.all([lane(), lane()]), stopped])
  }
  return calls.flatMap(call => made.get(call.id) ?? [])
}

/** Returns the calls in two groups that run one after the other: first the calls that need
 *  nothing, then those that use the result of another call. */
function groupsOf(calls: readonly FamilyCall[]): FamilyCall[][] {
  return [calls.filter(call => call.uses === undefined), calls.filter(call => call.uses !== undefined)]
}

/** Returns the reason why there is no result. `missing`: a pack or an engine is not installed;
 *  the text says how to install it, and this is not a failure of the demo. `error`: every other
 *  reason. */
function reasonOf(error: unknown): Pick<DemoResult, 'missing' | 'error'> {
  const message = errorMessage(error)
  return error instanceof GatewayError && error.code === 'capability_unavailable' ? { missing: message } : { error: message }
}

/** Throws an error that says how many results are missing because of an error, and how many do not
 *  match their requests. Throws nothing when all results are good. */
function throwForFailures(results: readonly DemoResult[]): void {
  const failed = results.flatMap(({ error }) => error ?? [])
  const bad = results.filter(result => result.bad !== undefined)
  const sentences = [
    failed.length > 0 ? [`${failed.length} of ${results.length} results could not be made: ${failed.join(' ')}`] : [],
    bad.length > 0 ? [`${bad.length} of ${results.length} results are BAD.`] : [],
  ].flat()
  if (sentences.length > 0) throw new GatewayError('internal_error', sentences.join(' '))
}

function stateOf({ missing, error, bad }: DemoResult): string {
  if (error !== undefined) return 'failed'
  if (bad !== undefined) return 'BAD'
  return missing === undefined ? 'ok' : 'missing'
}

function row(result: DemoResult): string[] {
  const size = result.file === '' ? '' : `${Math.ceil(result.bytes / 1024)} KiB`
  return [result.family, result.title.slice(0, 70), result.file, size, result.seconds.toFixed(1), stateOf(result)]
}
