/** The chaos test: checks the guarantees about paid tasks while a fake vendor fails in every
 *  possible way, and while programs are killed at random moments. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testSecret } from '../../drivers/vendors/bfl/testing/run.ts'
import { freePort } from '../free-port.ts'
import { testAdminKey, testKey } from '../gateway.ts'
import { type Program, runCommand, startProgram } from '../program.ts'
import { databaseSettings } from '../stores/database.ts'
import { type ChaosVendor, startChaosVendor } from './chaos-vendor.ts'
import { billedFates, downloadFaults, type Fate, fates, linkFaults, pollFaults, SeededDraws, submitFaults } from './chaos-vendor-faults.ts'

/** Returns the number of tasks of a run: `usual`, or the number in `CHAOS_TASKS` for longer runs. A
 *  run needs about 500 tasks so that every kind of fault occurs. */
export const chaosTasks = (usual: number): number => Number(process.env.CHAOS_TASKS ?? usual)
/** Seed of the random draws that decide which task meets which fault. */
const seed = process.env.CHAOS_SEED ?? 'chaos'
/** Share of tasks that their callers cancel, and the longest time in ms after which they do. */
const cancels = { share: 0.03, longestWaitMs: 600 }
/** Number of concurrent callers. Each waits for the end of its task before it submits the next. */
const callers = 80
/** Largest number of tasks that the driver runs at the same time
 *  (docs/vendors/bfl.md#transport). */
const slots = 24
const price = { image: 0.04 }
const imageMicros = 40_000
/** Interval in ms at which a caller asks for its task, and at which it repeats a request that no
 *  node has answered. With 80 callers, shorter intervals would only cost CPU time: the vendor's
 *  limits decide how long the run takes. */
const pollEveryMs = 1_000
const retryEveryMs = 300
const patienceMs = 450_000
/** Regions of the vendor, each with its own target. The polling rate is limited per target, so
 *  with fewer regions the run would take longer. */
const regions = ['eu1', 'eu2', 'us1', 'us2', 'asia1', 'asia2']
const submitPath = '/v1/ai/default/imgf/image/generate'
const resultPath = '/v1/ai/default/imgf/get_result?id='

/** The end of a task, as its caller sees it. */
interface Ending {
  /** The number in the prompt of the task. */
  index: number
  id: string
  status: string
  /** The code of the error, when the task failed. */
  code: string | undefined
  /** The picture, when there is one. */
  bytes: Buffer | undefined
}

/** Something that is done to the programs while callers use them. Resolves when it is over. */
export type Incident = (run: ChaosRun) => Promise<void>

interface ChaosPlan {
  tasks: number
  /** Number of nodes, each a process of its own. */
  nodes: number
  /** Environment variables of the node with this index, in addition to those of every test. */
  envOf?: (node: number) => Record<string, string>
  /** Incidents in the order in which they happen, at random moments of the run. */
  incidents: readonly Incident[]
  /** Number of incidents during which a submit to the vendor may be interrupted. */
  kills: number
}

/** Returns an incident that kills a node with SIGKILL and starts it again at once. */
export function kill(node: number): Incident {
  return run => run.killAndRestart(node)
}

/** Returns an incident that stops a node with SIGSTOP and continues it with SIGCONT after `ms`
 *  milliseconds. */
export function pause(node: number, ms: number): Incident {
  return run => run.pause(node, ms)
}

/** Sends `plan.tasks` tasks to gateways whose vendor fails, while incidents happen, and checks
 *  that no task is lost, none is submitted twice, and the ledger agrees with the vendor's bill. */
