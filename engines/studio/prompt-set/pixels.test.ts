import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { placeScene } from '../compose.ts'
import { drawScene } from '../draw-scene.ts'
import { parseVaried } from '../variety/vary.ts'
import { isVisible, scorePixels } from './pixels.ts'
import { type Finding, type PromptCase, share } from './score.ts'

/** Least share of expectations that must be met: the share measured when the value was last set. It
 *  may be raised, never lowered. */
const baseline = 0.985
const size = { width: 256, height: 256 }
const { prompts } = JSON.parse(readFileSync(new URL('./prompts.json', import.meta.url), 'utf8')) as { prompts: PromptCase[] }

test('the pixels of the drawn prompt set show what the prompts say', async t => {
  const findings: Finding[] = []
  for (const { id, prompt, pixels: facts = [] } of prompts) {
    const scene = parseVaried(prompt, { seed: '7' })
    const placed = placeScene(scene, size)
    const seen = facts.length === 0 ? [] : scorePixels(await drawScene(scene, size), facts)
    for (const subject of scene.subjects) {
      const copies = placed.filter(copy => copy.subject === subject.id)
      seen.push({
        category: 'visible',
        isMet: copies.length === subject.count && copies.every(isVisible),
        wanted: `${subject.count} ${subject.noun} visible`,
      })
    }
    for (const finding of seen) if (!finding.isMet) t.diagnostic(`${id}: not ${finding.wanted}`)
    findings.push(...seen)
  }
  const { total, byCategory } = share(findings)
  t.diagnostic(`pixels and visibility: ${(total * 100).toFixed(1)} % of ${findings.length} (${JSON.stringify(byCategory)})`)
  assert.ok(total >= baseline, `${total} is below ${baseline}`)
})
