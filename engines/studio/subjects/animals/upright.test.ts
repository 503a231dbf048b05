import assert from 'node:assert/strict'
import { test } from 'node:test'
import { studioArt } from '../drawable.ts'
import { uprightCreature } from './upright.ts'

/** Kinds of animals that are never dressed, by the name of their drawing. */
const undressed =
  /paw-prints|feather|wing|spiral-shell|seashell|coral|oyster|shrimp|jellyfish|spider-web|scorpion|mosquito|^fly$|worm|microbe|spider|^bug$|pig-nose|tarantula|centipede|mantis|dragonfly|eel|stingray|narwhal|salmon|koi|clownfish|starfish|seahorse|pterodactyl|ankylosaurus|monster|robot/

test('every animal of the catalogue has a head and a coat for scenes where it acts like a person', () => {
  const missing = studioArt()
    .entries()
    .filter(({ category, headOnly, key }) => /^(animal|bird|fish|insect)$/.test(category) && !headOnly && !key.startsWith('fluent:'))
    .map(({ key }) => key.slice(key.indexOf(':') + 1))
    .filter(name => !undressed.test(name) && uprightCreature(name, undefined) === undefined)
  assert.deepEqual([...new Set(missing)], [])
})
