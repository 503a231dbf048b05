/** Writes six frames of each film as a row of pictures, for a visual check: `node
 *  engines/film/testing/strip.ts FILE.jpg "prompt" ...`. */
import { studioArt } from '@generation-gateway/studio/subjects/drawable.ts'
import sharp, { type OverlayOptions } from 'sharp'
import { drawShots } from '../film.ts'
import { pixelsOf } from '../finish/planes.ts'
import { planShots } from '../shots.ts'
import { requested } from './frames.ts'

const [path = 'strips.jpg', ...prompts] = process.argv.slice(2)
const picture = { width: 640, height: 360 }
const thumbnail = { width: 320, height: 180 }
const [seconds, framesPerSecond, count] = [5, 24, 6]
studioArt()
const parts: OverlayOptions[] = []
for (const [row, prompt] of prompts.entries()) {
  const plan = planShots({ ...requested, prompt, seconds }, '7')
  const draw = drawShots(plan.shots, { picture, seed: '7', framesPerSecond, pictures: {}, palette: undefined })
  for (let column = 0; column < count; column++) {
    const frame = Math.round((column / (count - 1)) * (seconds * framesPerSecond - 1))
    const pixels = pixelsOf(await draw(frame), picture)
    const input = await sharp(pixels, { raw: { ...picture, channels: 4 } })
      .removeAlpha()
      .resize(thumbnail)
      .png()
      .toBuffer()
    parts.push({ input, left: column * (thumbnail.width + 2), top: row * (thumbnail.height + 2) })
  }
}
const size = { width: count * (thumbnail.width + 2) - 2, height: prompts.length * (thumbnail.height + 2) - 2 }
await sharp({ create: { ...size, channels: 3, background: '#101010' } })
  .composite(parts)
  .jpeg({ quality: 82, mozjpeg: true })
  .toFile(path)
