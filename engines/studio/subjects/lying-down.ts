import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { type Artwork, boundsHeight, boundsWidth } from './artwork.ts'

/** Returns the drawing of a thing that has fallen over: rotated by a quarter turn, so that its side
 *  lies on the ground, or flattened if it is broad. Nothing can be attached to it or written on it
 *  any more. */
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

/** Returns the drawing of a broad thing, such as a bicycle, that lies flat on the ground. Seen from
 *  eye level it is low, so its height is reduced. */
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
