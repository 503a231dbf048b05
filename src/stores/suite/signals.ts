import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import type { NodeSignal, Signals } from '../../core/ports/signals.ts'

/** The signals of two nodes. For a store that only one node uses, both are the same object. */
interface SignalsUnderTest {
  one: Signals
  other: Signals
  dispose(): Promise<void>
}

/** Tests the contract of `Signals`. `open` returns new signals for each case. */
export function signalSuite(name: string, open: () => Promise<SignalsUnderTest>): void {
  describe(`signals: ${name}`, () => {
    const check = (title: string, body: (signals: SignalsUnderTest) => Promise<void>) =>
      test(title, async () => {
        const signals = await open()
        await body(signals).finally(() => signals.dispose())
      })

    check('a signal reaches the subscribers of every node', async ({ one, other }) => {
      const heard: NodeSignal[][] = [[], []]
      one.subscribe(signal => heard[0]?.push(signal))
      other.subscribe(signal => heard[1]?.push(signal))
      for (const taskId of ['task-1', 'task-2']) one.publish({ kind: 'wake', taskId })
      const arrived = (list: NodeSignal[] = []) => ['task-1', 'task-2'].every(id => list.some(signal => isWake(signal, id)))
      await until(() => heard.every(arrived), 'both signals at both nodes')
    })

    check('who has unsubscribed hears nothing more', async ({ one, other }) => {
      const heard: string[] = []
      const leave = one.subscribe(({ kind }) => heard.push(`left ${kind}`))
      one.subscribe(({ kind }) => heard.push(kind))
      leave()
      leave()
      other.publish({ kind: 'wake', taskId: 'task-1' })
      await until(() => heard.includes('wake'), 'the signal')
      assert.deepEqual([...new Set(heard)], ['wake'])
    })

    check('many signals at once all arrive, hints with their words', async ({ one, other }) => {
      const heard: NodeSignal[] = []
      other.subscribe(signal => heard.push(signal))
      const hint: NodeSignal = { kind: 'target', target: 'ein Modell mit Ü#1', why: 'limited', waitMs: 1_500 }
      one.publish(hint)
      for (let count = 0; count < 500; count++) one.publish({ kind: 'wake', taskId: `task-${'0'.repeat(30)}-${count}` })
      await until(() => heard.length >= 501, 'all signals')
      assert.deepEqual(heard[0], hint)
    })

    check('a signal too long to be carried is lost, and the next one arrives', async ({ one, other }) => {
      const heard: NodeSignal[] = []
      other.subscribe(signal => heard.push(signal))
      one.publish({ kind: 'wake', taskId: 'x'.repeat(9_000) })
      one.publish({ kind: 'wake', taskId: 'task-2' })
      await until(() => heard.some(signal => isWake(signal, 'task-2')), 'the second signal')
    })
  })
}

function isWake(signal: NodeSignal, taskId: string): boolean {
  return signal.kind === 'wake' && signal.taskId === taskId
}
