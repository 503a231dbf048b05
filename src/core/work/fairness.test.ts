/** The fair order between accounts, tested in a long simulation and through the whole program.
 *  `src/stores/suite/fairness.ts` tests each rule alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock, type FakeClock } from '../../testing/clock.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway } from '../../testing/gateway.ts'
import { newTestTask, openTestStore } from '../../testing/stores/store.ts'
import type { Claim, Settlement, TaskStore } from '../ports/store.ts'

interface Running {
  claim: Claim
  endsAt: number
}

interface Play {
  slots: number
  claims: number
  lastsMs(claim: Claim): number
  /** Called for each claim. `beside` are the jobs that are running at the same time. */
  onClaim(claim: Claim, beside: Running[]): void
  /** Called each time after the free slots were filled. */
  thenSubmit?(): Promise<void>
}

/** Simulates a node with this number of slots: fills the free slots with claimed jobs, then ends
 *  the job that is due to end first, and repeats. */
async function play(store: TaskStore, clock: FakeClock, { slots, claims, lastsMs, onClaim, thenSubmit }: Play): Promise<void> {
  const running: Running[] = []
  let claimed = 0
  while (claimed < claims) {
    await store.heartbeat('node', clock.now(), 60_000)
    for (const claim of await store.claim('fake:f', 'node', slots - running.length, clock.now())) {
      claimed += 1
      onClaim(claim, running)
      running.push({ claim, endsAt: clock.now() + lastsMs(claim) })
    }
    await thenSubmit?.()
    running.sort((a, b) => a.endsAt - b.endsAt)
    const first = running.shift()
    if (first === undefined) continue
    clock.step(Math.max(0, first.endsAt - clock.now()))
    await store.settle(first.claim.task.id, first.claim.token, ended(clock.now()))
  }
}

const countOf = (account: string, running: Running[]) => running.filter(run => run.claim.task.accountId === account).length

function ended(at: number): Settlement {
  return { state: 'succeeded', outputs: [], usage: [], at }
}

/** Returns a generator of numbers from 0 to 1 (Park and Miller). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

test('accounts whose jobs last 1 to 20 seconds hold equal shares of the slots', async () => {
  const clock = createFakeClock()
  await using opened = await openTestStore(clock)
  const random = seeded(5)
  const seconds = new Map([
    ['short', 1],
    ['middle', 4],
    ['long', 20],
  ])
  const heldMs = new Map([...seconds.keys()].map(account => [account, 0]))
  for (const accountId of seconds.keys()) {
    const ids = Array.from({ length: 500 }, (_, index) => `${accountId}-${String(index).padStart(3, '0')}`)
    await Promise.all(ids.map(id => opened.store.submit(newTestTask(id, clock.now(), { accountId }))))
  }
  await play(opened.store, clock, {
    slots: 6,
    claims: 500,
    lastsMs: ({ task }) => {
      const ms = Math.ceil((seconds.get(task.accountId) ?? 1) * 1000 * (0.5 + random()))
      heldMs.set(task.accountId, (heldMs.get(task.accountId) ?? 0) + ms)
      return ms
    },
    onClaim: ({ task }, beside) => {
      const fewest = Math.min(...[...seconds.keys()].map(account => countOf(account, beside)))
      assert.equal(countOf(task.accountId, beside), fewest, 'the account that runs the fewest is served')
    },
  })
  const total = [...heldMs.values()].reduce((sum, ms) => sum + ms, 0)
  for (const [account, ms] of heldMs)
    assert.ok(ms / total > 0.28 && ms / total < 0.39, `${account} held ${((100 * ms) / total).toFixed(1)} %`)
})

test('with random submits, an account that runs as many jobs and was served later never overtakes a waiting account', async () => {
  const clock = createFakeClock()
  await using opened = await openTestStore(clock)
  const { store } = opened
  const random = seeded(11)
  const accounts = ['a', 'b', 'c', 'd', 'e', 'f']
  const waiting = new Map<string, string[]>(accounts.map(account => [account, []]))
  const lastServed = new Map<string, number>()
  let submitted = 0
  let turn = 0
  const submitSome = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      // The first account submits half of all tasks, as many as all others together.
      const accountId = random() < 0.5 ? 'a' : (accounts[1 + Math.floor(random() * 5)] ?? 'b')
      const id = `task-${String(submitted).padStart(5, '0')}`
      submitted += 1
      clock.step(1)
      await store.submit(newTestTask(id, clock.now(), { accountId }))
      waiting.get(accountId)?.push(id)
    }
  }
  await submitSome(20)
  await play(store, clock, {
    slots: 4,
    claims: 400,
    lastsMs: () => Math.ceil(random() * 5_000),
    onClaim: ({ task }, beside) => {
      const own = countOf(task.accountId, beside)
      const served = lastServed.get(task.accountId) ?? 0
      for (const other of accounts) {
        if (other === task.accountId || waiting.get(other)?.length === 0) continue
        const theirs = countOf(other, beside)
        assert.ok(own < theirs || (own === theirs && served <= (lastServed.get(other) ?? 0)), `${task.accountId} before ${other}`)
      }
      assert.equal(task.id, waiting.get(task.accountId)?.shift(), 'the oldest of its account')
      turn += 1
      lastServed.set(task.accountId, turn)
    },
    thenSubmit: () => submitSome(random() < 0.48 ? 0 : 2),
  })
})

const crowdPath = '/v1/ai/default/imgf/image/generate'
const quietPath = '/v1/ai/studio/imgf/image/generate'
const quietKey = 'sk-quiet-key-00000001'

test('the first task of an account runs right after the current one, though another account has 200 waiting', async () => {
  const prompts: string[] = []
  const ends: (() => void)[] = []
  const driver = fakeImageDriver(
    'slow',
    once(async job => {
      prompts.push(job.request.prompt)
      await new Promise<void>((resolve, reject) => {
        ends.push(resolve)
        job.signal.addEventListener('abort', () => reject(job.signal.reason))
      })
      return donePixel(job)
    }),
    1,
  )
  const yaml = `${fakeModelYaml('slow')}accounts:
  - { id: quiet, keys: [{ name: q, secret: ${quietKey} }], endpoints: [{ name: studio }] }
`
  await using gateway = await startTestGateway({ drivers: [driver], yaml })
  const crowd = Array.from({ length: 201 }, (_, index) => gateway.call(crowdPath, { body: { model: 'fake', prompt: `crowd ${index}` } }))
  for (const answer of await Promise.all(crowd)) assert.equal(answer.status, 200)
  await until(() => prompts.length === 1, 'the first run')
  const quiet = await gateway.call(quietPath, { body: { model: 'fake', prompt: 'quiet' }, key: quietKey })
  assert.equal(quiet.status, 200)
  ends.shift()?.()
  await until(() => prompts.length === 2, 'the second run')
  assert.equal(prompts[1], 'quiet')
  ends.shift()?.()
  await until(() => prompts.length === 3, 'the third run')
  assert.match(prompts[2] ?? '', /^crowd/)
  const done = await gateway.call(quiet.body.polling_url, { key: quietKey })
  assert.equal(done.body.status, 'Ready')
  assert.equal((await gateway.admin('/admin/tasks?state=queued&limit=200')).body.tasks.length, 199)
})
