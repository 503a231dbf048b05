import type { SKRSContext2D } from '@napi-rs/canvas'
import { faceWear } from './face-wear.ts'
import type { WornPainter } from './hat-shapes.ts'
import { hats } from './hats.ts'
import type { HeadFrame } from './head.ts'
import { helmets } from './helmets.ts'

const painters: Record<string, WornPainter> = { ...hats, ...helmets, ...faceWear, none: () => undefined }

/** Draws one worn thing in the head's coordinates. A thing of an unknown kind is drawn as a plain
 *  cap, so that the person at least wears something on the head. Ties, necklaces and gloves, which
 *  are not worn on the head, are not drawn. */
export function paintWorn(context: SKRSContext2D, frame: HeadFrame, worn: { kind: string; colour: string }): void {
  const painter = painters[worn.kind] ?? painters[aliases[worn.kind] ?? 'cap']
  painter?.(context, frame, worn.colour)
}

const aliases: Record<string, string> = {
  hat: 'fedora',
  'top hat': 'top-hat',
  helmet: 'hard-hat',
  'sun-hat': 'straw-hat',
  'baseball-cap': 'cap',
  'party-hat': 'gnome-hat',
  hood: 'ninja-hood',
  tie: 'none',
  bow: 'ribbon',
  earmuffs: 'headphones',
  necklace: 'none',
  gloves: 'none',
  'winter-hat': 'beanie',
  'bunny-ears': 'bunny-ears',
  bonnet: 'bucket-hat',
  'graduation-cap': 'graduation-cap',
}
