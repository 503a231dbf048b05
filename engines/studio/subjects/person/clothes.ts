import type { ClothPattern, PersonLook } from '../../scene.ts'

export type TopKind =
  | 'shirt'
  | 't-shirt'
  | 'sweater'
  | 'hoodie'
  | 'jacket'
  | 'coat'
  | 'suit'
  | 'robe'
  | 'kimono'
  | 'armour'
  | 'spacesuit'
  | 'overall'
  | 'uniform'
  | 'vest'
  | 'bare'
  | 'dress'

type Sleeves = 'long' | 'short' | 'none' | 'wide'

/** Everything that a person wears, with colours, for the functions that draw it. */
export interface Outfit {
  top: TopKind
  topColour: string
  sleeves: Sleeves
  /** Colour of the shirt that is visible in the opening of a jacket, suit or coat. */
  shirtColour: string
  legs: 'long' | 'short' | 'bare'
  legColour: string
  /** Lower part of a dress, skirt, coat or robe; `length` is the share of the leg that it
   *  covers. */
  skirt?: { length: number; flare: number; colour: string }
  /** Patterns of the upper garment and of the skirt. */
  topPattern?: ClothPattern
  skirtPattern?: ClothPattern
  shoes: 'shoes' | 'boots' | 'bare' | 'fins'
  shoeColour: string
  /** Small details, such as `belt`, `tie`, `bow-tie`, `apron`, `sash`, `stethoscope`, `stripes`,
   *  `cape`, `wings`, `halo`, `backpack`, `badge`, `buttons`, `straps`, `tail`, `pads`,
   *  `reflective`, `emblem`, `collar`, `lace`, `epaulettes` or `tutu`. */
  trims: { kind: string; colour: string }[]
  wears: { kind: string; colour: string }[]
  /** Kind of the prop that the person holds when the prompt names no thing for the hand. */
  prop?: string
  skin: string
  hairColour: string
  hairStyle: NonNullable<NonNullable<PersonLook['hair']>['style']> | 'tails'
  beard: boolean
  /** True for a beard that reaches the chest. */
  hasLongBeard: boolean
  eyeColour: string
  isFreckled: boolean
  /** Kind of a special face, such as `clown`, `zombie`, `vampire` or `ninja`. */
  face?: string
  /** True for pointed ears. */
  isElf: boolean
}