export async function runChaos(t: TestContext, plan: ChaosPlan): Promise<void> {
  const vendor = await startChaosVendor(seed)
  await using run = new ChaosRun(vendor, await mkdtemp(join(tmpdir(), 'gateway-chaos-')), plan)
  await run.start()
  const endings = await run.callEverything()
  const unknown = endings.filter(({ code }) => code === 'outcome_unknown')
  const cut = unknown.filter(({ index }) => !vendor.record(index).isOpen)
  t.diagnostic(`${unknown.length} tasks of unknown fate, ${cut.length} of them by kills`)
  t.diagnostic([...vendor.faults].map(([name, count]) => `${name} ${count}`).join(', '))

  assert.equal(new Set(endings.map(({ id }) => id)).size, plan.tasks, 'two submits share a task')
  assert.equal(await run.countTasks(), plan.tasks, 'there are tasks that nobody submitted')
  const wrong = endings.flatMap(ending => problemOf(ending, vendor))
  assert.ok(wrong.length === 0, `${wrong.length} of ${plan.tasks} tasks went wrong:\n${wrong.slice(0, 20).join('\n')}`)
  for (const { index, id, bytes } of endings)
    if (bytes) assert.ok(bytes.equals(await vendor.picture(index)), `number ${index}, task ${id}: it has another picture`)
  assert.ok(cut.length <= plan.kills * slots, `${cut.length} tasks are of unknown fate although the vendor answered them plainly`)
  const allSlots = plan.nodes * slots
  assert.ok(vendor.mostAtOnce() <= allSlots, `the vendor had ${vendor.mostAtOnce()} requests at once, for ${allSlots} slots`)
  await assertLedgerAgrees(run, endings)
  if (plan.tasks < 500) return
  const kinds = [submitFaults, pollFaults, linkFaults, downloadFaults].flatMap(shares => Object.keys(shares))
  assert.equal(vendor.faults.size, kinds.length, 'a kind of fault never happened')
  const seen = new Set(endings.map(({ status }) => status))
  assert.deepEqual(
    [...seen].sort(),
    [...new Set(Object.keys(fates).map(fate => shownAs(fate as Fate))), 'Ready'].sort(),
    'an ending never happened',
  )
}

/** Compares the end of a task with the vendor's record, and returns what is wrong. */
function problemOf({ index, id, status, code }: Ending, vendor: ChaosVendor): string[] {
  const { tasks: accepted, submits, repeats, isOpen } = vendor.record(index)
  const reported = `number ${index}, task ${id}: ${status}${code === undefined ? '' : ` (${code})`}`
  const made = accepted[0]
  if (repeats > 0) return [`${reported}; ${submits} submits arrived, ${repeats} too many, and ${accepted.length} were accepted`]
  if (code === 'outcome_unknown') {
    // The gateway has polled this task, so it knew the task's id at the vendor and could have found
    // out the outcome.
    return made && made.looks > 0 ? [`${reported}; it was looked at ${made.looks} times, and then forgotten`] : []
  }
  if (code === 'cancelled') return []
  if (isOpen) return [`${reported}; the vendor's answer left its fate open`]
  if (!made) return [`${reported}; the vendor never accepted it`]
  const isRight = status === shownAs(made.fate) && (status !== 'Error' || code === 'upstream_error')
  return isRight ? [] : [`${reported}; at the vendor it is ${made.fate}`]
}

/** Returns the status that family F1 shows for a result of the vendor. A task that the vendor no
 *  longer knows is shown as an error, because the gateway itself still knows it. */
function shownAs(fate: Fate): string {
  return fate === 'Task not found' ? 'Error' : fate
}

/** Compares the ledger with the vendor's bill twice: before an operator has settled the tasks of
 *  unknown outcome, and after the operator has settled them according to the vendor's record. */
async function assertLedgerAgrees(run: ChaosRun, endings: readonly Ending[]): Promise<void> {
  // The vendor draws and bills every picture that it has accepted, even when the caller has
  // disconnected.
  const isBilled = ({ index }: Ending) => run.vendor.record(index).tasks.some(({ fate }) => billedFates.has(fate))
  const billed = endings.filter(isBilled)
  const succeeded = endings.filter(({ status }) => status === 'Ready')
  assert.deepEqual(await run.charged(), costOf(succeeded.length), 'the ledger before the open lines are settled')

  const lines = await run.openLines()
  const isOpen = new Set(lines.map(({ taskId }) => taskId))
  // This vendor cannot cancel a task. When a task was cancelled after it had been sent, its cost is
  // therefore in doubt; when it was never sent, there is no ledger line.
  const isDoubtful = ({ index, id, code }: Ending) =>
    code === 'outcome_unknown' ||
    (code === 'cancelled' && isOpen.has(id)) ||
    (code === 'upstream_error' && run.vendor.record(index).tasks[0]?.fate === 'Task not found')
  const doubtful = endings.filter(isDoubtful)
  assert.deepEqual([...isOpen].sort(), doubtful.map(({ id }) => id).sort(), 'tasks with an open line, and tasks of unknown fate')
  const unseen = billed.filter(({ id, status }) => status !== 'Ready' && !isOpen.has(id))
  assert.deepEqual(unseen, [], 'tasks the vendor billed that are neither in the ledger nor open')
  for (const { taskId, units } of lines) {
    const images = units.find(({ unit }) => unit === 'images')
    assert.deepEqual(images, { unit: 'images', units: 1, costMicros: imageMicros }, `what is held for ${taskId}`)
  }

  for (const outcome of ['charge', 'release'] as const) {
    const [first, ...rest] = doubtful.filter(ending => isBilled(ending) === (outcome === 'charge'))
    if (first) await run.command(['usage', 'settle', '--task', first.id, '--outcome', outcome])
    for (const { id } of rest) await run.admin(`/admin/usage/open/${id}/settle`, { method: 'POST', body: { outcome } })
  }
  assert.deepEqual(await run.openLines(), [], 'open lines after all are settled')
  assert.deepEqual(await run.charged(), costOf(billed.length), 'the ledger, and what the vendor billed')
}

