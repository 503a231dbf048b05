import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import type { NodeSignal, Signals } from '../../core/ports/signals.ts'

/** The signals as two nodes have them; the same object where there is one node. */
interface SignalsUnderTest {
  one: Signals
  other: Signals
  dispose(): Promise<void>
}

/** The contract of `Signals`. */
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
      const arrived = (list: NodeSignal[] = []) => ['task-1', 'task-2'].every(id => list.some(({ taskId }) => taskId === id))
      await until(() => heard.every(arrived), 'both signals at both nodes')
    })

    check('who has unsubscribed hears nothing more', async ({ one, other }) => {
      const heard: string[] = []
      const leave = one.subscribe(({ taskId }) => heard.push(`left ${taskId}`))
      one.subscribe(({ taskId }) => heard.push(taskId))
      leave()
      leave()
      other.publish({ kind: 'wake', taskId: 'task-1' })
      await until(() => heard.includes('task-1'), 'the signal')
      assert.deepEqual([...new Set(heard)], ['task-1'])
    })
  })
}
