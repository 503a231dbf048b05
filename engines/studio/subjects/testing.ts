import { createRandom } from '../random.ts'
import type { ArtKey, Scene, Subject } from '../scene.ts'
import { type Artwork, boundsHeight, boundsWidth } from './artwork.ts'
import { artworksOf } from './artworks.ts'
import { studioArt } from './drawable.ts'
import { layoutScene } from './layout.ts'
import type { LayoutInput, PlacedSubject } from './layout-types.ts'

/** Returns a subject with default values for everything that the tests do not need. */
export function subjectOf(id: string, art: ArtKey, heightMetres: number, extra: Partial<Subject> = {}): Subject {
  return {
    id,
    noun: art.slice(art.indexOf(':') + 1),
    words: id,
    art,
    count: 1,
    looks: [],
    size: 'normal',
    heightMetres,
    habitat: 'ground',
    relations: [],
    isBackground: false,
    ...extra,
  }
}

export function sceneOf(subjects: Subject[], extra: Partial<Scene> = {}): Scene {
  return {
    version: 1,
    prompt: '',
    language: 'en',
    seed: '11',
    setting: { kind: 'meadow', words: '', details: [] },
    time: 'day',
    season: 'summer',
    weather: ['clear'],
    style: 'illustration',
    moods: [],
    camera: { framing: 'full', angle: 'eye', bokeh: false },
    subjects,
    letterings: [],
    extras: 0,
    notDrawn: [],
    ...extra,
  }
}

/** Computes the layout of a scene over a plain meadow of the given size, with the horizon in the
 *  middle. */
export function layoutOf(scene: Scene, width = 800, height = 800, environment: Partial<LayoutInput['environment']> = {}): PlacedSubject[] {
  const items = artworksOf({ catalogue: studioArt(), scene, random: createRandom(scene.seed) }).map(({ subject, copy, artwork }) => ({
    subject,
    copy,
    bounds: artwork.bounds,
    anchors: artwork.anchors,
    facing: artwork.facing,
  }))
  const horizonY = height / 2
  return layoutScene({
    scene,
    width,
    height,
    items,
    random: createRandom(scene.seed),
    environment: {
      horizonY,
      ground: { farY: height * 0.55, nearY: height * 0.94 },
      pixelsPerMetre: y => Math.max(1, y - horizonY),
      floor: 'grass',
      ...environment,
    },
  })
}

/** Renders a drawing with a longer side of 150 pixels, and returns the number of pixels with an
 *  alpha of more than 100 (of 255). */
export async function paintedPixels(artwork: Artwork): Promise<number> {
  const scale = 150 / Math.max(boundsWidth(artwork.bounds), boundsHeight(artwork.bounds))
  const canvas = await artwork.render(scale)
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
  let painted = 0
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) > 100) painted++
  return painted
}
