/** Tests pages of reference pictures: how the pictures are laid out, which parts of the prompt are
 *  followed, and what the finished page shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planPage } from '../language/page-plan.ts'
import { readPage } from '../language/page-words.ts'
import type { Raster } from '../style/pixels.ts'
import { pageColours } from './colours.ts'
import { focusOf } from './focus.ts'
import { layPictures, shownIn } from './layout.ts'
import { drawPage } from './page.ts'

const area = ({ width, height }: { width: number; height: number }) => width * height

test('pictures of any number and shape fill the page without overlaps, with equal gaps', () => {
  const ratios = [1, 1.5, 0.66, 16, 1 / 16, 1.33, 2.4, 0.5, 1, 1, 1.78, 0.56, 3, 1]
  for (const box of [
    { x: 10, y: 10, width: 1000, height: 1000 },
    { x: 0, y: 0, width: 2000, height: 500 },
    { x: 0, y: 0, width: 400, height: 1600 },
  ])
    for (let count = 1; count <= ratios.length; count++) {
      const cells = layPictures(ratios.slice(0, count), box, { gap: 8 })
      assert.equal(cells.length, count)
      for (const [index, a] of cells.entries()) {
        assert.ok(a.x >= box.x - 0.01 && a.y >= box.y - 0.01)
        assert.ok(a.x + a.width <= box.x + box.width + 0.01 && a.y + a.height <= box.y + box.height + 0.01)
        for (const b of cells.slice(index + 1)) {
          const apart = Math.max(b.x - a.x - a.width, a.x - b.x - b.width, b.y - a.y - a.height, a.y - b.y - b.height)
          assert.ok(apart > 7.9, `${count} pictures: ${apart}`)
        }
      }
    }
})

test('pictures of the same shape have about the same size, and another choice is another layout', () => {
  const box = { x: 0, y: 0, width: 1200, height: 800 }
  const cells = layPictures([1.5, 1.5, 1.5, 1.5], box, { gap: 10 })
  assert.ok(Math.max(...cells.map(area)) / Math.min(...cells.map(area)) < 1.1)
  assert.notDeepEqual(
    layPictures([1.5, 1.5, 1.5, 1.5, 1.5], box, { gap: 10, choice: 1 }),
    layPictures([1.5, 1.5, 1.5, 1.5, 1.5], box, { gap: 10 }),
  )
})

test('a picture is never stretched, and at most about a quarter of its length is cropped', () => {
  const cell = { x: 0, y: 0, width: 400, height: 300 }
  assert.deepEqual(shownIn(cell, 4 / 3), cell)
  assert.deepEqual(shownIn(cell, 1.6), cell)
  const wide = shownIn(cell, 3)
  assert.equal(wide.width, 400)
  assert.ok(wide.width / wide.height > 3 * 0.73)
  const high = shownIn(cell, 0.5)
  assert.equal(high.height, 300)
  assert.ok(high.width / high.height < 0.5 / 0.73)
})

test('a page, its texts and the words for the references are read in several languages', () => {
  const read = (prompt: string) => {
    const { kind, texts, rest } = readPage(prompt)
    return [kind, texts, rest.length > 60 ? 'long' : planPage(prompt).notFollowed.length]
  }
  assert.deepEqual(read('a postcard made from the reference pictures'), ['postcard', [], 0])
  assert.deepEqual(read('make a poster with these that says "Summer Days"'), ['poster', ['Summer Days'], 0])
  assert.deepEqual(read('a poster titled Summer in the City with these photos'), ['poster', ['Summer in the City'], 0])
  assert.deepEqual(read('Mach eine Postkarte aus diesen Bildern mit dem Text „Grüße aus Köln“'), ['postcard', ['Grüße aus Köln'], 0])
  assert.deepEqual(read('une affiche avec ces images'), ['poster', [], 0])
  assert.deepEqual(read('用这些图片做一张明信片，写着“你好，上海”'), ['postcard', ['你好，上海'], 0])
  assert.deepEqual(read('something like this but happier'), [undefined, [], 0])
  assert.deepEqual(read('make him smile'), [undefined, [], 1])
  assert.deepEqual(read(''), [undefined, [], 0])
})

test('texts are read in the order of the prompt, with their numbers, after any word for a text', () => {
  const texts = (prompt: string) => readPage(prompt).texts
  assert.deepEqual(texts('An ad with these. Headline: SALE 50% OFF! and the subline "only this week"'), ['SALE 50% OFF!', 'only this week'])
  assert.deepEqual(texts('a poster titled Paris 2024 with these'), ['Paris 2024'])
  assert.deepEqual(texts('a poster of these, caption: fresh bread daily'), ['fresh bread daily'])
  const lost = (prompt: string) => planPage(prompt).notFollowed
  assert.deepEqual(lost('An ad with these. Include the headline: SALE 50% OFF! and the subline "only this week"'), [])
  assert.deepEqual(lost('сделай постер из этих фото с надписью «Лето»'), [])
  assert.deepEqual(lost('بطاقة بريدية من هذه الصور مع النص "تحيات"'), [])
})

test('parts that are not followed are reported in the words of the prompt, and punctuation alone is ignored', () => {
  const lost = (prompt: string) => planPage(prompt).notFollowed.join()
  assert.equal(lost('?!…—'), '')
  assert.equal(lost('a collage of everything, happier'), '')
  assert.match(lost('a birthday card for Grandma with these. It says "Happy 80th!"'), /^“Grandma” /)
  assert.match(lost('a collage of these, sepia, wearing hats'), /^“wearing hats” /)
  const kinds = (prompt: string) => planPage(prompt).edits.map(({ kind }) => kind)
  assert.deepEqual(kinds('a collage of these, sepia, wearing hats'), ['sepia'])
  assert.deepEqual(kinds('ein Poster aus diesen Bildern in schwarz-weiß'), ['grey'])
  assert.deepEqual(kinds('постер из этих фото, чёрно-белый'), ['grey'])
})

test('moods, styles and backgrounds are followed; things are reported as not followed', () => {
  assert.deepEqual(
    planPage('something like these but happier').edits.map(({ kind }) => kind),
    ['mood'],
  )
  assert.deepEqual(
    planPage('a black and white collage of these').edits.map(({ kind }) => kind),
    ['grey'],
  )
  assert.match(String(planPage('polaroids of these on a dark blue background').ground), /^#/)
  assert.match(planPage('a poster of these, add a dragon').notFollowed.join(), /add a dragon.*cannot be done on a page/)
})

test('the time to read a text is linear in its length', () => {
  const started = process.cpuUsage()
  for (const part of ['"', 'says A ', 'a poster of ', '«', 'the text: A B ', '用这些', ', and ']) readPage(part.repeat(20_000))
  assert.ok(process.cpuUsage(started).user < 3_000_000)
})

function plain(width: number, height: number, [r, g, b]: [number, number, number]): Raster {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < data.length; i += 4) data.set([r, g, b, 255], i)
  return { data, width, height }
}

test('dark pictures have a dark background, others a light one, both tinted with their colours', () => {
  const light = pageColours([plain(40, 40, [220, 120, 60])])
  const dark = pageColours([plain(40, 40, [20, 20, 60])])
  assert.deepEqual([light.isDark, dark.isDark], [false, true])
  const [r, , b] = [1, 3, 5].map(at => Number.parseInt(light.ground.slice(at, at + 2), 16))
  assert.ok((r ?? 0) > (b ?? 0), light.ground)
  assert.equal(pageColours([plain(40, 40, [220, 120, 60])], 1).isDark, true)
})

test('the crop keeps the subject', () => {
  const picture = plain(300, 100, [240, 240, 240])
  for (let y = 20; y < 80; y++) for (let x = 220; x < 280; x++) picture.data.set([200, 20, 20, 255], (y * 300 + x) * 4)
  const { x, y } = focusOf(picture)
  assert.ok(x > 230 && x < 270 && y > 40 && y < 60, `${x}, ${y}`)
})

test('one picture of nearly the shape of the page fills it; a postcard has a margin', async () => {
  const order = { pictures: [plain(300, 200, [200, 30, 40])], size: { width: 160, height: 120 }, texts: [], choice: 0 }
  const whole = await drawPage({ ...order, retouch: async picture => picture })
  assert.deepEqual([...whole.data.subarray(0, 3)], [200, 30, 40])
  const card = await drawPage({ ...order, kind: 'postcard', retouch: async picture => picture })
  assert.ok((card.data[1] ?? 0) > 200 && card.width === 160 && card.height === 120)
})
