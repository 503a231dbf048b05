import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnEntries } from '../art/drawn-entries.ts'
import { personWords } from '../art/person-words.ts'
import { createRandom } from '../random.ts'
import type { Pose, Subject } from '../scene.ts'
import { assertRecorded, recordDrawing } from '../testing/record-drawing.ts'
import type { Artwork } from './artwork.ts'
import { artworksOf } from './artworks.ts'
import { canDraw, studioArt } from './drawable.ts'
import { roleOutfits } from './person/roles.ts'
import { paintedPixels, sceneOf, subjectOf } from './testing.ts'
import { paintLimits } from './vector.ts'

function artworkOf(subject: Subject): Artwork {
  const [first] = artworksOf({ catalogue: studioArt(), scene: sceneOf([subject]), random: createRandom('5') })
  assert.ok(first)
  return first.artwork
}

async function assertDrawn(name: string, artwork: Artwork): Promise<void> {
  const { bounds } = artwork
  assert.ok((await paintedPixels(artwork)) > 200, `${name} is nearly empty`)
  assert.ok(bounds.left < bounds.right && bounds.top < bounds.bottom, `${name} has no size`)
}

test('every key of the table of drawn things can be drawn, is not empty and has its recorded pixels', async () => {
  const digests = new Map<string, string>()
  for (const { key, heightMetres, habitat } of drawnEntries) {
    assert.ok(canDraw(key), `no drawing for ${key}`)
    const { digest, result: artwork } = recordDrawing(() => artworkOf(subjectOf('s1', key, heightMetres, { habitat })))
    digests.set(key, digest)
    await assertDrawn(key, artwork)
  }
  assertRecorded('drawings.txt', digests)
})

test('rigs and trees stay inside the measuring canvas in every pose and season', async () => {
  const poses: (Pose | undefined)[] = [undefined, 'running', 'sitting', 'sleeping', 'flying', 'dancing']
  for (const { key } of drawnEntries.filter(entry => !entry.key.startsWith('drawn:'))) {
    for (const pose of key.startsWith('rig:') ? poses : [undefined]) {
      const { bounds } = artworkOf(subjectOf('s1', key, 1, pose ? { pose } : {}))
      assert.ok(
        bounds.left > paintLimits.left &&
          bounds.right < paintLimits.right &&
          bounds.top > paintLimits.top &&
          bounds.bottom < paintLimits.bottom,
        `${key} ${pose} is clipped`,
      )
    }
  }
})

test('people are drawn in every pose, age and role', async () => {
  const poses: Pose[] = [
    'standing',
    'sitting',
    'walking',
    'running',
    'jumping',
    'dancing',
    'sleeping',
    'lying',
    'waving',
    'reading',
    'flying',
    'swimming',
    'riding',
    'playing',
    'cooking',
    'painting',
    'singing',
    'eating',
    'kneeling',
    'climbing',
    'fishing',
    'working',
    'holding',
    'looking',
  ]
  for (const pose of poses) {
    for (const age of ['baby', 'child', 'adult', 'elder'] as const) {
      const artwork = artworkOf(subjectOf('s1', 'rig:person', 1.7, { pose, person: { age, gender: 'any', clothes: [], wears: [] } }))
      await assertDrawn(`${age} ${pose}`, artwork)
      assert.ok(artwork.bounds.left > paintLimits.left && artwork.bounds.top > paintLimits.top, `${age} ${pose} is clipped`)
    }
  }
})

test('every role of the word list has an outfit', () => {
  for (const { hint, noun } of personWords)
    if (hint.role !== undefined) assert.ok(roleOutfits[hint.role], `no outfit for ${noun} (${hint.role})`)
})

test('a dress of the requested colour covers a good part of the body', async () => {
  const artwork = artworkOf(
    subjectOf('s1', 'rig:person', 1.2, {
      person: { age: 'child', gender: 'woman', clothes: [{ kind: 'dress', colour: '#d62c2c' }], wears: [] },
    }),
  )
  const canvas = await artwork.render(2)
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
  let red = 0
  let all = 0
  for (let i = 0; i < data.length; i += 4) {
    if ((data[i + 3] ?? 0) < 128) continue
    all++
    if ((data[i] ?? 0) > 130 && (data[i + 1] ?? 0) < 70 && (data[i + 2] ?? 0) < 80) red++
  }
  assert.ok(red / all > 0.2, `${red} of ${all} pixels are red`)
})

test('a drawn thing is 100 units high, whatever its painter used', () => {
  for (const key of ['drawn:windmill', 'drawn:rug', 'drawn:moon', 'drawn:campfire'] as const) {
    const { bounds } = artworkOf(subjectOf('s1', key, 1))
    assert.ok(Math.abs(bounds.bottom - bounds.top - 100) < 1e-6, key)
  }
})
