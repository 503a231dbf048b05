import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { createRandom } from '../random.ts'
import { type Scene, settingKinds, styleKinds } from '../scene.ts'
import { studioArt } from '../subjects/drawable.ts'
import { describeScene } from './describe.ts'
import { expandPrompt } from './expand.ts'
import { parseInstruction } from './instruction.ts'
import { parsePrompt } from './parse.ts'

const words =
  'a the two red fox on in with and of , . riding holding table 一只 红色 的 猫 在 上 和 ， 。 戴着 有 没有 no without foo brass sky night beach "hi" “你好” behind it them wearing hat hair blue is 😀 \u0000 ~~~ --ar 16:9 ( ) between left 左边 上面写着 says 花 100 三 made of 之间 被 « ñandú Ωmega привет 猫 狗 <lora:x:1> ’ \' \\ 𠮷 \ud800 add remove 把 换成 make crop'.split(
    ' ',
  )

function assertValid(scene: Scene): void {
  const ids = new Set(scene.subjects.map(subject => subject.id))
  assert.equal(ids.size, scene.subjects.length, 'ids are unique')
  assert.ok(settingKinds.includes(scene.setting.kind) && styleKinds.includes(scene.style))
  assert.ok(scene.weather.length > 0 && scene.subjects.length <= 40)
  for (const subject of scene.subjects) {
    assert.ok(studioArt().has(subject.art), subject.art)
    assert.ok(Number.isInteger(subject.count) && subject.count >= 1 && subject.count <= 60)
    assert.ok(subject.heightMetres > 0)
    for (const relation of subject.relations) {
      assert.ok(ids.has(relation.of) && relation.of !== subject.id && (relation.and === undefined || ids.has(relation.and)), scene.prompt)
    }
  }
  for (const lettering of scene.letterings) assert.ok(lettering.on === undefined || ids.has(lettering.on))
  // A scene must be plain JSON, because it is stored with the task.
  assert.deepEqual(JSON.parse(JSON.stringify(scene)), scene)
}

test('random words and unicode always give a valid scene, expansion, description and instruction', () => {
  const random = createRandom('fuzz')
  for (let round = 0; round < 1500; round++) {
    const length = random.integer(1, 40)
    const prompt = Array.from({ length }, () => random.pick(words)).join(random.pick([' ', '', ' ']))
    const scene = parsePrompt(prompt, { seed: '1', ...(round % 3 === 0 ? { negativePrompt: 'fox, night, 猫' } : {}) })
    assertValid(scene)
    assert.ok(describeScene(scene).length > 0)
    if (round % 5 === 0) assertValid(parsePrompt(expandPrompt(prompt, String(round)), { seed: '1' }))
    const { edits, notUnderstood } = parseInstruction(prompt)
    assert.ok(Array.isArray(edits) && Array.isArray(notUnderstood))
  }
})

test('random characters never throw', () => {
  const random = createRandom('characters')
  for (let round = 0; round < 300; round++) {
    const prompt = String.fromCodePoint(
      ...Array.from({ length: random.integer(1, 80) }, () => random.integer(1, random.pick([127, 0x3000, 0x9fff, 0x1ffff]))),
    )
    assertValid(parsePrompt(prompt, { seed: '1' }))
  }
})

test('a typical prompt is read within 15 ms and one of 8000 characters within 150 ms', () => {
  const typical =
    'A little girl with long red hair in a yellow raincoat holding a blue umbrella on a rainy city street at night, watercolor, wide shot'
  assert.ok(leastCpuMs(() => parsePrompt(typical, { seed: '1' }), 15) < 15)
  for (const unit of [`${typical}. `, '一只戴着红帽子的猫坐在木桌上，两只小鸟站在树枝上，', 'asdf qwer zxcv ', '的', 'a ', '戴着', '"']) {
    const long = unit.repeat(Math.ceil(8000 / unit.length)).slice(0, 8000)
    const ms = leastCpuMs(() => parsePrompt(long, { seed: '1' }), 150)
    assert.ok(ms < 150, `${unit.slice(0, 20)}: ${ms.toFixed(0)} ms`)
  }
})

test('the same prompt gives the same scene', () => {
  const prompt = 'two dogs and 三只猫 playing in a snowy park, ukiyo-e'
  assert.deepEqual(parsePrompt(prompt, { seed: '7' }), parsePrompt(prompt, { seed: '7' }))
})
