import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textRequest } from '../../../../testing/fakes/fake-upstream-run.ts'
import { storesAnswers, textOptionsOf } from './options.ts'

test('nothing is stored at OpenAI and Azure unless the target requests it, under the key that the package reads', () => {
  const own = { store: false }
  const cases: [packageName: string, fixed: object, sent: object, isStored: boolean][] = [
    ['@ai-sdk/openai', {}, { openai: own }, false],
    ['@ai-sdk/openai', { openai: { store: null } }, { openai: { store: null } }, true],
    ['@ai-sdk/azure', { openai: { forceReasoning: true } }, { openai: { ...own, forceReasoning: true } }, false],
    ['@ai-sdk/azure', { azure: { forceReasoning: true } }, { azure: { ...own, forceReasoning: true } }, false],
    ['@ai-sdk/azure', { azure: { store: true }, openai: own }, { azure: { store: true }, openai: own }, true],
    ['@ai-sdk/anthropic', {}, {}, false],
  ]
  for (const [packageName, given, sent, isStored] of cases) {
    const fixed = { ...given }
    assert.deepEqual(textOptionsOf(packageName, { version: 'v4', request: textRequest(), fixed }), sent, packageName)
    assert.equal(storesAnswers(packageName, fixed), isStored, packageName)
  }
})
