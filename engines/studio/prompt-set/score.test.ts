import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from '../language/parse.ts'
import { parseVaried } from '../variety/vary.ts'
import { readPromptSet } from './prompts.ts'
import { type Finding, judge, share } from './score.ts'

/** Shares of met expectations below which the test fails: the score of the last change of the language that was looked at. */
const baseline = { all: 0.99, en: 0.99, zh: 0.99 }

function findingsOf(language: 'en' | 'zh' | 'all'): { findings: Finding[]; unmet: string[] } {
  const cases = readPromptSet().filter(item => language === 'all' || item.language === language)
  const judged = cases.map(item => ({ id: item.id, findings: judge(parsePrompt(item.prompt, { seed: '1' }), item.expect) }))
  return {
    findings: judged.flatMap(item => item.findings),
    unmet: judged.flatMap(({ id, findings }) => findings.filter(finding => !finding.isMet).map(finding => `${id}: ${finding.wanted}`)),
  }
}

for (const language of ['all', 'en', 'zh'] as const) {
  test(`the share of met expectations of the prompt set (${language}) does not fall below its baseline`, context => {
    const { findings, unmet } = findingsOf(language)
    const { total, byCategory } = share(findings)
    const lines = Object.entries(byCategory).map(([category, rate]) => `${category} ${(rate * 100).toFixed(1)} %`)
    context.diagnostic(`${language}: ${(total * 100).toFixed(1)} % of ${findings.length} expectations (${lines.join(', ')})`)
    for (const line of unmet) context.diagnostic(`not met: ${line}`)
    assert.ok(total >= baseline[language], `${(total * 100).toFixed(1)} %`)
  })
}

test('what the seed decides changes nothing that a prompt says', context => {
  for (const seed of ['1', '2', '3', '4', '5', '6']) {
    // Day is what a scene without a time of its own is expected to have; any other time of theirs is said.
    const judged = readPromptSet().map(({ id, prompt, expect: { time, ...rest } }) => {
      const said = time === undefined || time === 'day' ? rest : { ...rest, time }
      return { id, findings: judge(parseVaried(prompt, { seed }), said) }
    })
    for (const { id, findings } of judged)
      for (const { isMet, wanted } of findings) if (!isMet) context.diagnostic(`seed ${seed}, ${id}: not ${wanted}`)
    const { total } = share(judged.flatMap(({ findings }) => findings))
    assert.ok(total >= baseline.all, `seed ${seed}: ${(total * 100).toFixed(1)} %`)
  }
})

test('the set holds 60 different prompts, 40 English and 20 Chinese', () => {
  const cases = readPromptSet()
  assert.equal(new Set(cases.map(item => item.prompt)).size, 60)
  assert.equal(cases.filter(item => item.language === 'zh').length, 20)
})

test('the score falls when a scene misses what is expected', () => {
  const scene = parsePrompt('a red car', { seed: '1' })
  const { total } = share(judge(scene, { subjects: [{ noun: 'car', count: 2, colour: 'blue' }], setting: 'beach', weather: ['rain'] }))
  assert.equal(total, 1 / 5)
})
