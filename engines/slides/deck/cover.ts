import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Theme } from '../templates/theme.ts'
import { layOutWritten } from './make-deck.ts'
import { pagePngs } from './write-pdf.ts'

const width = 480
const height = 270

/** Draws the cover of a template for the list of templates: its title page large, and three other
 *  pages small below the title. Returns a PNG of 480 x 270 pixels. */
export async function drawCover(theme: Theme): Promise<Buffer> {
  const laid = await layOutWritten({ title: theme.title, language: 'en', slides: slidesOf(theme) }, theme)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const [title, ...others] = await Promise.all((await pagePngs(laid.pages, laid, width)).map(png => loadImage(png)))
  if (!title) throw new TypeError('a template without a title page')
  context.imageSmoothingQuality = 'high'
  context.drawImage(title, 0, 0, width, height)
  const [w, gap] = [96, 8]
  const h = (w * 9) / 16
  others.forEach((image, k) => {
    const x = width - (others.length - k) * (w + gap) - 8
    const y = height - h - 14
    context.save()
    context.shadowColor = 'rgba(0, 0, 0, 0.45)'
    context.shadowBlur = 9
    context.shadowOffsetY = 2
    context.fillStyle = '#ffffff'
    context.fillRect(x, y, w, h)
    context.restore()
    context.drawImage(image, x, y, w, h)
  })
  return canvas.encode('png')
}

function slidesOf(theme: Theme): Parameters<typeof layOutWritten>[0]['slides'] {
  const name = theme.style.charAt(0).toUpperCase() + theme.style.slice(1)
  return [
    { layout: 'title', title: theme.title, subtitle: `${name}: ${theme.scenes.join(', ')}`, points: [] },
    {
      layout: 'points',
      title: 'Four cards',
      points: ['Aim: what it is for', 'Way: how it goes', 'People: who does it', 'End: when it is done'],
    },
    {
      layout: 'chart',
      title: 'A chart',
      points: [],
      chart: { kind: 'bar', labels: ['A', 'B', 'C', 'D'], series: [{ name: 'One', values: [4, 7, 5, 8] }] },
    },
    { layout: 'points', title: 'A short list', points: ['The first point', 'The second point', 'The third point'] },
  ]
}
