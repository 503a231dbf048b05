import { createRandom } from '../random.ts'
import { createRaster, type Raster } from './pixels.ts'

/** Draws a small scene for tests: a blue sky that gets paler downwards, rough green ground, a red
 *  ball with a highlight and a dark rim, and a white post. */
export function testPicture(width: number, height: number): Raster {
  const random = createRandom('test picture')
  const out = createRaster(width, height)
  const unit = Math.min(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const noise = (random.next() - 0.5) * 14
      const v = y / height
      const [r, g, b] = v < 0.55 ? [90 + v * 160, 150 + v * 120, 225] : [70 + noise, 130 + noise + (1 - v) * 40, 55 + noise]
      setPixel(out, x, y, [r!, g!, b!])
      const away = Math.hypot(x - width / 2, y - height * 0.58) / (unit * 0.2)
      if (away < 1) setPixel(out, x, y, ballColour(away, (x - width / 2) / unit, (y - height * 0.58) / unit))
      if (Math.abs(x - width * 0.12) < unit * 0.02 && v > 0.4 && v < 0.8) setPixel(out, x, y, [245, 245, 240])
    }
  }
  return out
}

function ballColour(away: number, dx: number, dy: number): [number, number, number] {
  if (away > 0.94) return [70, 10, 14]
  const light = Math.max(0, 1 - Math.hypot(dx + 0.07, dy + 0.07) * 6)
  return [200 + light * 50, 34 + light * 170, 40 + light * 160]
}

function setPixel(out: Raster, x: number, y: number, colour: [number, number, number]): void {
  out.data.set([...colour, 255], (y * out.width + x) * 4)
}
