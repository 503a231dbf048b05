import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitText, type Paragraph, type Setting } from './fit.ts'

const setting: Setting = {
  box: { x: 1, y: 0, w: 6, h: 2 },
  sizes: { largest: 24, smallest: 24 },
  align: 'left',
  valign: 'top',
  colour: '#000000',
}

test('the two lines of a title are about equally long, in a box that other programs break in the same place', () => {
  const [plain, even] = [setting, { ...setting, rag: 'even' as const }].map(each =>
    fitText(of('From here to the first turn of the large mill wheel'), each),
  )
  assert.deepEqual(lines(plain), ['From here to the first turn of the large', 'mill wheel'])
  assert.equal(lines(even).length, 2)
  const [first = 0, last = 0] = widths(even)
  assert.ok(last > first * 0.7, `${lines(even).join(' / ')}`)
  assert.ok((even?.box.w ?? 0) < setting.box.w)
  const centred = fitText(of('From here to the first turn of the large mill wheel'), { ...setting, align: 'center', rag: 'even' })
  const middle = (centred?.box.x ?? 0) + (centred?.box.w ?? 0) / 2
  assert.ok(Math.abs(middle - 4) < 1e-6, `the middle stays: ${middle}`)
})

test('the last line never has a single short word, and other text is broken as usual', () => {
  const orphan = of('What is left over warms the fish market hall')
  assert.deepEqual(lines(fitText(orphan, setting)), ['What is left over warms the fish market', 'hall'])
  const mended = fitText(orphan, { ...setting, rag: 'no-orphan' })
  assert.equal(lines(mended).length, 2)
  assert.ok((widths(mended)[1] ?? 0) > 0.34 * (widths(mended)[0] ?? 0), lines(mended).join(' / '))
  const usual = of('What is left over warms the fish market hall and the quay beside it')
  assert.deepEqual(lines(fitText(usual, { ...setting, rag: 'no-orphan' })), lines(fitText(usual, setting)))
})

test('a Chinese title is broken between words, other Chinese text between any two characters', () => {
  const text = of('城市自行车出行现状与未来展望')
  const narrow = { ...setting, box: { ...setting.box, w: 2.5 } }
  const title = lines(fitText(text, { ...narrow, isTitle: true, rag: 'even' }))
  assert.equal(title.length, 2)
  assert.match(title.join('/'), /城市自行车出行\/现状与未来展望/)
  assert.deepEqual(
    lines(fitText(text, narrow)).map(({ length }) => length),
    [7, 7],
  )
})

function of(text: string): Paragraph[] {
  return [{ runs: [{ text, face: 'sans', weight: 400 }] }]
}

function lines(item: ReturnType<typeof fitText>): string[] {
  return (item?.paragraphs ?? []).flatMap(paragraph => paragraph.lines.map(({ pieces }) => pieces.map(({ text }) => text).join('')))
}

function widths(item: ReturnType<typeof fitText>): number[] {
  return (item?.paragraphs ?? []).flatMap(paragraph => paragraph.lines.map(({ width }) => width))
}
