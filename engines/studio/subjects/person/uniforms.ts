import type { PersonLook } from '../../scene.ts'
import type { Outfit } from './clothes.ts'

type Gender = PersonLook['gender']
export type RoleOutfit = (gender: Gender) => Partial<Outfit>

export const trim = (kind: string, colour: string) => ({ kind, colour })
export const robe = (colour: string, extra: Partial<Outfit> = {}): Partial<Outfit> => ({
  top: 'robe',
  topColour: colour,
  sleeves: 'wide',
  legs: 'bare',
  skirt: { length: 0.92, flare: 1.4, colour },
  shoes: 'shoes',
  shoeColour: '#3b2a23',
  ...extra,
})
export const gown = (colour: string, extra: Partial<Outfit> = {}): Partial<Outfit> => ({
  top: 'dress',
  topColour: colour,
  sleeves: 'short',
  legs: 'bare',
  skirt: { length: 0.95, flare: 2.1, colour },
  hairStyle: 'long',
  ...extra,
})
export const suit = (colour: string, extra: Partial<Outfit> = {}): Partial<Outfit> => ({
  top: 'suit',
  topColour: colour,
  legs: 'long',
  legColour: colour,
  shoes: 'shoes',
  shoeColour: '#1f1b1c',
  trims: [trim('tie', '#a83240')],
  ...extra,
})
export const work = (top: Outfit['top'], topColour: string, legColour: string, extra: Partial<Outfit> = {}): Partial<Outfit> => ({
  top,
  topColour,
  legs: 'long',
  legColour,
  shoes: 'boots',
  shoeColour: '#33291f',
  ...extra,
})