function costOf(images: number): { images: number; costMicros: number } {
  return { images, costMicros: images * imageMicros }
}

interface OpenLine {
  taskId: string
  units: { unit: string; units: number; costMicros: number }[]
}

/** Runs the vendor, the nodes and their callers. */
export class ChaosRun implements AsyncDisposable {
  readonly vendor: ChaosVendor
  readonly #plan: ChaosPlan
  readonly #folder: string
  readonly #draws = new SeededDraws(seed)
  /** The incidents that are still to come. Each happens when the vendor has received `at`
   *  submits; sorted by `at`. */
  readonly #incidents: { at: number; happen: Incident }[]
  /** Aborts all callers; the reason of its signal is the error that ended the run. */
  readonly #end = new AbortController()
  readonly #ports: number[] = []
  readonly #programs: Program[] = []
  #incident: Promise<void> | undefined

  constructor(vendor: ChaosVendor, folder: string, plan: ChaosPlan) {
    this.vendor = vendor
    this.#folder = folder
    this.#plan = plan
    const draws = plan.incidents.map((_, index) => this.#draws.draw(`kill ${index}`)).sort((a, b) => a - b)
    this.#incidents = plan.incidents.map((happen, index) => ({ at: Math.ceil(plan.tasks * 0.9 * (draws[index] ?? 0)), happen }))
  }

  async start(): Promise<void> {
    this.vendor.onSubmit(submits => this.#maybeHappen(submits))
    await writeFile(join(this.#folder, 'gateway.yaml'), configOf(this.vendor))
    for (let node = 0; node < this.#plan.nodes; node++) {
      this.#ports.push(await freePort())
      await mkdir(this.#folderOf(node))
      await this.#startProgram(node)
    }
  }

  /** Waits up to 60 ms after the submit at which the incident is due, then kills the node and
   *  starts it again. Often the submit is still in flight at that moment. */
  async killAndRestart(node: number): Promise<void> {
    await sleep(60 * this.#draws.draw(`wait ${this.#incidents.length}`))
    await this.#programs[node]?.kill()
    await this.#startProgram(node)
  }

  async pause(node: number, ms: number): Promise<void> {
    const child = this.#programs[node]?.process
    child?.kill('SIGSTOP')
    await sleep(ms)
    child?.kill('SIGCONT')
  }

  /** Resolves when every task has ended and every incident has happened. */
  async callEverything(): Promise<Ending[]> {
    const patience = AbortSignal.timeout(patienceMs)
    const signal = AbortSignal.any([this.#end.signal, patience])
    const endings: Ending[] = []
    let next = 0
    const call = async () => {
      while (next < this.#plan.tasks) endings.push(await this.#call(next++, signal))
    }
    try {
      await Promise.all(Array.from({ length: callers }, call))
    } catch (error) {
      this.#end.abort(error)
      throw new Error(
        `the run was not brought to its end; the programs wrote:\n${this.#programs.map(program => program.output()).join('\n')}`,
        { cause: error },
      )
    }
    await this.#incident
    assert.deepEqual(this.#incidents, [], 'incidents still to come')
    return endings
  }

  async countTasks(): Promise<number> {
    let count = 0
    for (let before = ''; ; ) {
      const { tasks: page } = await this.admin(`/admin/tasks?limit=200${before}`)
      if (page.length === 0) return count
      count += page.length
      before = `&before=${page.at(-1).id}`
    }
  }

  /** Returns the number of pictures and the cost that the ledger has charged. */
  async charged(): Promise<{ images: number; costMicros: number }> {
    const rows: { unit: string; units: number; costMicros: number }[] = (await this.admin('/admin/usage')).usage
    const images = rows.filter(({ unit }) => unit === 'images').reduce((sum, { units }) => sum + units, 0)
    return { images, costMicros: rows.reduce((sum, row) => sum + row.costMicros, 0) }
  }

  async openLines(): Promise<OpenLine[]> {
    return (await this.admin('/admin/usage/open?limit=10000')).lines
  }

  /** Returns the answer of the admin API. Fails on an error status. */
  async admin(path: string, requested: Asked = {}) {
    return (await good(this.#url(0, path), { ...requested, key: testAdminKey })).body
  }

  /** Runs the `gateway` command on the first node's data folder. Fails unless it exits with 0. */
  async command(args: string[]): Promise<void> {
    const own = this.#plan.envOf?.(0) ?? (await databaseSettings(this.#folderOf(0)))
    await runCommand(args, { GATEWAY_DATA_DIR: this.#folderOf(0), GATEWAY_ADMIN_KEY: testAdminKey, ...own })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#incident
    for (const program of this.#programs) await program.kill()
    await this.vendor.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #folderOf(node: number): string {
    return join(this.#folder, `node-${node}`)
  }

  #url(node: number, path: string): string {
    return `http://127.0.0.1:${this.#ports[node % this.#ports.length]}${path}`
  }

  async #startProgram(node: number): Promise<void> {
    const env = { GATEWAY_CONFIG: join(this.#folder, 'gateway.yaml'), BFL_KEY: testSecret, GATEWAY_ENGINE_WORKERS: '0' }
    const settings = { ...env, ...this.#plan.envOf?.(node) }
    this.#programs[node] = await startProgram({ dataDir: this.#folderOf(node), port: this.#ports[node] ?? 0, env: settings })
  }

  #maybeHappen(submits: number): void {
    const [next] = this.#incidents
    if (this.#incident || !next || submits < next.at) return
    this.#incidents.shift()
    this.#incident = next
      .happen(this)
      .catch(error => this.#end.abort(error))
      .finally(() => {
        this.#incident = undefined
      })
  }

  /** Runs the task of one caller, from the submit to its end. Every tenth task is submitted a
   *  second time with the same idempotency key, as by a caller that did not get the answer. Some
   *  tasks are cancelled. */
  async #call(index: number, signal: AbortSignal): Promise<Ending> {
    // Each request goes to the next node, as it would behind a load balancer.
    let turn = index
    const ask = async (path: string, requested?: Asked) => (await persistently(signal, () => good(this.#url(turn++, path), requested))).body
    const body = { prompt: `picture ${index}`, width: 256, height: 256, seed: index, output_format: 'png' }
    const submit = { method: 'POST', headers: { 'idempotency-key': `chaos-${index}` }, body }
    const { id } = await ask(submitPath, submit)
    if (index % 10 === 0)
      assert.equal((await ask(submitPath, submit)).id, id, `number ${index}, submitted again with its key, is another task`)
    const ownPath = `${resultPath}${id}`
    if (this.#draws.draw(`cancel ${index}`) < cancels.share) {
      await sleep(cancels.longestWaitMs * this.#draws.draw(`cancel ${index} after`))
      await ask(ownPath, { method: 'DELETE' })
    }
    for (;;) {
      const { status, result, details } = await ask(ownPath)
      if (status !== 'Pending') {
        const bytes = result ? (await persistently(signal, () => good(this.#url(turn++, pathOf(result.sample))))).bytes : undefined
        return { index, id, status, code: details?.error, bytes }
      }
      assert.ok(!signal.aborted, `number ${index}: task ${id} has not ended: ${signal.reason}`)
      await sleep(pollEveryMs)
    }
  }
}

/** Returns the configuration. One model has several targets at the vendor, so a task that one
 *  target has refused may go to the next. */
function configOf({ baseUrl }: ChaosVendor): string {
  const common = { driver: 'bfl', api_key_env: 'BFL_KEY', model: 'flux-pro-1.1', timeout_seconds: 6 }
  const targets = regions.map(region => ({ ...common, base_url: `${baseUrl}/${region}` }))
  // JSON is a subset of YAML, so the configuration file can be written as JSON.
  return JSON.stringify({ models: [{ id: 'MaaS_ImgF_P', family: 'F1', group: 'P', price, targets }] })
}

/** Repeats a request until a node answers, because the program may be down. */
async function persistently<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request()
    } catch (error) {
      // `fetch` throws a TypeError when it gets no answer or only a part of one.
      if (!(error instanceof TypeError || error instanceof Unavailable) || signal.aborted) throw error
    }
    await sleep(retryEveryMs)
  }
}

/** Returns the path and query of a URL. The host is left out, so that the link can be followed
 *  on any node: the node that signed it may be down. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

interface Asked {
  method?: string
  key?: string
  headers?: Record<string, string>
  body?: object
}

class Unavailable extends Error {}

/** Sends a request and fails when the status is not 200. A task that was accepted and then lost
 *  would answer 404. */
async function good(url: string, { method = 'GET', key = testKey, headers, body }: Asked = {}) {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  // A node answers like this while its database cannot be reached; the request is then repeated.
  if (answer.status === 503 && bytes.includes('store_unavailable')) throw new Unavailable(bytes.toString())
  assert.equal(answer.status, 200, `${method} ${url}: ${bytes}`)
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return { bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined }
}
