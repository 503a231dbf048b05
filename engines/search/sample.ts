/** Sample data with which searches are answered until the operator adds a source. Each record
 *  says that it is a sample. */
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { IndexStore } from './index-store.ts'
import type { IndexRecord } from './records.ts'
import { lists } from './sources.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Age in ms at which the sample data is created again, because its times are relative to the
 *  current time. */
export const sampleLifeMs = 12 * hourMs

const mark = '[Sample]'

const subjects: readonly { en: string; zh: string; topic?: string }[] = [
  { en: 'hand-pulled noodles', zh: '手工拉面', topic: 'food' },
  { en: 'sourdough bread', zh: '酸面包', topic: 'food' },
  { en: 'green tea', zh: '绿茶', topic: 'food' },
  { en: 'mushroom risotto', zh: '蘑菇烩饭', topic: 'food' },
  { en: 'dumplings', zh: '饺子', topic: 'food' },
  { en: 'street food at night', zh: '夜市小吃', topic: 'food' },
  { en: 'coffee at home', zh: '家庭咖啡', topic: 'food' },
  { en: 'tomato soup', zh: '番茄汤', topic: 'food' },
  { en: 'sunscreen', zh: '防晒霜', topic: 'beauty' },
  { en: 'short haircuts', zh: '短发发型', topic: 'beauty' },
  { en: 'skin care in winter', zh: '冬季护肤', topic: 'beauty' },
  { en: 'natural make-up', zh: '自然妆容', topic: 'beauty' },
  { en: 'lip colours', zh: '口红颜色', topic: 'beauty' },
  { en: 'nail art', zh: '美甲', topic: 'beauty' },
  { en: 'perfume', zh: '香水', topic: 'beauty' },
  { en: 'electric cars', zh: '电动汽车', topic: 'automobile' },
  { en: 'winter tyres', zh: '冬季轮胎', topic: 'automobile' },
  { en: 'a first used car', zh: '第一辆二手车', topic: 'automobile' },
  { en: 'charging at home', zh: '家用充电桩', topic: 'automobile' },
  { en: 'camper vans', zh: '房车', topic: 'automobile' },
  { en: 'classic cars', zh: '老爷车', topic: 'automobile' },
  { en: 'parking in tight spaces', zh: '窄位停车', topic: 'automobile' },
  { en: 'bird watching', zh: '观鸟' },
  { en: 'balcony gardens', zh: '阳台花园' },
  { en: 'night trains', zh: '夜间火车' },
  { en: 'film photography', zh: '胶片摄影' },
  { en: 'learning the violin', zh: '学小提琴' },
  { en: 'marathon training', zh: '马拉松训练' },
  { en: 'wooden furniture', zh: '木制家具' },
  { en: 'board games', zh: '桌游' },
  { en: 'star gazing', zh: '观星' },
  { en: 'hiking in autumn', zh: '秋季徒步' },
]

type Count = keyof SearchRecord['counts']

/** The platforms, with the counters that each of them has (likes, comments, ...;
 *  docs/interface/text.md#search). */
const platforms: readonly { id: string; titles: (en: string, zh: string) => [string, string]; counts: readonly Count[] }[] = [
  {
    id: 'plat_a',
    titles: (en, zh) => [`${upper(en)} in one minute`, `一分钟看懂${zh}`],
    counts: ['comments', 'likes', 'shares', 'favourites'],
  },
  { id: 'plat_b', titles: (en, zh) => [`${upper(en)} from the beginning`, `从零开始了解${zh}`], counts: ['plays', 'likes'] },
  {
    id: 'plat_c',
    titles: (en, zh) => [`My notes on ${en}`, `${zh}笔记`],
    counts: ['comments', 'likes', 'shares', 'favourites', 'reads'],
  },
]

/** Adds the sample data: 192 records, and for each list code a hot list of twenty entries. `now`
 *  is Unix milliseconds. */
export function addSample(store: IndexStore, now: number): void {
  const records = platforms.flatMap(platform => subjects.flatMap((subject, i) => recordsOf(platform, subject, { i, now })))
  store.add(records, now, 'sample')
  for (const code of lists.keys()) {
    const entries = Array.from({ length: 20 }, (_, rank) => {
      const { en, zh } = subjects[(rank * 7 + code * 3) % subjects.length]!
      const title = `${mark} ${rank % 2 === 0 ? upper(en) : zh}`
      return { title, heat: Math.round(1_000_000 / (rank + 1) ** 0.8), url: `https://example.com/sample/list-${code}/${rank + 1}` }
    })
    store.saveList(code, entries, now, 'sample')
  }
}

function recordsOf(
  { id: platform, titles, counts }: (typeof platforms)[number],
  { en, zh, topic }: (typeof subjects)[number],
  { i, now }: { i: number; now: number },
): IndexRecord[] {
  return titles(en, zh).map((title, angle) => {
    const id = `sample-${i * 2 + angle + 1}`
    // Multiples of the golden ratio modulo 1 are spread evenly, in all records together and also
    // among neighbours such as the records of one topic.
    const spread = ((i * 2 + angle + platform.charCodeAt(5) / 3) * 0.618034) % 1
    const text =
      angle === 0
        ? `A record of the sample that answers until search has a source of its own. It is about ${en}.`
        : `这是示例数据，配置搜索来源之后就会消失。主题：${zh}。`
    return {
      ...{ id, platform, title: `${mark} ${title}`, text, url: `https://example.com/sample/${platform}/${id}` },
      ...(topic === undefined ? {} : { topic }),
      // Almost half of the records are from the last week; the oldest one is about half a year old.
      publishedAt: Math.round(now - hourMs - spread ** 4 * 170 * dayMs),
      author: { name: `Sample author ${(i % 9) + 1}`, followers: Math.round(100 + spread * 50_000) },
      counts: Object.fromEntries(counts.map((name, at) => [name, Math.round((10 + spread * 9_000) / (at + 1))])),
    }
  })
}

function upper(words: string): string {
  return words[0]!.toUpperCase() + words.slice(1)
}
