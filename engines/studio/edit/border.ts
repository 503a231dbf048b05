import { parseHex } from '../colour.ts'
import type { Edit } from '../language/edit-types.ts'
import { clamp, copyRaster, type Raster, shortSide } from '../style/pixels.ts'

/** Returns the picture with a border drawn over its edges; the size is unchanged. A rounded border
 *  has rounded inner corners. */
export function addBorder(raster: Raster, edit: Pick<Extract<Edit, { kind: 'border' }>, 'colour' | 'width' | 'rounded'>): Raster {
  const { width, height } = raster
  const colour = parseHex(edit.colour.hex)
  const thick = Math.max(1, shortSide(raster) * edit.width)
  const corner = edit.rounded ? Math.min(shortSide(raster) / 2 - thick, thick * 1.2 + shortSide(raster) * 0.05) : 0
  const out = copyRaster(raster)
  const limit = Math.ceil(thick + Math.max(0, corner) + 2)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x === limit && y >= limit && y < height - limit && width - limit > limit) x = width - limit
      // `outside` is the distance in pixels from the rounded inner rectangle, negative inside it.
      const dx = Math.abs(x + 0.5 - width / 2) - (width / 2 - thick - corner)
      const dy = Math.abs(y + 0.5 - height / 2) - (height / 2 - thick - corner)
      const outside = Math.hypot(Math.max(0, dx), Math.max(0, dy)) + Math.min(0, Math.max(dx, dy)) - corner
      const cover = clamp(outside + 0.5, 0, 1)
      if (cover <= 0) continue
      const j = (y * width + x) * 4
      out.data[j] = out.data[j]! + (colour.r - out.data[j]!) * cover
      out.data[j + 1] = out.data[j + 1]! + (colour.g - out.data[j + 1]!) * cover
      out.data[j + 2] = out.data[j + 2]! + (colour.b - out.data[j + 2]!) * cover
    }
  }
  return out
}
