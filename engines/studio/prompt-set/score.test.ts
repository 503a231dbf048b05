import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from '../language/parse.ts'
import { parseVaried } from '../variety/vary.ts'
import { type PublicSet, readPromptSet, readPublicSet } from './prompts.ts'
import { type Finding, judge, share } from './score.ts'

/** Least share of expectations that must be met, in total and for each language: the shares after
 *  the last reviewed change to the language rules. */
const baseline = { all: 0.99, en: 0.99, zh: 0.99 }

/** Least share of expectations that must be met for the samples of the public sets and for this
 *  project's own sentences. */
const publicFloors: Record<PublicSet, number> = { geneval: 0.99, parti: 0.81, own: 0.9 }

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

for (const name of ['geneval', 'parti', 'own'] as const) {
  test(`the share of met expectations of the ${name} prompts does not fall below its floor`, context => {
    const judged = readPublicSet(name).map(item => ({ ...item, findings: judge(parsePrompt(item.prompt, { seed: '1' }), item.expect) }))
    const report = (what: string, list: typeof judged) => {
      const findings = list.flatMap(item => item.findings)
      const whole = list.filter(item => item.findings.every(finding => finding.isMet)).length
      const rate = share(findings).total
      context.diagnostic(
        `${what}: ${(rate * 100).toFixed(1)} % of ${findings.length} expectations, ${whole} of ${list.length} prompts in full`,
      )
      return rate
    }
    for (const kind of new Set(judged.map(item => item.kind)))
      report(
        `${name}, ${kind}`,
        judged.filter(item => item.kind === kind),
      )
    const total = report(name, judged)
    for (const { id, findings } of judged)
      for (const { category, isMet, wanted } of findings) if (!isMet) context.diagnostic(`not met: ${id}: ${category}: ${wanted}`)
    assert.ok(total >= publicFloors[name], `${(total * 100).toFixed(1)} %`)
  })
}

test('the choices of the seed change nothing that a prompt says', context => {
  for (const seed of ['1', '2', '3', '4', '5', '6']) {
    // "day" is not checked: cases expect it also when the prompt names no time of day, and the seed
    // then decides.
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

test('the set has 60 different prompts, 40 English and 20 Chinese', () => {
  const cases = readPromptSet()
  assert.equal(new Set(cases.map(item => item.prompt)).size, 60)
  assert.equal(cases.filter(item => item.language === 'zh').length, 20)
})

test('the public prompt sets have 50 and 100 different prompts', () => {
  const cases = { geneval: readPublicSet('geneval'), parti: readPublicSet('parti') }
  assert.deepEqual([new Set(cases.geneval.map(item => item.prompt)).size, new Set(cases.parti.map(item => item.prompt)).size], [50, 100])
  assert.equal(new Set([...cases.geneval, ...cases.parti].map(item => item.id)).size, 150)
})

test('the score falls when a scene lacks something expected', () => {
  const scene = parsePrompt('a red car', { seed: '1' })
  const { total } = share(judge(scene, { subjects: [{ noun: 'car', count: 2, colour: 'blue' }], setting: 'beach', weather: ['rain'] }))
  assert.equal(total, 1 / 5)
})

test('a wrong drawing, an undrawn word and a missing person lower the score', () => {
  const scene = parsePrompt('a red car', { seed: '1' })
  const expect = { subjects: [{ noun: 'car', art: 'truck' }], seen: ['volcano'], people: { min: 1, max: 1 }, notDrawn: [] }
  assert.deepEqual(
    judge({ ...scene, notDrawn: ['shiny'] }, expect).map(({ category, isMet }) => [category, isMet]),
    [
      ['subject', true],
      ['art', false],
      ['setting', false],
      ['count', false],
      ['not drawn', false],
    ],
  )
})
