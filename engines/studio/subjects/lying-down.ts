import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { type Artwork, boundsHeight, boundsWidth } from './artwork.ts'

/** Returns the drawing of a thing that has fallen over: rotated by a quarter turn, with its side on
 *  the ground. Attachment points for things and texts are removed. */
export function lyingDown(artwork: Artwork): Artwork {
  const { bounds } = artwork
  if (boundsWidth(bounds) > boundsHeight(bounds) * 1.15) return flattened(artwork)
  const [long, thick] = [boundsHeight(bounds), boundsWidth(bounds)]
  return {
    bounds: { left: -long / 2, right: long / 2, top: -thick, bottom: 0 },
    anchors: {},
    facing: 'front',
    isLuminous: artwork.isLuminous,
    render: async pixelsPerUnit => quarterTurned(await artwork.render(pixelsPerUnit)),
  }
}

/** Returns a broad thing, such as a bicycle, lying flat: seen from eye level, it is low. */
function flattened(artwork: Artwork): Artwork {
  const { bounds } = artwork
  return {
    bounds: { ...bounds, top: bounds.bottom - boundsHeight(bounds) * lowness },
    anchors: {},
    facing: artwork.facing,
    isLuminous: artwork.isLuminous,
    render: async pixelsPerUnit => {
      const upright = await artwork.render(pixelsPerUnit)
      const canvas = createCanvas(upright.width, Math.max(1, Math.round(upright.height * lowness)))
      canvas.getContext('2d').drawImage(upright, 0, 0, canvas.width, canvas.height)
      return canvas
    },
  }
}

const lowness = 0.45

function quarterTurned(source: Canvas): Canvas {
  const canvas = createCanvas(source.height, source.width)
  const context = canvas.getContext('2d')
  context.translate(canvas.width, 0)
  context.rotate(Math.PI / 2)
  context.drawImage(source, 0, 0)
  return canvas
}
