import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { slidesPacks, wordNetPack } from '../packs.ts'
import { composeDeck } from './compose.ts'
import { languageOfText } from './language-of.ts'
import { topicOf } from './topic.ts'
import { WordNet } from './wordnet.ts'

const [pack] = slidesPacks
const needed = pack ? needPack(pack) : {}
const folder = join(packsDirectory(process.env), wordNetPack)
const paths = { index: join(folder, 'index.noun'), data: join(folder, 'data.noun') }
const nouns = existsSync(paths.data) ? new WordNet(paths) : undefined

test('a deck is about the whole title, not about the one word of it that is in the dictionary', needed, () => {
  const learning = textOf('Introduction to machine learning')
  assert.doesNotMatch(learning, /Sarasvati|Other kinds of basic cognitive process|Learning in short/)
  const remote = textOf('The impact of remote work on cities')
  assert.doesNotMatch(remote, /Nicaea|Cities in years|Cannae/)
  assert.match(remote, /Who feels it[\s\S]*Soon, and later/)
  assert.doesNotMatch(textOf('Electric cars vs petrol cars'), /Electric car and car side by side|word “car”/)
  for (const whole of ['Exploring the solar system', 'Tea in China', 'Volcanoes']) assert.match(textOf(whole), /in short/, whole)
})

test('a deck on how a thing works explains its parts, and what to look for', needed, () => {
  const heart = textOf('How the heart works')
  assert.match(heart, /hollow muscular organ/)
  assert.match(heart, /Parts of the heart/)
  assert.match(heart, /What goes in, what comes out/)
  assert.match(textOf('How a car works'), /Inside the parts of a car.*Car door","Armrest/s)
  const bicycle = textOf('How a bicycle works')
  assert.match(bicycle, /Parts of a bicycle/)
  assert.match(bicycle, /What happens around a bicycle/)
  const whole = textOf('The bicycle', 16)
  assert.match(whole, /Parts of the bicycle/)
  assert.match(whole, /Words that go with “bicycle”/)
  assert.doesNotMatch(`${bicycle} ${whole}`, /around bicycle|Parts of bicycle/)
})

test('a proposal is argued, and a history has places for dates', needed, () => {
  for (const title of [
    'Why our team should adopt code review',
    'Why the municipal harbour of a small town should move from diesel to tidal power by 2031',
    'The case for a four-day week',
    '我们为什么应该推行四天工作制',
  ]) {
    assert.equal(topicOf(title, languageOfText(title) === 'zh' ? 'zh' : 'en').kind, 'case', title)
    assert.match(textOf(title), /What we propose|提出的建议/, title)
  }
  assert.match(textOf('The history of tea'), /Questions to the past[\s\S]*A line to fill with dates/)
})

test('the thing that is made or learned is defined', needed, () => {
  assert.match(textOf('How to learn the guitar'), /What the word “guitar” means/)
  assert.match(textOf('How to make sourdough bread'), /What the word “sourdough bread” means/)
})

test('pros and cons are weighed, and “working from home” is not explained as a mine', needed, () => {
  for (const title of [
    'Working from home: pros and cons',
    'The pros and cons of nuclear power',
    'Zoos: advantages and disadvantages',
    '远程办公的利与弊',
  ]) {
    assert.equal(topicOf(title, languageOfText(title) === 'zh' ? 'zh' : 'en').kind, 'question', title)
    assert.match(textOf(title), /What speaks for|支持的理由/, title)
  }
  assert.doesNotMatch(textOf('Working from home: pros and cons'), /quarry|word “working”/)
  assert.doesNotMatch(textOf('Working from home'), /quarry|word “working”/)
})

test('a product is called by its name, and a report begins with its message and the questions it answers', () => {
  assert.equal(topicOf('Introducing Lumo, a smart lamp', 'en').subject, 'Lumo')
  assert.equal(topicOf('Our new onboarding app', 'en').subject, 'the new onboarding app')
  assert.equal(topicOf('Orbit app launch', 'en').subject, 'Orbit app')
  assert.equal(topicOf('月球是如何形成的', 'zh').subject, '月球')
  const titles = slidesOf('Annual sales report 2025').map(({ title }) => title)
  assert.deepEqual(titles.slice(2, 4), ['The message in three sentences', 'What this report answers'])
  const plan = slidesOf('Proposal for a new office canteen').map(({ title }) => title)
  assert.ok(plan.indexOf('Milestones') > plan.indexOf('From here to there'), plan.join(' / '))
  assert.doesNotMatch(composeDeck({ title: 'Proposal for a new office canteen', language: 'en' }).comment ?? '', /nothing on the title/)
})

test('a Chinese deck without a requested length is as long as an English one, and never repeats a long subject', () => {
  for (const title of [
    '城市自行车出行',
    '二十四节气',
    '茶的历史',
    '人工智能在教育中的应用',
    '如何学好英语',
    '鲁迅',
    '电动汽车与燃油汽车比较',
    '新员工入职培训',
    '年度销售报告',
    '为什么要保护湿地',
  ]) {
    const slides = slidesOf(title)
    assert.ok(slides.length >= 8, `${title}: ${slides.length}`)
  }
  const long = '人工智能在中小学课堂教学中的应用现状、挑战与未来发展趋势研究'
  assert.deepEqual([topicOf(long, 'zh').subject, topicOf(long, 'zh').other], ['人工智能', '中小学课堂教学'])
  const endless = '关于进一步加强城市社区老年人智能技术培训服务体系建设若干问题'
  const inside = slidesOf(endless).slice(1)
  assert.doesNotMatch(JSON.stringify(inside.map(({ points, columns }) => [points, columns])), /服务体系建设若干问题/)
})

test('the language of a title is the one of most of its letters', () => {
  assert.equal(languageOfText('🚀 Launch plan for Zürich: 东京 & Αθήνα'), 'en')
  assert.equal(languageOfText('AI 在教育中的应用'), 'zh')
  assert.equal(languageOfText('ChatGPT与PowerPoint对比'), 'zh')
  assert.equal(languageOfText('Axes x and y'), 'en')
  assert.equal(languageOfText('Vitamin o'), 'en')
  assert.equal(languageOfText('Historia de Chile y Perú'), 'es')
  assert.equal(languageOfText('東京の歴史'), 'ja')
  assert.equal(languageOfText('Как работает двигатель Stirling'), 'ru')
})

test('every page of a deck has notes for the speaker', needed, () => {
  for (const title of ['Red pandas', '二十四节气', 'Annual sales report'])
    for (const slide of slidesOf(title)) assert.notEqual(slide.notes ?? '', '', `${title}: ${slide.title}`)
})

function slidesOf(title: string, slides?: number): Slide[] {
  const language = languageOfText(title) === 'zh' ? 'zh' : 'en'
  return composeDeck({ title, language, ...(slides === undefined ? {} : { slides }), ...(nouns ? { nouns } : {}) }).slides
}

function textOf(title: string, slides?: number): string {
  return slidesOf(title, slides)
    .map(slide => JSON.stringify(slide))
    .join('\n')
}
