import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chineseScriptOf, inScriptOf } from './chinese-script.ts'

const wordsOf = (text: string) =>
  [...text].map((character, index) => ({
    text: character,
    startSeconds: index,
    endSeconds: index + 1,
    tokens: [{ id: index, token: character, logprob: -0.1, bytes: [...Buffer.from(character)] }],
  }))
const recognised = async (text: string, language: string) => {
  const [segment] = await inScriptOf([{ words: wordsOf(text) }], language)
  return { text: segment?.words.map(word => word.text).join(''), tokens: segment?.words.flatMap(word => word.tokens) }
}

test('each language and region has its script', () => {
  const scripts = ['zh', 'zh-CN', 'zh-Hans-SG', 'zh-TW', 'zh_HK', 'zh-Hant', 'yue', 'yue-CN', 'ja-JP'].map(chineseScriptOf)
  const [simplified, traditional] = ['simplified', 'traditional']
  assert.deepEqual(scripts, [...Array(3).fill(simplified), ...Array(3).fill(traditional), undefined, simplified, undefined])
})

test('the recognised text is converted to that script, word by word with the same times', async () => {
  const mainland = await recognised('圖書館每天早上開門，頭髮乾了，乾隆皇帝。', 'zh-CN')
  assert.equal(mainland.text, '图书馆每天早上开门，头发干了，乾隆皇帝。')
  assert.deepEqual(mainland.tokens?.[0], { id: 0, token: '图', logprob: -0.1, bytes: [...Buffer.from('图')] })
  assert.equal((await recognised('图书馆开门', 'zh-TW')).text, '圖書館開門')
  assert.equal((await recognised('図書館', 'ja')).text, '図書館')
})
