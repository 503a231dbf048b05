import { openArt } from '../art/catalogue.ts'
import type { ArtCatalogue } from '../art/entry.ts'
import type { ArtKey } from '../scene.ts'
import { isAnimal } from './animals/animal.ts'
import { isBird } from './animals/birds.ts'
import { isCreature } from './animals/creatures.ts'
import { isDrawn } from './drawn/drawn.ts'
import { isTree } from './trees/trees.ts'

let opened: ArtCatalogue | undefined

/** Returns the catalogue of everything that this engine can draw; it is opened once per process. */
export function studioArt(): ArtCatalogue {
  opened ??= openArt({ canDraw })
  return opened
}

/** True when this folder has a drawing for the key of a rig (a person or an animal that can take
 *  poses), a tree or another thing that a function draws. False for emoji, whose pictures come from
 *  files. */
export function canDraw(key: ArtKey): boolean {
  const [kind, name = ''] = key.split(':')
  switch (kind) {
    case 'rig':
      return name === 'person' || isAnimal(name) || isBird(name) || isCreature(name)
    case 'tree':
      return isTree(name)
    case 'drawn':
      return isDrawn(name)
    default:
      return false
  }
}
