/** All templates, in the order of their numbers. */
import { fileURLToPath } from 'node:url'
import type { SlidesTemplate } from '@generation-gateway/kit/requests/slides.ts'
import { aurora } from './aurora.ts'
import { bauhaus } from './bauhaus.ts'
import { blueprint } from './blueprint.ts'
import { broadsheet } from './broadsheet.ts'
import { chalkboard } from './chalkboard.ts'
import { clinic } from './clinic.ts'
import { concrete } from './concrete.ts'
import { dune } from './dune.ts'
import { ember } from './ember.ts'
import { harbour } from './harbour.ts'
import { inkwash } from './inkwash.ts'
import { lantern } from './lantern.ts'
import { ledger } from './ledger.ts'
import { meadow } from './meadow.ts'
import { orbit } from './orbit.ts'
import { terrazzo } from './terrazzo.ts'
import type { Theme } from './theme.ts'

export const themes: readonly Theme[] = [
  harbour,
  broadsheet,
  aurora,
  meadow,
  ember,
  blueprint,
  lantern,
  inkwash,
  terrazzo,
  bauhaus,
  clinic,
  ledger,
  chalkboard,
  dune,
  orbit,
  concrete,
]

export function themeOf(name: string): Theme | undefined {
  return themes.find(theme => theme.name === name)
}

/** Returns the path of a template's cover picture, which `engines/slides/testing/draw-covers.ts`
 *  draws. The covers are files of the kit, because gateways without engines show them, too. */
export function coverPath(name: string): string {
  return fileURLToPath(import.meta.resolve(`@generation-gateway/kit/slide-covers/${name}.png`))
}

/** All templates as entries of the public list of templates. */
export const templates: readonly SlidesTemplate[] = themes.map(({ id, name, title, category, style, colour, scenes }) => ({
  id,
  name,
  title,
  category,
  style,
  colour,
  scenes,
  cover: coverPath(name),
}))
