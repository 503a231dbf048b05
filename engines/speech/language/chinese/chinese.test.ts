import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSpeakable } from '../ipa.ts'
import { collect } from '../testing/collect.ts'
import { frontEnd } from '../testing/lexicons.ts'
import { normaliseChinese } from './normalise.ts'
import { ipaOfPinyin } from './pinyin-ipa.ts'

const written: [string, string][] = [
  ['0', '零'],
  ['10', '十'],
  ['15', '十五'],
  ['101', '一百零一'],
  ['110', '一百一十'],
  ['12345', '一万二千三百四十五'],
  ['100000', '十万'],
  ['1,000,000', '一百万'],
  ['100000001', '一亿零一'],
  ['3.14', '三点一四'],
  ['50%', '百分之五十'],
  ['5-10%', '百分之五到百分之十'],
  ['3/4', '四分之三'],
  ['2021年3月4日', '二零二一年三月四日'],
  ['2021-03-04', '二零二一年三月四日'],
  ['15:30', '十五点三十分'],
  ['8:05', '八点零五分'],
  ['9:00', '九点'],
  ['¥12.50', '十二点五零元'],
  ['$5', '五美元'],
  ['5万元', '五万元'],
  ['20℃', '二十摄氏度'],
  ['5km', '五公里'],
  ['2个', '两个'],
  ['第2次', '第二次'],
  ['2月', '二月'],
  ['12个', '十二个'],
  ['-5度', '负五度'],
  ['5-10人', '五到十人'],
  ['13812345678', '幺三八幺二三四五六七八'],
  ['1+1=2', '一加一等于二'],
]
for (const [number, said] of written) test(`${number} is said ${said}`, () => assert.equal(normaliseChinese(number), said))

const syllables: [string, string][] = [
  ['ma1', 'ma→'],
  ['ma2', 'ma↗'],
  ['ma3', 'ma↓'],
  ['ma4', 'ma↘'],
  ['ma0', 'ma'],
  ['zhang3', 'ꭧa↓ŋ'],
  ['zhi1', 'ꭧɨ→'],
  ['si4', 'sɨ↘'],
  ['nv3', 'ny↓'],
  ['xue2', 'ɕɥe↗'],
  ['yuan2', 'ɥɛ↗n'],
  ['jiu3', 'ʨjou↓'],
  ['gui4', 'kwei↘'],
  ['wen2', 'wə↗n'],
  ['yong4', 'jʊ↘ŋ'],
  ['er2', 'ɚ↗'],
  ['lve4', 'lɥe↘'],
]
for (const [pinyin, ipa] of syllables) test(`the syllable ${pinyin} is ${ipa}`, () => assert.equal(ipaOfPinyin(pinyin), ipa))

test('pinyin depends on the characters around, and English words are read as English', async () => {
  const chunks = await collect(frontEnd.chunks({ text: '银行行长很高兴，他用 iPhone 打电话。', language: 'zh', accent: 'us' }))
  assert.deepEqual(
    chunks.map(({ phonemes }) => phonemes),
    ['i↗nxa↗ŋ xa↗ŋꭧa↓ŋ xə↓n kau→ɕi↘ŋ, tʰa→jʊ↘ŋ ˈI fˈOn ta↓tjɛ↘nxwa↘.'],
  )
  assert.ok(chunks.every(({ phonemes }) => isSpeakable(phonemes)))
})
